import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Strings")
struct StringTests {
  /// Compares as it is written: canonically equivalent strings are equal to `==`.
  private func check(_ strings: [String], _ location: SourceLocation = #_sourceLocation) throws {
    let copy = try roundTrip(strings)
    #expect(copy.count == strings.count, sourceLocation: location)
    for (copy, string) in zip(copy, strings) {
      guard !copy.utf8.elementsEqual(string.utf8) else { continue }
      Issue.record(
        "\(string.debugDescription) came back as \(copy.debugDescription)", sourceLocation: location)
    }
  }

  @Test func everyLengthAroundTheSmallFormComesBack() throws {
    for filler in ["a", "\0", "é", "漢", "🜁"] {
      try check((0..<40).map { String(repeating: filler, count: $0) })
      try check((0..<40).map { "x" + String(repeating: filler, count: $0) + "y" })
      for count in [14, 15, 16, 17] {
        // Alone at the end of a stream, where there is nothing behind it to read.
        let string = String(repeating: filler, count: count)
        try #expect(roundTrip(string).utf8.elementsEqual(string.utf8))
      }
    }
    try check([String(repeating: "long ", count: 100_000)])
  }

  @Test func everyScalarComesBack() throws {
    let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    #expect(scalars.count == 0x110000 - 0x800)
    var strings: [String] = []
    for start in stride(from: 0, to: scalars.count, by: 997) {
      var string = ""
      string.unicodeScalars.append(contentsOf: scalars[start..<min(start + 997, scalars.count)])
      strings.append(string)
    }
    strings += scalars.enumerated().filter { $0.offset % 61 == 0 }.map { String($0.element) }
    try check(strings)
  }

  @Test func equivalentStringsStayAsTheyWereWritten() throws {
    try check(["\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{212B}", "\u{C5}"])
    let copy = try roundTrip(["e\u{301}": 1])
    #expect(copy.keys.first?.unicodeScalars.count == 2)
  }

  @Test func nulAndControlCharactersStay() throws {
    try check(["\0", "a\0b", "\0\0\0", "\u{FEFF}bom", "\r\n", "\u{202E}", "\u{1F}\u{7F}\u{80}"])
  }

  @Test func substringsAndCharactersComeBack() throws {
    let text = "The quick brown fox"
    try #expect(roundTrip(text.dropFirst(4)) == "quick brown fox")
    let family: Character = "👨‍👩‍👧‍👦"
    try #expect(
      roundTrip([family, "a", "e\u{301}", "\r\n"] as [Character]) == [family, "a", "e\u{301}", "\r\n"])
    let bytes = try encoded("ab")
    let error = #expect(throws: GCodableError.self) { try decoded(Character.self, from: bytes) }
    #expect(error?.code == .invalidValue)
  }

  @Test func stringsBridgedFromFoundationComeBack() throws {
    let long = String(repeating: "é€𝄞", count: 20)
    let joined = [long, "tail"].joined(separator: "\0")
    try check([joined, String(joined.reversed()), String(joined.dropFirst(3)), joined.uppercased()])
  }
}
