#ifndef CGRAPHARCHIVE_H
#define CGRAPHARCHIVE_H
#include <stdint.h>
#endif
