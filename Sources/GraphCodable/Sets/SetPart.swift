import Foundation

extension GraphArchiveSet.Writer {
  /// A part of a set that is to be written, by one process, once.
  public struct Part: Sendable {
    let folder: URL
    let token: String
    /// Its number, from 0.
    public let number: Int
    /// How many parts the set has.
    public let count: Int

    /// Encodes a graph into the part.
    ///
    /// - Parameters:
    ///   - root: the root of the part's graph.
    ///   - encoder: the settings.
    ///   - arrays: which arrays of it are parts of larger ones.
    ///   - staging: a folder to write the part to first, such as one on a disk of the node; it is copied from there
    ///     as a whole.
    ///   - progress: as in `GraphEncoder.write`.
    /// - Returns: what `commit` has to know.
    /// - Throws: as `GraphEncoder.write`; `invalidValue` for an array that does not fit into the one over all parts,
    ///   and as ``GraphArchive/rawArray(at:)`` where there is none at its path.
    /// - Complexity: O(n) in the size of the graph.
    @inlinable
    public func write<Root: GEncodable>(
      _ root: Root, by encoder: GraphEncoder = GraphEncoder(), arrays: [GraphArchiveSet.ArrayPart] = [],
      staging: URL? = nil, progress: Progress? = nil
    ) throws -> GraphArchiveSet.Receipt {
      // Inlined so that the root's own coding is compiled for its type.
      try write(arrays, staging) { try encoder.write(root, to: $0, progress: progress) }
    }

    /// Encodes a graph of `Codable` values into the part.
    ///
    /// - Parameters: as in ``write(_:by:arrays:staging:progress:)``.
    /// - Throws: as ``write(_:by:arrays:staging:progress:)``, and as `GraphEncoder.write(codable:to:progress:)`.
    public func write<Root: Encodable>(
      codable root: Root, by encoder: GraphEncoder = GraphEncoder(), arrays: [GraphArchiveSet.ArrayPart] = [],
      staging: URL? = nil, progress: Progress? = nil
    ) throws -> GraphArchiveSet.Receipt {
      try write(arrays, staging) { try encoder.write(codable: root, to: $0, progress: progress) }
    }

    /// Writes the part by `body` to a file, and if that is not its own, copies it.
    @usableFromInline
    func write(
      _ arrays: [GraphArchiveSet.ArrayPart], _ staging: URL?, _ body: (URL) throws -> Void
    ) throws -> GraphArchiveSet.Receipt {
      let name = SetNames.part(number, of: count, token)
      let url = folder.appendingPathComponent(name)
      let first = staging?.appendingPathComponent(name) ?? url
      try body(first)
      defer { if staging != nil { unsafe unlink(first.path) } }
      let archive = try GraphArchive(first)
      let placed: [GraphArchiveSet.ArrayPart]
      do { placed = try arrays.map { try place($0, in: archive) } } catch {
        unsafe unlink(first.path)
        throw error
      }
      if staging != nil { try archive.copy(to: url) }
      return GraphArchiveSet.Receipt(
        token: token, part: number, partCount: count, name: name, byteCount: archive.header.byteCount,
        headerHash: archive.header.hash, arrays: placed)
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

extension GraphArchive {
  /// Copies an archive in a file to another one, which gets its name when it is whole.
  fileprivate func copy(to url: URL) throws {
    let sink = try FileSink(url)
    try storage.withSource { source in
      for start in stride(from: 0, to: header.byteCount, by: 8 << 20) {
        let count = Int(min(header.byteCount - start, 8 << 20))
        try unsafe source.withBytes(count, from: start) { try unsafe sink.write([$0], at: start) }
      }
    }
    try sink.publish()
  }
}
