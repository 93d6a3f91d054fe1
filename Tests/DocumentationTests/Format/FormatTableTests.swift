import CGraphArchive
import DocumentTestSupport
import Foundation
import GraphCodable
import Testing

/// The tables of Documentation/Format.md say what the source says.
@Suite("Format.md: tables")
struct FormatTableTests {
  static let path = "Documentation/Format.md"

  /// Each table of a header says the version that stands behind its magic wherever the magic is, in examples and files.
  @Test func versionsOfHeadersAreThoseOfExamplesAndFiles() throws {
    var documented: [String: String] = [:]
    for part in PackageFolder.formatParts {
      let rows = try PackageFolder.text(part).matches(
        of: /\| 0 \| 8 bytes \| magic: `(\w+)` in ASCII \|\n\| 8 \| u16 \| format version[^|\d]*(\d+) \|/)
      for row in rows { documented[String(row.output.1)] = String(row.output.2) }
    }
    #expect(documented.keys.sorted() == ["gcodable", "gcparity", "gcseries", "gcshared", "gcstream"])
    let sections = try PackageFolder.formatParts.flatMap { try PackageFolder.document($0).sections }
    var texts = try sections.flatMap(\.blocks).filter { $0.language == "hex" }.map {
      try HexListing($0).bytes
    }
    let corpus = PackageFolder.root.appendingPathComponent("Tests/Corpus")
    for name in ["swift/protected/state.gcodable.gcparity", "valid/series-in-pieces.gcseries"] {
      texts.append(try Bytes(Data(contentsOf: corpus.appendingPathComponent(name))))
    }
    var found: [String: Set<String>] = [:]
    for bytes in texts {
      for place in bytes.indices.dropLast(9) {
        for magic in documented.keys where bytes[place...].starts(with: magic.utf8) {
          found[magic, default: []].insert("\(UInt16(bytes[place + 8]) | UInt16(bytes[place + 9]) << 8)")
        }
      }
    }
    #expect(found == documented.mapValues { [$0] })
  }

  @Test func kindsAreThoseOfTheSource() throws {
    let documented = try MarkdownTable(in: Self.path, headings: ["kind", "name"])
      .numbers("kind", with: "name")
    for byte in UInt8.min...UInt8.max {
      let name = GraphKind(rawValue: byte).description
      // A kind that is not known has its number for a name.
      #expect(documented[byte] == (name.hasPrefix("kind 0x") ? nil : name))
    }
  }

  @Test func scalarsAreThoseOfTheSource() throws {
    let table = try MarkdownTable(in: Self.path, headings: ["scalar", "name", "bytes"])
    let names = try table.numbers("scalar", with: "name")
    let sizes = try table.numbers("scalar", with: "bytes")
    #expect(names.count == PackedFormat.Scalar.allCases.count)
    for scalar in PackedFormat.Scalar.allCases {
      #expect(names[UInt8(scalar.rawValue)] == "\(scalar)")
      #expect(sizes[UInt8(scalar.rawValue)] == "\(scalar.byteCount)")
    }
  }

  @Test func lanesAreThoseOfTheSource() throws {
    let lanes = try MarkdownTable(in: Self.path, headings: ["lane code", "lanes"])
      .numbers("lane code", with: "lanes")
    #expect(lanes.count == 8)
    for code in 0..<8 as Range<UInt8> {
      #expect(lanes[code] == "\(PackedFormat(rawValue: UInt16(code) << 5 | 1).laneCount)")
    }
  }

  @Test func meaningsAreThoseOfTheSource() throws {
    let meanings = try MarkdownTable(in: Self.path, headings: ["meaning", "name"]).numbers(
      "meaning", with: "name")
    #expect(meanings.count == PackedFormat.Meaning.allCases.count)
    for meaning in PackedFormat.Meaning.allCases {
      #expect(meanings[UInt8(meaning.rawValue)] == "\(meaning)")
    }
  }

  @Test func packedFormatsOfTheTextAreThoseOfTheSource() {
    #expect(PackedFormat(.float64).rawValue == 0x0B)
    #expect(PackedFormat(.float32, lanes: 3).rawValue == 0x4A)
    #expect(PackedFormat(.float32, lanes: 3).byteCount == 12)
  }

  @Test func varintsAreThoseOfTheSource() throws {
    for row in try MarkdownTable(in: Self.path, headings: ["value", "bytes"]).rows {
      let value = try #require(row["value"].flatMap { UInt64($0) })
      #expect(row["bytes"] == Self.varint(value))
    }
  }

  @Test func zigzagIsThatOfTheSource() throws {
    for row in try MarkdownTable(in: Self.path, headings: ["value", "as unsigned", "bytes"]).rows {
      let value = try #require(row["value"].flatMap { Int64($0) })
      #expect(row["as unsigned"] == "\(gca_zigzag(value))")
      #expect(row["bytes"] == Self.varint(gca_zigzag(value)))
    }
  }

  @Test func codecsAreThoseOfTheSource() throws {
    let codecs = try MarkdownTable(in: Self.path, headings: ["codec", "stored bytes"])
      .numbers("codec", with: "stored bytes")
    #expect(
      Set(codecs.keys.map(UInt32.init)) == [
        GCA_CODEC_STORED.rawValue, GCA_CODEC_LZ4.rawValue, GCA_CODEC_NUMBERS.rawValue,
      ])
  }

  /// The bytes of a varint, as the document writes them.
  private static func varint(_ value: UInt64) -> String {
    var bytes = [UInt8](repeating: 0, count: 9)
    let count = bytes.withUnsafeMutableBufferPointer { gca_varint_write($0.baseAddress, value) }
    return bytes.prefix(Int(count)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined(separator: " ")
  }
}
