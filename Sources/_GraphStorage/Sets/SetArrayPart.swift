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
