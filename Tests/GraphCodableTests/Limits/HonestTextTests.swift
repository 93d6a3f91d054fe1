import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Strings with many combining marks, wherever a decoder hashes or compares them: what the encoder writes by default is read by
/// default, and what would not be read is not written.
@Suite("Text with many combining marks")
struct HonestTextTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Encodes a text in the form.
    let encode: @Sendable (String) throws -> Bytes
    /// Decodes it, and returns whether the text has come back.
    let decode: @Sendable (Bytes, String) throws -> Bool
    /// Whether decoders hash or compare it.
    var isBounded = true

    init<Value: GCodable & Equatable & SendableMetatype>(
      _ name: String, isBounded: Bool = true, _ value: @escaping @Sendable (String) -> Value
    ) {
      testDescription = name
      self.isBounded = isBounded
      encode = { try encoded(value($0)) }
      decode = { try decoded(Value.self, from: $0) == value($1) }
    }

    init<Value: Codable & Equatable & SendableMetatype>(
      codable name: String, isBounded: Bool = true, _ value: @escaping @Sendable (String) -> Value
    ) {
      testDescription = name
      self.isBounded = isBounded
      encode = { try GraphEncoder().encode(codable: value($0)) as Bytes }
      decode = { try GraphDecoder().decode(codable: Value.self, from: $0) == value($1) }
    }
  }

  /// A letter with marks in the worst order.
  static func marked(_ count: Int, _ start: String = "a") -> String {
    var text = String.UnicodeScalarView(start.unicodeScalars)
    for index in 0..<count { text.append(index % 2 == 0 ? "\u{315}" : "\u{300}") }
    return String(text)
  }

  static let forms: [Form] = [
    Form("a set") { Set([$0, "b"]) },
    Form("a set of optionals") { Set([$0, nil]) },
    Form("a set of arrays") { Set([[$0], ["b"]]) },
    Form("a set of sets") { Set([Set([$0])]) },
    Form("keys") { [$0: 1] },
    Form("values", isBounded: false) { [1: $0] },
    Form("an array", isBounded: false) { [$0, $0] },
    Form("a field", isBounded: false) { HonestText.Document(text: $0, tags: ["a"]) },
    Form("an object beside a set of strings", isBounded: false) {
      HonestText.Library(documents: [HonestText.Page($0)], names: ["a", "b"])
    },
    Form("a set of objects") { Set([HonestText.Page($0)]) },
    Form("raw values") { HonestText.Tag(rawValue: $0) },
    Form("a range") { ClosedRange(uncheckedBounds: ($0, $0)) },
    Form("a range without an end") { HonestText.From(range: $0...) },
    Form("a data unit with a set") { HonestText.Unit(value: Set([$0])) },
    Form("a data unit with keys") { HonestText.Unit(value: [$0: $0]) },
    Form("a data unit with a raw value") { HonestText.Unit(value: HonestText.BinaryTag(rawValue: $0)) },
    Form("a data unit with a range") { HonestText.Unit(value: $0..<($0 + "b")) },
    Form("a data unit", isBounded: false) { HonestText.Unit(value: [$0]) },
    Form("an attribute") { text in
      var string = AttributedString("text")
      string.alternateDescription = text
      return string
    },
    Form(codable: "a Codable set") { Set([$0, "b"]) },
    Form(codable: "a Codable set of records") { Set([HonestText.Label(text: $0)]) },
    Form(codable: "Codable keys") { [$0: 1] },
    Form(codable: "Codable keys that are raw values") { [HonestText.CodableTag(rawValue: $0): 1] },
    Form(codable: "a Codable raw value") { [HonestText.CodableTag(rawValue: $0)] },
    Form(codable: "Codable values", isBounded: false) { [1: $0] },
    Form(codable: "a Codable field beside a set", isBounded: false) {
      HonestText.CodableDocument(text: $0, labels: [HonestText.Label(text: "a")], tags: ["b"])
    },
  ]

  @Test(arguments: forms) func isWrittenAndRead(form: Form) throws {
    for count in [2, 256, 257, 300, 1_000, 4_096] {
      let text = Self.marked(count)
      #expect(try form.decode(form.encode(text), text), "\(count) marks")
    }
  }

  @Test(arguments: forms) func isNotWrittenIfItWouldNotBeRead(form: Form) throws {
    for count in [4_097, 30_000] {
      let text = Self.marked(count)
      if form.isBounded {
        let error = #expect(throws: GCodableError.self) { try form.encode(text) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.description.contains("encode it as Data") == true)
      } else {
        #expect(try form.decode(form.encode(text), text), "\(count) marks")
      }
    }
  }

  /// As many as people with bad taste would write.
  @Test func manyKeysMayHaveMarks() throws {
    let keys = Set((0..<3_000).map { Self.marked(300, "text \($0)") })
    #expect(try roundTrip(keys) == keys)
    let names = Set((0..<1_000).map { HonestText.Page(Self.marked(300, "text \($0)")) })
    #expect(try roundTrip(names) == names)
  }

  @Test func escapedMarksAreMarks() throws {
    let escapes = String(repeating: #"\u0315\u0300"#, count: 10_000)
    let bytes = try script { encoder in
      try encoder.encode("ab", for: StandardKey.text)
      try encoder.encode(
        [
          Script {
            try $0.encode(2, for: StandardKey.byteCount)
            try $0.encode(["NSAlternateDescription"], for: StandardKey.names)
            try $0.encode(["\"a\(escapes)\""], for: StandardKey.values)
          }
        ], for: StandardKey.runs)
    }
    let error = #expect(throws: GCodableError.self) { try decoded(AttributedString.self, from: bytes) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func namesOfKeysAreBounded() throws {
    #expect(throws: Never.self) { try script { try $0.encode(1, for: NameKey(rawValue: Self.marked(256))) } }
    let error = #expect(throws: GCodableError.self) {
      try script { try $0.encode(1, for: NameKey(rawValue: Self.marked(257))) }
    }
    #expect(error?.code == .limitExceeded)
    let encoder = GraphEncoder()
    encoder.metadata = [Self.marked(257): "a"]
    #expect(throws: GCodableError.self) { try encoder.encode(1) as Bytes }
  }

  @Test func identifiersAreBounded() throws {
    let long = Locale(identifier: "de_CH@" + String(repeating: "x=abcdefgh;", count: 60))
    #expect(try roundTrip(long) == long)
    #expect(try roundTrip([long], .disableIdentity) == [long])
    for identifier in [String(repeating: "x", count: 2_000), Self.marked(17)] {
      let error = #expect(throws: GCodableError.self) { try encoded(Locale(identifier: identifier)) }
      #expect(error?.code == .invalidValue)
    }
  }

  @Test func differencesWithOffsetsThatAreNotReadAreNotWritten() throws {
    for offset in [Int.max, Int.max / 2] {
      let change = CollectionDifference<Int>.Change.insert(offset: offset, element: 1, associatedWith: nil)
      let error = #expect(throws: GCodableError.self) { try encoded(change) }
      #expect(error?.code == .invalidValue)
    }
    let last = CollectionDifference<Int>.Change.insert(
      offset: Int.max / 2 - 1, element: 1, associatedWith: nil)
    #expect(try roundTrip(last) == last)
  }
}
