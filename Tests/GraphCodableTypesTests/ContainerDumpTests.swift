import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Containers of packable elements are shown as one data unit, whatever their kind in the bytes.
@Suite("Dump of containers")
struct ContainerDumpTests {
  private func line(_ value: some GEncodable) throws -> String {
    let lines = try GraphEncoder().dump(value).split(separator: "\n").map(String.init)
    return try #require(lines.dropFirst().first)
  }

  @Test func packedContainersAreOneUnit() throws {
    #expect(try line([1.5, 2]) == "- BIV [1.5, 2.0]")
    #expect(try line([7] as Set) == "- BIV [7]")
    #expect(try line([7: 1.5]) == "- BIV [7: 1.5]")
    #expect(try line([] as Set<Int8>) == "- BIV []")
    #expect(try line([Decimal(7)] as Set).hasPrefix("- BIV "))
    #expect(try line(1.5..<2).hasPrefix("- BIV "))
    #expect(try line(7 as Int?) == "- BIV 7")
    #expect(try line(Set(0..<1000)).hasSuffix("…"))
  }

  @Test func otherContainersAreNot() throws {
    #expect(try line(["a"]) == "- VAL")
    #expect(try line(["a"] as Set) == "- VAL")
    #expect(try line(["a": 1]) == "- VAL")
  }

  @Test func sizesAreShownWithoutReadable() throws {
    #expect(try GraphEncoder().dump([7] as Set, options: .showBody).contains("BIV { 2 bytes }"))
  }

  @Test func keysAreEscaped() throws {
    #expect(try GraphEncoder().dump(StrangeKey()).contains(#"+ "a\"\n": BIV 1"#))
  }

  @Test func optionalsWithAnIdentityAreShownWithTheirValues() throws {
    let dump = try GraphEncoder(.tryHashableIdentityAtFirst).dump([7, nil, 7] as [Int?])
    #expect(dump.contains("- VAL0001\n\t- BIV0002 7\n\t- NIL\n\t- PTS0002\n.\n"))
  }

  #if !(os(macOS) && arch(x86_64))
    @Test func halvesAreNumbers() throws {
      #expect(try line(1.5 as Float16) == "- BIV 1.5")
      #expect(try line([1.5, -2] as [Float16]) == "- BIV [1.5, -2.0]")
      #expect(try line([1.5] as Set<Float16>) == "- BIV [1.5]")
    }
  #endif

  @Test func unknownFormatsAreMalformed() throws {
    let forgery = try Forgery(encoded(SIMD2<Double>(1, 2)))
    var stream = forgery.stream
    // A varint of one byte.
    let byte = UInt8(PackedFormat(.float64, lanes: 2).rawValue) << 1 | 1
    let format = try #require(stream.firstIndex(of: byte))
    stream[format] = 0x1F << 1 | 1
    let archive = forgery.archive(stream)
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().dump(from: archive) }
    #expect(error?.code == .malformed)
  }

  @Test func datesThatCannotBePrintedAreShown() throws {
    for seconds in [Double.nan, .infinity, 1e300, -1e300] {
      #expect(try line(Date(timeIntervalSinceReferenceDate: seconds)) == "- BIV \(seconds) s")
    }
  }
}

private struct StrangeKey: GEncodable {
  private enum Key: String { case strange = "a\"\n" }

  func encode(to encoder: GEncoder) throws { try encoder.encode(1, for: Key.strange) }
}
