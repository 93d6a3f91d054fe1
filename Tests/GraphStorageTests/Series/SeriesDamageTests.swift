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

/// What is left of a series when bytes of its file are changed or missing.
@Suite("Damaged series")
struct SeriesDamageTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  /// Where each entry ends.
  private func ends() throws -> [Int] {
    let series = try GraphArchiveSeries(url)
    return series.dropFirst().map { Int($0.offset) } + [try place.bytes().count]
  }

  private func recordOffset(_ index: Int) throws -> Int {
    let entry = try GraphArchiveSeries(url)[index]
    return Int(try #require(SeriesRecord.offset(behind: entry.offset, entry.storedByteCount)))
  }

  @Test func aFileThatIsCutAnywhereHasTheEntriesThatAreWhole() throws {
    try place.append(0..<4)
    let whole = try place.bytes()
    let ends = try ends()
    for count in stride(from: 0, through: whole.count, by: Effort.of(3, thorough: 1)) {
      try place.setBytes(whole.prefix(count))
      let expected = ends.count { $0 <= count }
      try #expect(place.numbers() == Array(0..<expected))
      let series = try GraphArchiveSeries(url)
      #expect(series.byteCount == UInt64(ends.last { $0 <= count } ?? 64))
      try GraphDecoder().verify(series)
      // The next one who appends removes the rest. Not after each cut, because it waits for the device.
      guard count % 8 == 0 || ends.contains(where: { abs($0 - count) < 3 }) else { continue }
      try place.append(expected..<4)
      try #expect(place.bytes() == whole)
    }
  }

  @Test func aByteThatWasChangedCostsOneEntryAtMostAndIsFound() throws {
    try place.append(0..<4)
    let whole = try place.bytes()
    let ends = try ends()
    let lastRecord = try recordOffset(3)
    for index in stride(from: 0, to: whole.count, by: Effort.of(3, thorough: 1)) {
      var bytes = whole
      bytes[index] ^= 0x10
      try place.setBytes(bytes)
      let series = try GraphArchiveSeries(url)
      let owner = index < SeriesHeader.byteCount ? nil : ends.firstIndex { index < $0 }
      for number in 0..<4 where number != owner {
        let entry = try #require(series.first { $0.number == number })
        try #expect(GraphDecoder().read([String].self, from: entry) == SeriesFolder.model(number))
        try GraphDecoder().verify(entry)
      }
      if index >= lastRecord {
        // As if it had not been finished.
        #expect(series.map(\.number) == [0, 1, 2])
        #expect(series.damage.isEmpty)
      } else {
        let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
        #expect(error?.code == .damaged)
        #expect(error?.byteOffset != nil)
      }
    }
  }

  @Test func appendingKeepsEntriesAfterDamage() throws {
    try place.append(0..<4)
    let whole = try place.bytes()
    let ends = try ends()
    let record = try recordOffset(1)
    // The header of entry 1; all of it; its record; all that is between entries 0 and 3.
    for range in [ends[0]..<(ends[0] + 8), ends[0]..<ends[1], record..<ends[1], ends[0]..<ends[2]] {
      for tail in [[], [UInt8](repeating: 0, count: 1000), [UInt8](repeating: 7, count: 1000)] {
        var bytes = whole
        bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        try place.setBytes(bytes + tail)
        try place.append(4..<5)
        try #expect(Array(place.bytes().prefix(whole.count)) == bytes)
        let series = try GraphArchiveSeries(url)
        #expect(series.map(\.number).filter { ![1, 2].contains($0) } == [0, 3, 4])
        for entry in series where ![1, 2].contains(entry.number) {
          try #expect(GraphDecoder().read([String].self, from: entry) == SeriesFolder.model(entry.number))
        }
      }
    }
  }

  /// The first bytes of an archive became zero, as if it were being written, and there is an unfinished entry at the end
  /// of the file: what is between them is sound.
  @Test func entriesThatDamageHidesAreFoundByVerifyAndByWriters() throws {
    try place.append(0..<5)
    let whole = try place.bytes()
    let start = try ends()[0]
    // Its header, and all of it with its record.
    for count in try [40, ends()[1] - start] {
      var bytes = whole
      bytes.replaceSubrange(start..<(start + count), with: repeatElement(0, count: count))
      for tail in [[UInt8](repeating: 0, count: 100), Array(whole[start..<(start + 300)])] {
        try place.setBytes(bytes + tail)
        let listed = try GraphArchiveSeries(url)
        #expect(listed.map(\.number) == [0])
        let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(listed) }
        #expect(error?.code == .damaged)
        let writer = try GraphArchiveSeries.Writer(url)
        // What its record says is known, if that is there.
        let found = count == 40 ? [0, 1, 2, 3, 4] : [0, 2, 3, 4]
        #expect(writer.series.map(\.number) == found)
        #expect(writer.series.damage.map(\.byteOffset) == (count == 40 ? [] : [UInt64(start)]))
        let thorough = try GraphArchiveSeries(url, isThorough: true)
        #expect(thorough.map(\.number) == found)
        #expect(thorough.damage.map(\.byteOffset) == writer.series.damage.map(\.byteOffset))
        // Opening changes nothing.
        try #expect(place.bytes() == bytes + tail)
        try place.append(5, to: writer)
        try #expect(GraphArchiveSeries(url).map(\.number) == found + [5])
        try #expect(Array(place.bytes().prefix(whole.count)) == bytes)
      }
    }
  }

  /// Whatever of the header was changed, the rest of it or the first archive behind it tells what the file is.
  @Test func aSeriesIsKnownWithoutItsHeader() throws {
    try place.append(0..<2)
    let whole = try place.bytes()
    for range in [0..<8, 0..<56, 8..<64, 0..<64] {
      var bytes = whole
      bytes.replaceSubrange(range, with: range.map { UInt8($0) })
      try place.setBytes(bytes)
      let series = try GraphArchiveSeries(url)
      #expect(series.map(\.number) == [0, 1])
      #expect(series.damage.map(\.code) == [.damaged])
      #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
      try place.append(2..<3)
      try #expect(GraphArchiveSeries(url).map(\.number) == [0, 1, 2])
    }
  }

  /// Entries have numbers of which there is a last one.
  @Test func noEntryFollowsTheLastNumber() throws {
    try place.append(0..<1)
    let scan = try SeriesScan(OpenFile(reading: url), byteCount: UInt64(place.bytes().count))
    var record = try #require(try scan.nextRecord(from: UInt64(SeriesHeader.byteCount))).record
    record.number = SeriesRecord.maximumNumber
    try place.setBytes(place.bytes().prefix(Int(record.offset)) + record.bytes())
    let before = try place.bytes()
    try #expect(GraphArchiveSeries(url).map(\.number) == [.max - 1])
    let error = #expect(throws: GCodableError.self) { try place.append(1..<2) }
    #expect(error?.code == .limitExceeded)
    try #expect(place.bytes() == before)
    record.number -= 1
    try place.setBytes(before.prefix(Int(record.offset)) + record.bytes())
    try place.append(1..<2)
    try #expect(GraphArchiveSeries(url).map(\.number) == [.max - 2, .max - 1])
  }

  @Test func damageSaysWhereItIs() throws {
    try place.append(0..<4)
    let ends = try ends()
    var bytes = try place.bytes()
    bytes[ends[1] - 1] ^= 1
    bytes[20] ^= 1
    try place.setBytes(bytes)
    let series = try GraphArchiveSeries(url)
    #expect(series.damage.map(\.code) == [.damaged, .damaged])
    #expect(series.damage.map(\.byteOffset) == [0, UInt64(ends[0])])
    #expect(series.map(\.number) == [0, 2, 3])
  }

  /// Bytes of another series inside an archive are not taken for entries when something is searched for.
  @Test func aSeriesInsideASnapshotIsNotTakenForEntries() throws {
    try place.append(0..<3)
    let inner = try place.bytes()
    try FileManager.default.removeItem(at: url)
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      let encoder = GraphEncoder()
      encoder.compression = .none
      writer.sharing = .none
      let padded = inner + [UInt8](repeating: 0, count: 20_000)
      for step in 0..<3 { try encoder.append(padded, to: writer, step: step, time: 0) }
    }
    let entry = try GraphArchiveSeries(url)[1]
    var bytes = try place.bytes()
    // Records inside stand at multiples of 64 of the file, too.
    let offset = try #require(bytes.firstRange(of: inner, from: Int(entry.offset)))
    #expect(offset % 64 == 0)
    bytes[Int(entry.offset) + 16] ^= 1
    try place.setBytes(bytes)
    try #expect(GraphArchiveSeries(url).map(\.step) == [0, 1, 2])
    bytes.removeSubrange((bytes.count - 128)...)
    bytes[Int(entry.offset + entry.storedByteCount) + 100] ^= 1
    try place.setBytes(bytes)
    try #expect(GraphArchiveSeries(url).map(\.step) == [0])
    try place.append(1..<2)
    try #expect(GraphArchiveSeries(url).map(\.step) == [0, 10])
  }

  @Test func entriesOfAnotherSeriesDoNotBelong() throws {
    try place.append(0..<2)
    let first = try place.bytes()
    let end = try ends()[0]
    try FileManager.default.removeItem(at: url)
    let writer = try GraphArchiveSeries.Writer(url)
    try GraphEncoder().append(
      SeriesFolder.model(0), to: writer, step: 1, time: 0, metadata: ["number": "0"])
    try GraphEncoder().append(1, to: writer, step: 1, time: 0)
    try place.setBytes(place.bytes().prefix(end) + first[end...])
    let series = try GraphArchiveSeries(url)
    #expect(series.count == 2)
    #expect(series.damage.map(\.code) == [.malformed])
    #expect(throws: GCodableError.self) { try GraphDecoder().verify(series) }
  }

  @Test func noBytesTrapOrHideWhatIsWhole() throws {
    try place.append(0..<6)
    let whole = try place.bytes()
    let ends = try ends()
    var random = SplitMix64(seed: 12)
    for _ in 0..<300 {
      var bytes = whole
      var touched: Set<Int> = []
      for _ in 0..<(1 + random.below(4)) {
        let start = SeriesHeader.byteCount + random.below(whole.count - SeriesHeader.byteCount)
        let end = min(whole.count, start + 1 + random.below([3, 100, 600][random.below(3)]))
        for index in start..<end {
          // Zeros, the same bytes as elsewhere, or anything.
          bytes[index] = [0, whole[(index &* 7) % whole.count], UInt8(random.below(256))][random.below(3)]
          guard bytes[index] != whole[index] else { continue }
          touched.insert(ends.firstIndex { index < $0 } ?? 0)
        }
      }
      try place.setBytes(bytes)
      let series = try GraphArchiveSeries(url)
      for number in 0..<6 where !touched.contains(number) {
        // The last ones may stand behind what looks like an entry that is being written. Writers look closer.
        guard let entry = series.first(where: { $0.number == number }) else {
          #expect(touched.contains(5))
          continue
        }
        try #expect(GraphDecoder().read([String].self, from: entry) == SeriesFolder.model(number))
      }
      try GraphEncoder().append("next", to: GraphArchiveSeries.Writer(url), step: -1, time: 0)
      let next = try GraphArchiveSeries(url)
      #expect(next.last?.step == -1)
      for number in 0..<6 where !touched.contains(number) {
        let entry = try #require(next.first { $0.number == number && $0.step != -1 })
        try #expect(GraphDecoder().read([String].self, from: entry) == SeriesFolder.model(number))
      }
    }
  }

  /// What looks like the beginning of a long record at each place where one may be costs no more than the file does.
  @Test func manyFalseRecordsAreAnError() throws {
    try place.append(0..<1)
    var bytes = try place.bytes()
    // Not zero, so that it is not taken for an entry that is not finished.
    bytes += [UInt8](repeating: 1, count: 64)
    for _ in 0..<20_000 {
      var builder = ByteBuilder(SeriesRecord.magic)
      builder.fixed(UInt32(1 << 20))
      builder.fixed(0 as UInt32)
      builder.fixed(UInt64(bytes.count))
      builder.pad(to: 64)
      bytes += builder.bytes
    }
    try place.setBytes(bytes)
    let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries(url) }
    #expect(error?.code == .malformed)
    #expect(throws: GCodableError.self) { try place.append(1..<2) }
    try #expect(place.bytes() == bytes)
  }

  /// Fields that the checksum is right for and the sense is not.
  @Test func forgedRecordsAreNoRecords() throws {
    try place.append(0..<2)
    let whole = try place.bytes()
    let start = try ends()[0]
    let scan = try SeriesScan(OpenFile(reading: url), byteCount: UInt64(whole.count))
    let stored = try scan.nextRecord(from: UInt64(start))
    let sound = try #require(stored)
    let changes: [(inout SeriesRecord) -> Void] = [
      { $0.offset += 64 }, { $0.archiveOffset -= 64 }, { $0.archiveOffset = 1 << 63 },
      { $0.storedByteCount = .max }, { $0.storedByteCount = 0 }, { $0.storedByteCount += 64 },
      { $0.archiveOffset = .max - 63 }, { $0.storedByteCount = UInt64(Int64.max) },
      { $0.archiveByteCount = 40 },
      { $0.archiveByteCount = 1 << 63 }, { $0.number = .max },
    ]
    for change in changes {
      var record = sound.record
      change(&record)
      try place.setBytes(whole.prefix(Int(sound.record.offset)) + record.bytes())
      try #expect(place.numbers() == [0])
    }
    try place.setBytes(whole.prefix(Int(sound.record.offset)) + sound.record.bytes())
    try #expect(place.numbers() == [0, 1])
  }

  /// Wherever the header of an archive says that its record is, also in what is appended later.
  @Test func aForgedSizeHidesNoEntry() throws {
    try place.append(0..<2)
    var bytes = try place.bytes()
    // So records are not found from the end.
    bytes[20] ^= 1
    for storedByteCount in stride(from: 65, to: bytes.count + 1_000, by: 64) {
      let header = SharedHeader(
        tableByteCount: 1, storedByteCount: UInt64(storedByteCount), archiveByteCount: 41, tableHash: 0,
        archiveHash: 0)
      bytes.replaceSubrange(
        SeriesHeader.byteCount..<(SeriesHeader.byteCount + header.bytes.count), with: header.bytes)
      try place.setBytes(bytes)
      try #expect(GraphArchiveSeries(url, isThorough: true).map(\.number) == [0, 1])
      try place.append(2..<3)
      for isThorough in [false, true] {
        try #expect(GraphArchiveSeries(url, isThorough: isThorough).map(\.number) == [0, 1, 2])
      }
      try #expect(place.bytes().starts(with: bytes))
    }
  }

  @Test func aForgedSizeTakesNoMemory() throws {
    try place.append(0..<2)
    let whole = try place.bytes()
    let scan = try SeriesScan(OpenFile(reading: url), byteCount: UInt64(whole.count))
    let last = try scan.record(endingAt: UInt64(whole.count))
    var record = try #require(last).record
    record.archiveByteCount = UInt64(Int64.max)
    try place.setBytes(whole.prefix(Int(record.offset)) + record.bytes())
    let entry = try #require(GraphArchiveSeries(url).last)
    #expect(entry.byteCount == UInt64(Int64.max))
    let error = #expect(throws: GCodableError.self) { try entry.archive() }
    #expect(error?.code == .damaged)
  }
}

extension [UInt8] {
  /// Where `other` begins.
  fileprivate func firstRange(of other: [UInt8], from start: Int) -> Int? {
    let range = Data(self).range(of: Data(other), in: start..<count)
    return range?.lowerBound
  }
}
