import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Lists of many entries are read from the copies of earlier records that some records have.
@Suite("Index of a series")
struct SeriesIndexTests {
  private let place: SeriesFolder
  private var url: URL { place.url }

  init() throws {
    place = try SeriesFolder()
    try place.append(0..<200)
  }

  private func records(_ series: GraphArchiveSeries) throws -> [SeriesRecord] {
    let scan = SeriesScan(series.file, byteCount: try series.file.byteCount())
    var (records, end): ([SeriesRecord], UInt64) = ([], 64)
    while let stored = try scan.nextRecord(from: end) {
      records.append(stored.record)
      end = stored.end
    }
    return records
  }

  @Test func everySixtyFourthRecordHasCopiesOfThoseBefore() throws {
    let records = try records(GraphArchiveSeries(url))
    #expect(records.count == 200)
    #expect(records.filter { !$0.index.isEmpty }.map(\.number) == [63, 127, 191])
    #expect(records[127].index == (64..<127).flatMap { (try? records[$0].bytes()) ?? [] })
  }

  @Test func copiesOfWhatIsNoRecordInFrontAreDamage() throws {
    // The first record has none in front of it, and behind a record with copies there are none, either.
    for number in [0, 64] {
      let bytes = try place.bytes()
      defer { try? place.setBytes(bytes) }
      var record = try records(GraphArchiveSeries(url))[number]
      record.index = [UInt8](repeating: 0, count: 64)
      try place.setBytes(bytes.prefix(Int(record.offset)) + record.bytes())
      let series = try GraphArchiveSeries(url)
      #expect(series.count == number + 1)
      #expect(series.damage.map(\.code) == [.malformed])
      #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
    }
  }

  @Test func theListIsThatOfAScan() throws {
    let listed = try GraphArchiveSeries(url)
    let scanned = try GraphArchiveSeries(listed.file, usesIndex: false)
    #expect(listed.damage.isEmpty && scanned.damage.isEmpty)
    #expect(listed.map(\.offset) == scanned.map(\.offset))
    #expect(listed.map(\.step) == scanned.map(\.step))
    #expect(listed.map(\.metadata) == scanned.map(\.metadata))
    #expect((listed.end, listed.tail.lastHash) == (scanned.end, scanned.tail.lastHash))
    try #expect(place.numbers() == Array(0..<200))
    try GraphDecoder().verify(listed)
  }

  @Test func recordsWithCopiesNeedNotBeRead() throws {
    let records = try records(GraphArchiveSeries(url))
    var bytes = try place.bytes()
    for record in records[64..<127] + records[3..<5] { bytes[Int(record.offset) + 70] ^= 1 }
    try place.setBytes(bytes)
    let series = try GraphArchiveSeries(url)
    #expect(series.map(\.number) == Array(0..<200))
    try #expect(GraphDecoder().read([String].self, from: series[100]) == SeriesFolder.model(100))
    // Verification checks them.
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
    #expect(error?.code == .damaged)
  }

  /// An unfinished entry at the end hides no copies: the next append removes it.
  @Test func copiesAreReadAfterAnUnfinishedEntry() throws {
    let records = try records(GraphArchiveSeries(url))
    var bytes = try place.bytes()
    for record in records[64..<127] { bytes[Int(record.offset) + 70] ^= 1 }
    try place.setBytes(bytes + [UInt8](repeating: 0, count: 100))
    for isThorough in [false, true] {
      try #expect(GraphArchiveSeries(url, isThorough: isThorough).map(\.number) == Array(0..<200))
    }
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(GraphArchiveSeries(url)) }
    #expect(error?.code == .damaged)
    try place.append(200..<201)
    try #expect(place.numbers() == Array(0..<201))
  }

  @Test func aRecordThatIsDamagedAndHasNoCopyIsMissing() throws {
    let records = try records(GraphArchiveSeries(url))
    var bytes = try place.bytes()
    bytes[Int(records[195].offset) + 70] ^= 1
    bytes[Int(records[10].offset) + 70] ^= 1
    try place.setBytes(bytes)
    let series = try GraphArchiveSeries(url)
    // Then every record is looked at.
    #expect(series.map(\.number) == Array(0..<200).filter { $0 != 195 && $0 != 10 })
    #expect(series.damage.count == 2)
  }

  @Test func copiesThatAreNoneAreNotBelieved() throws {
    let records = try records(GraphArchiveSeries(url))
    var bytes = try place.bytes()
    // The copies of another record, sealed: the chain of hashes does not lead through them.
    var forged = records[191]
    forged.index = records[127].index
    let new = try forged.bytes()
    bytes.replaceSubrange(Int(forged.offset)..<(Int(forged.offset) + new.count), with: new)
    try place.setBytes(bytes)
    let series = try GraphArchiveSeries(url)
    #expect(series.map(\.number) == Array(0..<200))
    #expect(!series.damage.isEmpty)
  }

  @Test func metadataThatLeavesNoRoomForCopiesIsStored() throws {
    let other = try SeriesFolder()
    let writer = try GraphArchiveSeries.Writer(other.url)
    let text = String(repeating: "m", count: 1_040_000)
    for number in 0..<66 {
      try GraphEncoder().append(
        number, to: writer, step: number, time: 0, metadata: number == 63 ? ["text": text] : [:])
    }
    let series = try GraphArchiveSeries(other.url)
    #expect(series.map(\.step) == Array(0..<66))
    #expect(series[63].metadata["text"] == text)
    try GraphDecoder().verify(series)
  }

  @Test func placesOfForgedRecordsThatCannotBeAreNone() throws {
    let other = try SeriesFolder()
    // Sealed, and alone in a file: an archive in front of the file, and copies at the end of all numbers.
    var record = SeriesRecord(
      offset: 64, archiveOffset: 0, storedByteCount: 41, archiveHash: 1, number: 1, previousHash: 1, step: 0,
      time: 0, archiveByteCount: 41,
      metadata: Metadata())
    try other.setBytes(SeriesHeader.bytes + record.bytes())
    try #expect(GraphArchiveSeries(other.url).isEmpty)
    let place = try records(GraphArchiveSeries(url))[191].offset
    for offset in [.max - 15, .max - 63, 1 << 63, place] as [UInt64] {
      record.offset = offset
      var forged = try records(GraphArchiveSeries(url))[191]
      forged.index = try record.bytes()
      var bytes = try self.place.bytes()
      bytes.removeSubrange(Int(place)...)
      try other.setBytes(bytes + forged.bytes())
      let series = try GraphArchiveSeries(other.url)
      #expect(series.map(\.number) == Array(0..<192))
      #expect(series.damage.count == 1)
    }
  }
}
