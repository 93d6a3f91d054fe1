import Foundation
import GraphCodable

extension MPICommunicator {
  /// Opens a set on all ranks, checks that its parts exist, and calls a function that loads what this rank needs.
  ///
  ///     let positions = try world.loadTogether(from: folder) { set in
  ///       let all = try set.array(SIMD3<Double>.self, "positions")
  ///       return try all[world.share(of: all.count)]
  ///     }
  ///
  /// Collective. There may be more ranks than parts, or fewer. Each rank checks some of the parts, and nothing is decoded
  /// before all of them match the manifest.
  ///
  /// - Parameters:
  ///   - folder: the set's folder, which all ranks see; it may have another path on each node.
  ///   - body: loads from the set. It must not be collective: a rank on which it throws would no longer take part.
  /// - Returns: what the function has returned on this rank.
  /// - Throws: `GCodableError`, the same on all ranks, caused by an ``MPIFailedRank``: as `GraphArchiveSet.init(_:)`,
  ///   `GraphArchiveSet.part(_:)` and the function; `file` when the set was replaced meanwhile. And ``MPIError``.
  /// - Complexity: the manifest on each rank, and the headers of n / p of n parts on each of p ranks.
  public func loadTogether<Value>(
    from folder: URL, _ body: (GraphArchiveSet) throws -> Value
  ) throws -> Value {
    var opened: GraphArchiveSet?
    let token = try fromRoot {
      let set = try GraphArchiveSet(folder)
      opened = set
      return set.token
    }
    let set = try agree {
      let set = try opened ?? GraphArchiveSet(folder)
      guard set.token == token else {
        throw GCodableError(.file, "the set in \(folder.path) is not the one that rank 0 has opened")
      }
      for part in stride(from: rank, to: set.partCount, by: size) { _ = try set.part(part) }
      return set
    }
    return try agree { try body(set) }
  }
}
