extension GraphArchiveSet {
  /// The place of an array of one part in an array over all parts.
  ///
  ///     GraphArchiveSet.ArrayPart("positions", at: "atoms.positions", globalShape: [atomCount], offset: [firstAtom])
  public struct ArrayPart: Hashable, Sendable, Codable {
    /// The name of the array over all parts.
    public let name: String
    /// The path of this part's array in its archive, as the text of a ``GraphPath``.
    public let path: String
    /// The lengths of the array over all parts, from the outermost dimension.
    public let globalShape: [Int]
    /// The indices of this part's first element in that array.
    public let offset: [Int]
    /// The lengths of this part's array, which are set when the part is written.
    public internal(set) var shape: [Int] = []

    /// Describes an array of a part.
    ///
    /// - Parameters:
    ///   - name: the name of the array over all parts.
    ///   - path: where the array is in this part; by default, the same as the name.
    ///   - globalShape: the lengths of the array over all parts, the same for all of them.
    ///   - offset: the index in each dimension at which this part's elements begin.
    public init(_ name: String, at path: GraphPath? = nil, globalShape: [Int], offset: [Int]) {
      self.init(name, storedPath: path.map { "\($0)" } ?? name, globalShape: globalShape, offset: offset)
    }

    init(_ name: String, storedPath: String, globalShape: [Int], offset: [Int]) {
      (self.name, path) = (name, storedPath)
      (self.globalShape, self.offset) = (globalShape, offset)
    }

    /// What it has of the array over all parts; nil where that is none of its places.
    var box: ArrayBox? {
      guard shape.count == globalShape.count, let box = ArrayBox(offset: offset, shape: shape),
        zip(box.ranges, globalShape).allSatisfy({ $0.upperBound <= $1 })
      else { return nil }
      return box
    }
  }

  /// A receipt for a written part, which the writer that commits the set needs.
  ///
  /// It consists of plain values, and can be sent to that writer in any way: as JSON, as an archive, by MPI.
  public struct Receipt: Hashable, Sendable, Codable {
    /// The token of the set that it belongs to.
    public let token: String
    /// The part's number, from 0.
    public let part: Int
    /// The number of parts of the set.
    public let partCount: Int
    /// The name of the part's file.
    public let name: String
    /// Bytes of the part's archive.
    public let byteCount: UInt64
    /// The hash at the end of the archive's header, which identifies the whole archive.
    public let headerHash: UInt64
    /// Its arrays that are pieces of arrays over all parts.
    public let arrays: [ArrayPart]
  }
}

extension GraphArchiveSet.ArrayPart: GCodable {
  private enum Key: String { case name, path, globalShape, offset, shape }

  /// Encodes the description.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(path, for: Key.path)
    try encoder.encode(globalShape, for: Key.globalShape)
    try encoder.encode(offset, for: Key.offset)
    try encoder.encode(shape, for: Key.shape)
  }

  /// Decodes a description.
  public init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    path = try decoder.decode(for: Key.path)
    globalShape = try decoder.decode(for: Key.globalShape)
    offset = try decoder.decode(for: Key.offset)
    shape = try decoder.decode(for: Key.shape)
  }
}

extension GraphArchiveSet.Receipt: GCodable {
  private enum Key: String { case token, part, partCount, name, byteCount, headerHash, arrays }

  /// Encodes the receipt.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(token, for: Key.token)
    try encoder.encode(part, for: Key.part)
    try encoder.encode(partCount, for: Key.partCount)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(byteCount, for: Key.byteCount)
    try encoder.encode(headerHash, for: Key.headerHash)
    try encoder.encode(arrays, for: Key.arrays)
  }

  /// Decodes a receipt.
  public init(from decoder: GDecoder) throws {
    token = try decoder.decode(for: Key.token)
    part = try decoder.decode(for: Key.part)
    partCount = try decoder.decode(for: Key.partCount)
    name = try decoder.decode(for: Key.name)
    byteCount = try decoder.decode(for: Key.byteCount)
    headerHash = try decoder.decode(for: Key.headerHash)
    arrays = try decoder.decode(for: Key.arrays)
  }
}
