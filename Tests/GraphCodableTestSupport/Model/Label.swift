import GraphCodable

/// A string that stands in the graph stream where many of them are in an array, since each is a record.
public struct Label: RawRepresentable, GCodable, Codable, Equatable {
  /// The string.
  public var rawValue: String

  /// A label of a string.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A label of a string.
  public init(_ text: String) { rawValue = text }
}
