import CGraphCodableMPI
import COpenMPI
import Foundation
import GraphCodable

/// A group of cooperating processes, each of which has a number, its rank.
///
///     try MPICommunicator.withWorld { world in
///       try world.saveTogether(domain, to: folder, step: 100, time: 0.5, arrays: [positions])
///     }
///
/// Most methods are collective: every rank has to call them, in the same order. A rank that waits for others sleeps,
/// for up to 2 ms at a time, instead of keeping its processor busy.
///
/// One thread at a time may use any communicator of a process.
@safe public final class MPICommunicator {
  // `@safe`: the handle is valid from `init` to `free`, and leaves the module through nobody.
  let handle: MPI_Comm
  /// This process's number, from 0.
  public let rank: Int
  /// The number of processes.
  public let size: Int
  /// Whether it has all processes that were started together.
  let isWorld: Bool

  /// Takes over a communicator that this process made.
  init(owning handle: MPI_Comm, isWorld: Bool = false) throws {
    // Safe because a communicator that MPI has just made is valid.
    unsafe self.handle = handle
    self.isWorld = isWorld
    var (rank, size): (Int32, Int32) = (0, 0)
    let results = unsafe [
      ("MPI_Comm_set_errhandler", gca_mpi_return_errors(handle)),
      ("MPI_Comm_rank", MPI_Comm_rank(handle, &rank)), ("MPI_Comm_size", MPI_Comm_size(handle, &size)),
    ]
    (self.rank, self.size) = (Int(rank), Int(size))
    for (function, result) in results { try MPIError.check(result, function) }
  }

  /// Calls a function with all processes that were started together, and begins and ends MPI around it.
  ///
  /// If all ranks leave with an error that they have thrown together, such as those of
  /// ``saveTogether(_:to:step:time:metadata:arrays:by:staging:progress:heartbeat:)`` and ``agree(_:)`` of the communicator that the
  /// function receives, that error is rethrown. Any other error, even one that all ranks of a smaller communicator have
  /// thrown, belongs to this rank alone, and the others would wait forever: it is printed, and MPI ends all processes. The
  /// same happens if other ranks have caught the error and continue.
  ///
  /// Entering and leaving it are collective: no rank continues after it before all have left it. A process that was not
  /// started by `mpirun` is rank 0 of 1.
  ///
  /// - Parameters:
  ///   - patience: how long a rank that leaves with an error of all ranks waits for the others to leave before MPI ends
  ///     all processes.
  ///   - body: what each of the processes does.
  /// - Throws: what the function throws, and ``MPIError``.
  public static func withWorld<Value>(
    patience: Duration = .seconds(300), _ body: (MPICommunicator) throws -> Value
  ) throws -> Value {
    var (isBegun, level): (Int32, Int32) = (0, 0)
    // Safe because MPI may be asked this at any time.
    try MPIError.check(unsafe MPI_Initialized(&isBegun), "MPI_Initialized")
    if isBegun == 0 {
      // Safe because MPI has not begun; it takes no arguments of the program.
      try MPIError.check(
        unsafe MPI_Init_thread(nil, nil, Int32(MPI_THREAD_SERIALIZED), &level), "MPI_Init_thread")
    }
    let world = try unsafe MPICommunicator(duplicatingWorld: gca_mpi_world())
    // Its own, so that nothing that ranks do in the other one is taken for their leaving.
    let exit = try unsafe MPICommunicator(duplicatingWorld: gca_mpi_world())
    defer { if isBegun == 0 { MPI_Finalize() } }
    let value: Value
    do { value = try body(world) } catch {
      guard error.isOfAllRanks else { throw world.abort("\(error)", error) }
      guard try exit.isEntered(within: patience) else {
        throw world.abort("left with an error that others have caught: \(error)", error)
      }
      throw error
    }
    _ = try exit.isEntered(within: nil)
    return value
  }

  /// Ends all processes.
  private func abort(_ text: String, _ error: any Error) -> any Error {
    FileHandle.standardError.write(Data("rank \(rank) of \(size): \(text)\n".utf8))
    // Safe because the communicator is valid. It does not return.
    unsafe MPI_Abort(handle, 1)
    return error
  }

  /// Makes a communicator with the same processes, in which no messages of others are.
  private convenience init(duplicatingWorld handle: MPI_Comm) throws {
    var own: MPI_Comm? = unsafe gca_mpi_no_communicator()
    // Safe because the communicator is valid.
    try MPIError.check(unsafe MPI_Comm_dup(handle, &own), "MPI_Comm_dup")
    try unsafe self.init(owning: own ?? gca_mpi_no_communicator(), isWorld: true)
  }

  /// The processes that share the memory of this one's node, in the order of their ranks.
  ///
  /// Collective. Release the communicator with ``free()``.
  ///
  /// - Throws: ``MPIError``.
  public func splitByNode() throws -> MPICommunicator {
    var node: MPI_Comm? = unsafe gca_mpi_no_communicator()
    // Safe because the communicator is valid.
    try MPIError.check(unsafe gca_mpi_split_by_node(handle, Int32(rank), &node), "MPI_Comm_split_type")
    return try unsafe MPICommunicator(owning: node ?? gca_mpi_no_communicator())
  }

  /// Releases the communicator, which must not be used afterwards.
  ///
  /// Collective.
  ///
  /// - Throws: ``MPIError``.
  public func free() throws {
    var handle: MPI_Comm? = unsafe handle
    // Safe because nobody uses it any more.
    try MPIError.check(unsafe MPI_Comm_free(&handle), "MPI_Comm_free")
  }

  /// This rank's share of a number of elements: one of consecutive ranges of about the same length.
  public func share(of count: Int) -> Range<Int> {
    let (length, rest) = count.quotientAndRemainder(dividingBy: size)
    let start = length * rank + min(rank, rest)
    return start..<(start + length + (rank < rest ? 1 : 0))
  }
}
