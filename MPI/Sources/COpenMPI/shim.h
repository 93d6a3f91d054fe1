// Debian's libopenmpi-dev. The bindings of C++, which MPI has given up, are left out.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
