import _GraphCoding
import _GraphReading

extension GraphArchiveSet {
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
