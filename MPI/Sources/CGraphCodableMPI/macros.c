#include "CGraphCodableMPI.h"

MPI_Comm gca_mpi_world(void) { return MPI_COMM_WORLD; }
MPI_Comm gca_mpi_no_communicator(void) { return MPI_COMM_NULL; }
MPI_Datatype gca_mpi_byte(void) { return MPI_BYTE; }
MPI_Datatype gca_mpi_int64(void) { return MPI_INT64_T; }
MPI_Op gca_mpi_minimum(void) { return MPI_MIN; }
MPI_Request gca_mpi_no_request(void) { return MPI_REQUEST_NULL; }

int gca_mpi_return_errors(MPI_Comm communicator) {
    return MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN);
}

int gca_mpi_split_by_node(MPI_Comm communicator, int key, MPI_Comm *node) {
    return MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, node);
}
