import GraphCodable

/// A string that stands in the graph stream where many of them are in an array, since each is a record.
public struct Label: RawRepresentable, GCodable, Codable, Equatable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ text: String) { rawValue = text }
}
