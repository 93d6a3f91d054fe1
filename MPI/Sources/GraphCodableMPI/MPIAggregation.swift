import GraphCodable

/// Which ranks share a part of a set.
///
/// The other ranks of a group send their graphs to the first one as uncompressed archives; the first one decodes them and
/// writes all as one part: an array of the graphs, in the order of the ranks. This makes fewer files, at the cost of the
/// memory for these graphs and of encoding them twice.
public enum MPIAggregation: Hashable, Sendable {
  /// Each rank has a part.
  case none
  /// The ranks of a node have a part: those that share its memory (`MPI_Comm_split_type`).
  case perNode
  /// As many consecutive ranks have a part; from 1.
  case groups(of: Int)

  /// As one number, which ranks can compare.
  var number: Int {
    switch self {
    case .none: 1
    case .perNode: 0
    case .groups(let count): count
    }
  }
}

/// Who writes what.
struct PartLayout {
  /// The first rank of each group, in ascending order: the one that writes.
  let writers: [Int]
  /// The other ranks of this rank's group, if it writes.
  let members: [Int]
  /// This rank's writer.
  let writer: Int
  /// The number of its part.
  let part: Int

  /// Finds the groups.
  ///
  /// Collective.
  init(_ aggregation: MPIAggregation, of communicator: MPICommunicator) throws {
    let (rank, size) = (communicator.rank, communicator.size)
    let writerOf: [Int]
    switch aggregation {
    case .none: writerOf = [Int](0..<size)
    case .groups(let count): writerOf = (0..<size).map { $0 - $0 % count }
    case .perNode:
      let node = try communicator.splitByNode()
      let first = try node.allGather([rank])[0]
      try node.free()
      writerOf = try communicator.allGather([first])
    }
    writers = writerOf.indices.filter { writerOf[$0] == $0 }
    let writer = writerOf[rank]
    members = writer == rank ? writerOf.indices.filter { writerOf[$0] == rank && $0 != rank } : []
    part = writers.firstIndex(of: writer) ?? 0
    self.writer = writer
  }
}
