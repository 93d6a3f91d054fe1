import GraphCodable

/// Types with strings that are hashed, or are not; none is private, so that archives may name them.
enum HonestText {
  struct Document: GCodable, Equatable {
    private enum Key: String { case text, tags }
    let text: String
    let tags: Set<String>
    init(text: String, tags: Set<String>) { (self.text, self.tags) = (text, tags) }
    init(from decoder: GDecoder) throws {
      text = try decoder.decode(for: Key.text)
      tags = try decoder.decode(for: Key.tags)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(text, for: Key.text)
      try encoder.encode(tags, for: Key.tags)
    }
  }

  final class Page: GCodable, Hashable {
    private enum Key: String { case text }
    private let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: GDecoder) throws { text = try decoder.decode(for: Key.text) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(text, for: Key.text) }
    static func == (one: Page, other: Page) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  struct Library: GCodable, Equatable {
    private enum Key: String { case documents, names }
    let documents: [Page]
    let names: Set<String>
    init(documents: [Page], names: Set<String>) { (self.documents, self.names) = (documents, names) }
    init(from decoder: GDecoder) throws {
      documents = try decoder.decode(for: Key.documents)
      names = try decoder.decode(for: Key.names)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(documents, for: Key.documents)
      try encoder.encode(names, for: Key.names)
    }
  }

  struct Tag: RawRepresentable, GCodable, Equatable {
    let rawValue: String
  }

  struct BinaryTag: RawRepresentable, BinaryIOType, Equatable {
    let rawValue: String
  }

  struct CodableTag: RawRepresentable, Codable, Hashable {
    let rawValue: String
  }

  struct From: GCodable, Equatable {
    let range: PartialRangeFrom<String>
    init(range: PartialRangeFrom<String>) { self.range = range }
    init(from decoder: GDecoder) throws { range = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(range) }
    static func == (one: From, other: From) -> Bool { one.range.lowerBound == other.range.lowerBound }
  }

  struct Unit<Value: BinaryIOType & Equatable>: GBinaryCodable, Equatable {
    let value: Value
    init(value: Value) { self.value = value }
    init(from rbuffer: inout BinaryReadBuffer) throws { value = try Value(from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try value.write(to: &wbuffer) }
  }

  struct Label: Codable, Hashable {
    let text: String
  }

  struct CodableDocument: Codable, Equatable {
    let text: String
    let labels: Set<Label>
    let tags: Set<String>
  }
}
