// Runs all tests without Swift: program FOLDER. The folder must be there; the tests leave files in it.

#include "CGraphArchiveCases.h"

#include <stdio.h>

int main(int argumentCount, char **arguments) {
    if (argumentCount != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    size_t count = test_count();
    for (size_t number = 0; number < count; number++) run_test(number, arguments[1]);
    printf("%zu passed\n", count);
    return 0;
}
