import _GraphCoding
import _GraphReading
import _GraphSupport

/// A reference to a value or object in another part of a set, which is decoded on demand.
///
///     let neighbour = GPartReference<Cell>(part: 3, path: "cells[17]")
///     let cell = try neighbour.value(in: set)
///
/// It is a number and a path, so a part can refer to one that another process is writing at the same time; nothing is read
/// until the value is requested. Each request decodes the value again, with everything that it leads to in its part: identity
/// is preserved within the result of one call.
public struct GPartReference<Value>: Hashable, Sendable {
  /// The number of the part, from 0.
  public let part: Int
  /// Where the value is in that part.
  public let path: GraphPath

  /// Makes a reference.
  public init(part: Int, path: GraphPath) { (self.part, self.path) = (part, path) }
}

extension GPartReference where Value: GDecodable {
  /// Decodes the value.
  ///
  /// - Parameters:
  ///   - set: the set.
  ///   - decoder: the settings.
  /// - Throws: as ``GraphArchiveSet/part(_:)`` and ``GraphArchive/decode(_:at:using:progress:)``.
  /// - Complexity: as ``GraphArchive/decode(_:at:using:progress:)``.
  @inlinable
  public func value(in set: GraphArchiveSet, using decoder: GraphDecoder = GraphDecoder()) throws -> Value {
    try set.part(part).decode(Value.self, at: path, using: decoder)
  }
}

extension GPartReference: GCodable {
  /// Encodes the number and the path.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(part, for: StandardKey.part)
    try encoder.encode("\(path)", for: StandardKey.path)
  }

  /// Decodes a reference.
  public init(from decoder: GDecoder) throws {
    part = try decoder.decode(for: StandardKey.part)
    let text: String = try decoder.decode(for: StandardKey.path)
    guard let path = GraphPath(text) else { throw GCodableError(.invalidPath, "\"\(text)\" is not a path") }
    self.path = path
  }
}

extension GPartReference: Codable {
  private enum CodingKeys: String, CodingKey { case part, path }

  /// Encodes the number and the path.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(part, forKey: .part)
    try container.encode("\(path)", forKey: .path)
  }

  /// Decodes a reference.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    part = try container.decode(Int.self, forKey: .part)
    let text = try container.decode(String.self, forKey: .path)
    guard let path = GraphPath(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .path, in: container, debugDescription: "\"\(text)\" is not a path")
    }
    self.path = path
  }
}
