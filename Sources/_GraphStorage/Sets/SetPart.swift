import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

extension GraphArchiveSet.Writer {
  /// A part of a set, to be written once, by one process.
  public struct Part: Sendable {
    let files: any SetFiles
    let token: String
    /// Its number, from 0.
    public let number: Int
    /// The number of parts of the set.
    public let count: Int

    /// Encodes a graph into the part.
    ///
    /// - Parameters:
    ///   - root: the root of the part's graph.
    ///   - encoder: the settings.
    ///   - arrays: which arrays of the graph are pieces of arrays over all parts.
    ///   - staging: a folder to write the part to first, such as one on a local disk of the node; the finished part is
    ///     copied from there. An object store gets the part from memory.
    ///   - progress: as in `GraphEncoder.write`.
    /// - Returns: the receipt for `commit`.
    /// - Throws: as `GraphEncoder.write`; `invalidValue` for an array that does not fit into the one over all parts,
    ///   and as ``GraphArchive/rawArray(at:)`` where there is none at its path.
    /// - Complexity: O(n) in the size of the graph.
    @inlinable
    public func write<Root: GEncodable>(
      _ root: Root, by encoder: GraphEncoder = GraphEncoder(), arrays: [GraphArchiveSet.ArrayPart] = [],
      staging: URL? = nil, progress: Progress? = nil
    ) throws -> GraphArchiveSet.Receipt {
      // Inlined so that the root's own coding is compiled for its type.
      try progress?.checkCancellation()
      return try write(encoder.walk { try $0.writeRoot(root) }, encoder, arrays, staging, progress)
    }

    /// Encodes a graph of `Codable` values into the part.
    ///
    /// - Parameters: as in ``write(_:by:arrays:staging:progress:)``.
    /// - Throws: as ``write(_:by:arrays:staging:progress:)``, and as `GraphEncoder.write(codable:to:progress:)`.
    public func write<Root: Encodable>(
      codable root: Root, by encoder: GraphEncoder = GraphEncoder(), arrays: [GraphArchiveSet.ArrayPart] = [],
      staging: URL? = nil, progress: Progress? = nil
    ) throws -> GraphArchiveSet.Receipt {
      try progress?.checkCancellation()
      return try write(encoder.walk { try $0.writeRoot(codable: root) }, encoder, arrays, staging, progress)
    }

    @usableFromInline
    func write(
      _ graph: EncodedGraph, _ encoder: GraphEncoder, _ arrays: [GraphArchiveSet.ArrayPart], _ staging: URL?,
      _ progress: Progress?
    ) throws -> GraphArchiveSet.Receipt {
      var placed: [GraphArchiveSet.ArrayPart] = []
      func look(_ archive: GraphArchive) throws { placed = try arrays.map { try place($0, in: archive) } }
      let header = try files.write(
        graph, encoder, as: name, staging: staging, ProgressReport(progress), arrays.isEmpty ? nil : look)
      return receipt(header, placed)
    }

    var name: String { SetNames.part(number, of: count, token) }

    func receipt(
      _ header: ArchiveHeader, _ arrays: [GraphArchiveSet.ArrayPart]
    ) -> GraphArchiveSet.Receipt {
      GraphArchiveSet.Receipt(
        token: token, part: number, partCount: count, name: name, byteCount: header.byteCount,
        headerHash: header.hash, arrays: arrays)
    }

    /// Finds the shape of an array.
    private func place(
      _ array: GraphArchiveSet.ArrayPart, in archive: GraphArchive
    ) throws -> GraphArchiveSet.ArrayPart {
      guard let path = GraphPath(array.path) else {
        throw GCodableError(.invalidPath, "\"\(array.path)\" is not a path")
      }
      var array = array
      array.shape = try archive.rawArray(at: path).shape
      guard array.box != nil else {
        throw GCodableError(
          .invalidValue,
          "the array \(array.name) of part \(number) has shape \(array.shape), which from \(array.offset) on is not in "
            + "\(array.globalShape)")
      }
      return array
    }
  }
}
