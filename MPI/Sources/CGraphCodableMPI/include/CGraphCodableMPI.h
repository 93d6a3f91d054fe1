// What mpi.h has as macros that Swift cannot import: handles with a cast in them.
#ifndef CGRAPHCODABLEMPI_H
#define CGRAPHCODABLEMPI_H

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

MPI_Comm gca_mpi_world(void);
MPI_Comm gca_mpi_no_communicator(void);
MPI_Datatype gca_mpi_byte(void);
MPI_Datatype gca_mpi_int64(void);
MPI_Op gca_mpi_minimum(void);
MPI_Request gca_mpi_no_request(void);

// Lets the functions of a communicator return their errors; by default they end the process.
int gca_mpi_return_errors(MPI_Comm communicator);

// MPI_Comm_split_type with MPI_COMM_TYPE_SHARED: those that share the memory of a node, in the order of `key`.
int gca_mpi_split_by_node(MPI_Comm communicator, int key, MPI_Comm *node);

#endif
