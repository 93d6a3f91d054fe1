import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Values at the edge of what their types can hold.
@Suite("Edges")
struct EdgeTests {
  @Test func runsMayEndInsideACharacter() throws {
    var accent = AttributedString("e")
    accent.link = URL(string: "https://example.org")
    var rest = AttributedString("\u{301}x")
    rest.languageIdentifier = "fr"
    accent.append(rest)
    var family = AttributedString("👩\u{200D}")
    family.link = URL(string: "https://example.org")
    family.append(AttributedString("👩\u{200D}👧"))
    for text in [accent, family] {
      #expect(try roundTrip(text) == text)
      #expect(try roundTrip(text).runs.count == 2)
      #expect(try Binary.read(AttributedString.self, Binary.bytes(text)).0 == text)
    }
  }

  @Test func setsMayHaveTheLastIndex() throws {
    for set in [IndexSet(integer: Int.max - 1), IndexSet(integersIn: 0..<Int.max), [3, Int.max - 1]] {
      #expect(try roundTrip(set) == set)
      #expect(try Binary.read(IndexSet.self, Binary.bytes(set)).0 == set)
    }
  }

  @Test func offsetsFromGMTKeepTheirSeconds() throws {
    for seconds in [0, 30, 12345, -12345, 12360, -12360, 64800] {
      let zone = try #require(TimeZone(secondsFromGMT: seconds))
      // Zones are equal where their identifiers are.
      #expect(try roundTrip(zone).secondsFromGMT() == seconds)
      #expect(try Binary.read(TimeZone.self, Binary.bytes(zone)).0.secondsFromGMT() == seconds)
    }
    let archive = try encoded(TimeZone(secondsFromGMT: 12360))
    #expect(archive.contains("GMT+0326".utf8))
    let calendar: Calendar = {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = TimeZone(secondsFromGMT: 12345) ?? .gmt
      return calendar
    }()
    #expect(try roundTrip(calendar).timeZone.secondsFromGMT() == 12345)
  }

  /// Foundation's own way back from a bitmap makes sets that end the process when somebody uses them.
  @Test(arguments: [1, 64, 256, 512]) func characterSetsOfAnyBitsCanBeUsed(scale: Int) throws {
    var set = CharacterSet()
    for number in 0..<0xD800 as Range<UInt32> where (Int(number) / 8 / scale) & 1 << (Int(number) % 8) != 0 {
      set.insert(try #require(Unicode.Scalar(number)))
    }
    for inverted in [false, true] {
      let set = inverted ? set.inverted : set
      let copy = try roundTrip(set)
      #expect(copy == set)
      #expect(copy.bitmapRepresentation == set.bitmapRepresentation)
      #expect(copy.contains("x") == set.contains("x"))
    }
  }

  @Test func surrogatesComeBackWithTheirNeighboursOrWithout() throws {
    for range in ["\u{D000}"..."\u{F000}", "\u{D7FF}"..."\u{E000}"] as [ClosedRange<Unicode.Scalar>] {
      let both = CharacterSet(charactersIn: range)
      for removed in ["", "\u{D7FF}", "\u{E000}", "\u{D7FF}\u{E000}"] {
        let set = both.subtracting(CharacterSet(charactersIn: removed))
        try #expect(roundTrip(set).bitmapRepresentation == set.bitmapRepresentation)
      }
    }
  }
}
