import Foundation
import GraphCodable

/// From ranks to the one of their group that writes.
extension MPICommunicator {
  /// Sends a graph to the rank that writes it, or that there is none.
  func send<Root: GEncodable>(_ root: Root, _ arrays: [GraphArchiveSet.ArrayPart], to writer: Int) throws {
    // It does not go far; the one that writes compresses all.
    let encoder = GraphEncoder()
    encoder.compression = .none
    do {
      let contribution = try Contribution(arrays: arrays).bytes()
      let graph = try root.bytes(by: encoder)
      try sendLong(contribution, to: writer)
      try sendLong(graph, to: writer)
    } catch  where !(error is MPIError) {
      try sendLong(Contribution(failure: RankFailure(error, of: rank)).bytes(), to: writer)
      try sendLong([], to: writer)
    }
  }

  /// Receives the graphs of other ranks, and puts them behind the own one.
  ///
  /// - Throws: the first error of any of them, when all have been heard, so that none still waits to send.
  func gather<Root: GCodable>(
    _ root: Root, _ arrays: [GraphArchiveSet.ArrayPart], from members: [Int], _ decoder: GraphDecoder
  ) throws -> (roots: [Root], arrays: [GraphArchiveSet.ArrayPart]) {
    var roots = [root]
    var failure: (any Error)?
    var allArrays: [GraphArchiveSet.ArrayPart] = []
    func take(_ member: Int) throws {
      // Both are received before anything can fail: what is left would be taken for the next save's.
      let (bytes, graph) = (try receiveLong(from: member), try receiveLong(from: member))
      let contribution = try GraphDecoder().decode(Contribution.self, from: bytes)
      if let known = contribution.failure { throw known }
      guard failure == nil else { return }
      allArrays += try contribution.arrays.map { try Self.moved($0, behind: roots.count) }
      try roots.append(decoder.decode(Root.self, from: graph))
    }
    do { allArrays = try arrays.map { try Self.moved($0, behind: 0) } } catch { failure = error }
    for member in members {
      do { try take(member) } catch {
        if error is MPIError { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return (roots, allArrays)
  }

  /// An array of a graph that is an element of another array.
  private static func moved(
    _ array: GraphArchiveSet.ArrayPart, behind index: Int
  ) throws -> GraphArchiveSet.ArrayPart {
    let text = "[\(index)]" + (array.path.isEmpty || array.path.hasPrefix("[") ? "" : ".") + array.path
    guard let path = GraphPath(text) else {
      throw GCodableError(.invalidPath, "\"\(array.path)\" is not a path")
    }
    return .init(array.name, at: path, globalShape: array.globalShape, offset: array.offset)
  }

  /// What a rank sends before its graph, or in its place.
  private struct Contribution: GCodable {
    var arrays: [GraphArchiveSet.ArrayPart] = []
    var failure: RankFailure?

    init(arrays: [GraphArchiveSet.ArrayPart] = [], failure: RankFailure? = nil) {
      (self.arrays, self.failure) = (arrays, failure)
    }

    private enum Key: String { case arrays, failure }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(arrays, for: Key.arrays)
      try encoder.encode(failure, for: Key.failure)
    }

    init(from decoder: GDecoder) throws {
      arrays = try decoder.decode(for: Key.arrays)
      failure = try decoder.decode(for: Key.failure)
    }
  }
}
