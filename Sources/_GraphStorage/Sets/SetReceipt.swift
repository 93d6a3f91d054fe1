import _GraphCoding
import _GraphReading

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

extension GraphArchiveSet.ArrayPart: _GraphRareType {
  /// Encodes the description.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(name, for: .name)
    try encoder.encodeOutOfLine(path, for: .path)
    try encoder.encodeOutOfLine(globalShape, for: .globalShape)
    try encoder.encodeOutOfLine(offset, for: .offset)
    try encoder.encodeOutOfLine(shape, for: .shape)
  }

  /// Decodes a description.
  public init(from decoder: GDecoder) throws {
    name = try decoder.decodeOutOfLine(for: .name)
    path = try decoder.decodeOutOfLine(for: .path)
    globalShape = try decoder.decodeOutOfLine(for: .globalShape)
    offset = try decoder.decodeOutOfLine(for: .offset)
    shape = try decoder.decodeOutOfLine(for: .shape)
  }
}

extension GraphArchiveSet.Receipt: _GraphRareType {
  /// Encodes the receipt.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(token, for: .token)
    try encoder.encodeOutOfLine(part, for: .part)
    try encoder.encodeOutOfLine(partCount, for: .partCount)
    try encoder.encodeOutOfLine(name, for: .name)
    try encoder.encodeOutOfLine(byteCount, for: .byteCount)
    try encoder.encodeOutOfLine(headerHash, for: .headerHash)
    try encoder.encodeOutOfLine(arrays, for: .arrays)
  }

  /// Decodes a receipt.
  public init(from decoder: GDecoder) throws {
    token = try decoder.decodeOutOfLine(for: .token)
    part = try decoder.decodeOutOfLine(for: .part)
    partCount = try decoder.decodeOutOfLine(for: .partCount)
    name = try decoder.decodeOutOfLine(for: .name)
    byteCount = try decoder.decodeOutOfLine(for: .byteCount)
    headerHash = try decoder.decodeOutOfLine(for: .headerHash)
    arrays = try decoder.decodeOutOfLine(for: .arrays)
  }
}
