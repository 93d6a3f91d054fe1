import DocumentTestSupport
import Foundation
import GraphCodable
import Testing

/// The bytes that Documentation/Format.md spells out are those that the library writes and reads.
@Suite("Format.md: worked examples")
struct FormatExampleTests {
  static let integer = "Example: an integer"
  static let sharedObject = "Example: a shared object"
  static let bulkSegment = "Example: a bulk segment"
  static let series = "Example: a series"
  static let stream = "Example: a stream of messages"

  @Test func integerIsWrittenAndReadAsTheDocumentSays() throws {
    let bytes = try HexListing.inFormat(Self.integer).bytes
    #expect(try GraphEncoder().encode(-3) as Bytes == bytes)
    #expect(try GraphDecoder().decode(Int.self, from: bytes) == -3)
  }

  @Test func theFirstExampleStandsOnTheSecondPage() throws {
    let lines = try PackageFolder.text("Documentation/Format.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0 == "```hex" })
    #expect(first < 2 * 60)
  }

  /// Listings of bytes that others than the library have made.
  @Test(arguments: [
    ("Example: an open record", "open.gcodable"), ("Example: filters", "example-filters.gcodable"),
    ("Example: pieces", "series-with-shared-blocks.gcseries"),
    ("Example: differences", "series-with-differences.gcseries"),
  ])
  func listingsAreThoseOfTheCorpus(section: String, file: String) throws {
    let bytes = try Bytes(
      Data(contentsOf: PackageFolder.root.appendingPathComponent("Tests/Corpus/valid/\(file)")))
    let listings = try HexListing.all(inFormat: section)
    #expect(listings.count > 0)
    for listing in listings {
      #expect(bytes.count >= listing.start + listing.bytes.count)
      #expect(bytes.dropFirst(listing.start).prefix(listing.bytes.count).elementsEqual(listing.bytes))
    }
  }

  @Test func sharedObjectIsWrittenAsTheDocumentSays() throws {
    let pair = Pair(label: "pair", change: -3, weight: Weight(mass: 1.5))
    let encoded = try GraphEncoder().encode(pair) as Bytes
    #expect(encoded == (try HexListing.inFormat(Self.sharedObject).bytes))
  }

  @Test func sharedObjectIsReadAsTheDocumentSays() throws {
    let pair = try GraphDecoder().decode(Pair.self, from: HexListing.inFormat(Self.sharedObject).bytes)
    #expect(pair.label == "pair")
    #expect(pair.change == -3)
    #expect(pair.first.mass == 1.5)
    #expect(pair.first === pair.second)
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 9)])
  func compressionDoesNotTouchWhatIsEmbedded(compression: GraphEncoder.Compression) throws {
    let encoder = GraphEncoder()
    encoder.compression = compression
    let pair = Pair(label: "pair", change: -3, weight: Weight(mass: 1.5))
    let encoded = try encoder.encode(pair) as Bytes
    #expect(encoded == (try HexListing.inFormat(Self.sharedObject).bytes))
  }

  /// Another release of LZ4 may compress otherwise; then the listing is to be made anew.
  @Test func bulkSegmentIsWrittenAsTheDocumentSays() throws {
    let encoded = try GraphEncoder().encode([UInt8](repeating: 0, count: 16_384)) as Bytes
    #expect(encoded == (try HexListing.inFormat(Self.bulkSegment).bytes))
  }

  @Test func bulkSegmentIsReadAsTheDocumentSays() throws {
    let bytes = try HexListing.inFormat(Self.bulkSegment).bytes
    #expect(try GraphDecoder().decode([UInt8].self, from: bytes) == [UInt8](repeating: 0, count: 16_384))
  }

  @Test func uncompressedBulkSegmentIsAsTheDocumentSays() throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    let encoded = try encoder.encode([UInt8](repeating: 0, count: 16_384)) as Bytes
    #expect(encoded[0x45] == 0)
    #expect(encoded[0x68..<0x6C] == [0x00, 0x40, 0x00, 0x00])
    #expect(encoded[0x80..<(0x80 + 16_384)].allSatisfy { $0 == 0 })
  }

  private func withFile(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphcodable-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url)
  }

  @Test func seriesIsWrittenAsTheDocumentSays() throws {
    try withFile { url in
      let writer = try GraphArchiveSeries.Writer(url)
      try GraphEncoder().append(-3, to: writer, step: 10, time: 0.5, metadata: ["run": "a"])
      try #expect(Bytes(Data(contentsOf: url)) == HexListing.inFormat(Self.series).bytes)
    }
  }

  @Test func seriesIsReadAsTheDocumentSays() throws {
    try withFile { url in
      try Data(HexListing.inFormat(Self.series).bytes).write(to: url)
      let series = try GraphArchiveSeries(url)
      try GraphDecoder().verify(series)
      #expect(series.count == 1)
      let entry = try #require(series.last)
      #expect((entry.step, entry.time) == (10, 0.5))
      #expect(entry.metadata == ["run": "a"])
      try #expect(GraphDecoder().read(Int.self, from: entry) == -3)
    }
  }

  @Test func streamOfMessagesIsWrittenAsTheDocumentSays() throws {
    var options = GraphMessageWriter.Options()
    options.identifier = 1
    let writer = try GraphMessageWriter(options: options)
    try writer.write(Reading(step: 5, energy: 0.5))
    try writer.write(Reading(step: 6, energy: -2))
    try #expect(Bytes(writer.takeBytes()) == HexListing.inFormat(Self.stream).bytes)
  }

  @Test func streamOfMessagesIsReadAsTheDocumentSays() throws {
    let reader = try GraphMessageReader(HexListing.inFormat(Self.stream).bytes)
    try #expect(reader.next() == Reading(step: 5, energy: 0.5))
    try #expect(reader.next() == Reading(step: 6, energy: -2))
    try #expect(reader.next(Reading.self) == nil)
  }
}
