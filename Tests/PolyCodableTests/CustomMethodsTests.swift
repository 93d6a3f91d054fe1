import Foundation
import PolyCodable
import Testing

/// The methods of a discriminator are what decodes, each for its kind of place.
@Suite("PolyCodable: methods of discriminators")
struct CustomMethodsTests {
  /// Says in each instance which method has made it.
  enum NoteType: String, PolymorphicDiscriminator {
    case note

    func from<PC: PolyCodable>(_ data: Data, jsonDecoder decoder: JSONDecoder) throws -> PC {
      try marked(decoder.decode(Note.self, from: data), "from")
    }

    func decode<PC: PolyCodable, Key: CodingKey>(
      from container: KeyedDecodingContainer<Key>, forKey key: Key
    ) throws -> PC {
      #expect(try container.contains(key) && !container.decodeNil(forKey: key))
      let text = try container.nestedContainer(keyedBy: Note.Key.self, forKey: key).decode(
        String.self, forKey: .text)
      return try marked(container.decode(Note.self, forKey: key), "decode \(text)")
    }

    func decodeNext<PC: PolyCodable>(from container: inout any UnkeyedDecodingContainer) throws -> PC {
      #expect(container.count == 1 && container.currentIndex == 0 && !container.isAtEnd)
      #expect(try !container.decodeNil())
      let note = try container.decode(Note.self)
      #expect(container.isAtEnd && container.currentIndex == 1)
      #expect(throws: DecodingError.self) { try container.decode(Note.self) }
      return try marked(note, "decodeNext")
    }

    private func marked<PC>(_ note: Note, _ maker: String) throws -> PC {
      note.maker = maker
      return try #require(note as? PC)
    }
  }

  final class Note: DefaultKeyedPolymorphicClass<NoteType> {
    enum Key: CodingKey { case text }

    let text: String
    var maker: String?

    init(text: String) {
      self.text = text
      super.init(.note)
    }

    required init(from decoder: any Decoder) throws {
      text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .text)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(text, forKey: .text)
    }
  }

  private struct Holder: Codable { @Polymorphic var note: Note }

  @Test func eachPlaceHasItsMethod() throws {
    let note = Note(text: "a")
    let decoder = JSONDecoder()
    let naked = try decoder.decodePolymorphic(Note.self, from: JSONEncoder().encode(note))
    #expect(naked.maker == "from")
    let elements = try decoder.decodePolymorphic([Note?].self, from: JSONEncoder().encode([note]))
    #expect(elements[0]?.maker == "decodeNext")
    let held = try decoder.decode(Holder.self, from: JSONEncoder().encode(Holder(note: note)))
    #expect(held.note.maker == "decode a")
    let below = try decoder.decodePolymorphic([String: Note].self, from: JSONEncoder().encode(["k": note]))
    #expect(below["k"]?.maker == "decode a")
  }
}
