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

/// Entries that refer to blocks of earlier ones read the same in every way.
@Suite("Series: sharing")
struct SeriesSharingTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  private static let compressions: [GraphEncoder.Compression] = [.none, .lz4, .lz4hc(level: 9), .small]

  private func encoder(_ compression: GraphEncoder.Compression = .lz4, threads: Int = 3) -> GraphEncoder {
    let encoder = GraphEncoder()
    (encoder.compression, encoder.threadCount) = (compression, threads)
    return encoder
  }

  /// Checks that an entry is the archive that `encode` makes, by all ways to read it.
  private func check(
    _ entry: GraphArchiveSeries.Entry, _ frame: SharedFrame, _ encoder: GraphEncoder
  ) throws {
    let expected = try encoder.encode(frame) as Data
    try #expect(entry.archive() == expected)
    #expect(entry.byteCount == expected.count)
    try #expect(GraphDecoder().read(SharedFrame.self, from: entry) == frame)
    try GraphDecoder().verify(entry)
    let archive = try GraphArchive(entry)
    try #expect(archive.info == GraphArchive(expected).info)
    try #expect(archive.dump() == GraphArchive(expected).dump())
    try #expect(archive.decode([Double].self, at: ["moving", .range(5..<9)]) == Array(frame.moving[5..<9]))
    try #expect(archive.damage().isEmpty)
  }

  @Test(arguments: compressions) func whatDidNotChangeIsStoredOnce(compression: GraphEncoder.Compression)
    throws
  {
    let encoder = encoder(compression)
    let writer = try GraphArchiveSeries.Writer(url)
    let frames = (0..<4).map { SharedFrame($0) }
    for (step, frame) in frames.enumerated() { try encoder.append(frame, to: writer, step: step, time: 0) }
    let series = try GraphArchiveSeries(url)
    for (entry, frame) in zip(series, frames) { try check(entry, frame, encoder) }
    try GraphDecoder().verify(series)
    let moving = try encoder.encode(frames[0].moving) as Data
    for entry in series.dropFirst() {
      #expect(entry.storedByteCount < moving.count + 2_000)
      #expect(entry.byteCount > 3 * entry.storedByteCount)
    }
    // Nothing of a frame that is there already is stored but its tables.
    try encoder.append(frames[2], to: writer, step: 4, time: 0)
    let last = try #require(writer.series.last)
    #expect(last.storedByteCount < 1_500)
    try check(last, frames[2], encoder)
  }

  /// Their blocks have another size than those that LZ4 has where the numbers change.
  @Test func rowsOfSmallNumbersAreStoredOnce() throws {
    let encoder = encoder(.small)
    var random = SplitMix64(seed: 3)
    let walk = (0..<12).map { _ in (0..<50_000).map { Int64($0 / 3) + Int64(random.below(5)) } }
    let repeated = (0..<1_000).map { _ in Int64(truncatingIfNeeded: random.next()) }
    // The same first rows, by which an array is found again.
    let other = walk.prefix(3) + (3..<12).map { row in (0..<50_000).map { repeated[($0 + row) % 1_000] } }
    let writer = try GraphArchiveSeries.Writer(url)
    let entries = [walk, walk, walk, Array(other), Array(other), walk]
    for (step, rows) in entries.enumerated() { try encoder.append(rows, to: writer, step: step, time: 0) }
    for (entry, rows) in zip(try GraphArchiveSeries(url), entries) {
      try #expect(entry.archive() == encoder.encode(rows) as Data)
      try #expect(GraphDecoder().read([[Int64]].self, from: entry) == rows)
      let segment = try #require(GraphArchive(entry).info.segments.first { $0.kind == .bulk })
      #expect(segment.blockByteCount == (rows == walk ? 2_000_000 : 800_000))
      #expect((segment.numbersBlockCount > 0) == (rows == walk))
    }
    let sizes = writer.series.map(\.storedByteCount)
    #expect([1, 2, 4, 5].allSatisfy { sizes[$0] < 1_500 } && sizes[3] > 10_000)
    try GraphDecoder().verify(writer.series)
  }

  @Test func bytesDoNotDependOnTheNumberOfThreads() throws {
    var files: [[UInt8]] = []
    for threads in [1, 4] {
      try? FileManager.default.removeItem(at: url)
      let writer = try GraphArchiveSeries.Writer(url)
      for step in [0, 1, 1, 0] {
        try encoder(threads: threads).append(SharedFrame(step), to: writer, step: step, time: 0)
      }
      files.append(try place.bytes())
    }
    #expect(files[0] == files[1])
  }

  /// Each of the places of equal blocks is used once by an entry, so that no file holds more than it has bytes.
  @Test func equalBlocksOfAnArchiveArePlacesOfTheirOwn() throws {
    let model = [[UInt8]](repeating: [UInt8](repeating: 7, count: 300_000), count: 5).map { Data($0) }
    let writer = try GraphArchiveSeries.Writer(url)
    for count in [2, 5, 5] {
      try encoder(.none).append(Array(model.prefix(count)), to: writer, step: count, time: 0)
    }
    let sizes = writer.series.map(\.storedByteCount)
    #expect(sizes[0] > 600_000 && sizes[0] < 610_000)
    #expect(sizes[1] > 900_000 && sizes[1] < 910_000)
    #expect(sizes[2] < 2_000)
    for (entry, count) in zip(writer.series, [2, 5, 5]) {
      try #expect(GraphDecoder().read([Data].self, from: entry) == Array(model.prefix(count)))
      try GraphDecoder().verify(entry)
    }
  }

  @Test func withoutSharingEntriesAreWholeArchives() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    #expect(writer.sharing == .blocks)
    let frame = SharedFrame(0)
    let expected = try encoder().encode(frame) as [UInt8]
    for sharing in [GraphArchiveSeries.Writer.Sharing.none, .blocks, .none, .blocks] {
      writer.sharing = sharing
      try encoder().append(frame, to: writer, step: 0, time: 0)
      let entry = try #require(writer.series.last)
      try check(entry, frame, encoder())
      let stored = try place.bytes()[Int(entry.offset)...]
      #expect(stored.starts(with: expected) == (sharing == .none))
      #expect((entry.storedByteCount == entry.byteCount) == (sharing == .none))
    }
    // A whole archive has no fingerprints.
    #expect(writer.series[1].storedByteCount > expected.count)
    #expect(writer.series[3].storedByteCount < 1_500)
    try GraphDecoder().verify(writer.series)
  }

  @Test func smallArchivesAreStoredAsAWhole() throws {
    try place.append(0..<2)
    for entry in try GraphArchiveSeries(url) { #expect(entry.storedByteCount == entry.byteCount) }
  }

  @Test func aWriterFindsWhatOthersHaveStored() throws {
    for step in 0..<3 {
      try encoder().append(SharedFrame(step), to: GraphArchiveSeries.Writer(url), step: step, time: 0)
    }
    let series = try GraphArchiveSeries(url)
    for (step, entry) in series.enumerated() { try check(entry, SharedFrame(step), encoder()) }
    #expect(series[0].storedByteCount > 5 * series[2].storedByteCount)
  }

  @Test func otherOptionsStoreOtherBlocks() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    let frame = SharedFrame(0)
    for compression in Self.compressions + Self.compressions {
      try encoder(compression).append(frame, to: writer, step: 0, time: 0)
      try check(#require(writer.series.last), frame, encoder(compression))
    }
    let rounded = encoder()
    rounded.precision = .absolute(0.001)
    for _ in 0..<2 {
      try rounded.append(frame, to: writer, step: 0, time: 0)
      try #expect(writer.series.last?.archive() == rounded.encode(frame))
    }
    #expect(try #require(writer.series.last).storedByteCount < 2_000)
    try GraphDecoder().verify(writer.series)
  }

  @Test func aPartThatGrowsSharesWhatIsBeforeIt() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    // The graph stream has several blocks; the number of texts stands in the first.
    var texts = (0..<300_000).map { "text number \($0)" }
    for step in 0..<2 {
      try encoder().append(texts, to: writer, step: step, time: 0)
      try #expect(writer.series.last?.archive() == encoder().encode(texts))
      texts.append("one more")
    }
    let sizes = writer.series.map(\.storedByteCount)
    #expect(sizes[1] < sizes[0] / 2)
    try GraphDecoder().verify(writer.series)
  }

  @Test func damageInASharedBlockIsDamageOfEachEntryThatNeedsIt() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    for step in 0..<3 { try encoder(.none).append(SharedFrame(step), to: writer, step: step, time: 0) }
    var other = SharedFrame(3)
    other.fixed = [1]
    try encoder(.none).append(other, to: writer, step: 3, time: 0)
    let archive = try GraphArchive(writer.series[0])
    let segment = try #require(archive.contents.bulk.first { $0.segment.rawByteCount == 1_600_000 })
    let byte = segment.offset + UInt64(segment.segment.paddedHeaderByteCount) + 1_200_000
    let places = try writer.series.prefix(3).map { try #require(try $0.fileOffset(ofByte: byte)) }
    #expect(Set(places).count == 1)
    #expect(places[0] < writer.series[1].offset)
    var bytes = try place.bytes()
    bytes[Int(places[0])] ^= 1
    try place.setBytes(bytes)
    let series = try GraphArchiveSeries(url)
    for entry in series.prefix(3) {
      let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(entry) }
      #expect(error?.code == .damaged)
      let damage = try GraphArchive(entry).damage()
      #expect(damage.blocks.map(\.number) == [2])
      try #expect(
        GraphArchive(entry).decode([Float].self, at: "zeros") == [Float](repeating: 0, count: 600_000))
    }
    try GraphDecoder().verify(series[3])
    withExtendedLifetime(writer) {}
  }

  /// A writer that does not know the bytes by itself compares them.
  @Test func damagedBlocksAreStoredAnew() throws {
    try encoder(.none).append(SharedFrame(0), to: GraphArchiveSeries.Writer(url), step: 0, time: 0)
    let first = try #require(try GraphArchiveSeries(url).first)
    let archive = try GraphArchive(first)
    let segment = try #require(archive.contents.bulk.first { $0.segment.rawByteCount == 1_600_000 })
    let byte = segment.offset + UInt64(segment.segment.paddedHeaderByteCount) + 1_200_000
    let place = try #require(try first.fileOffset(ofByte: byte))
    var bytes = try self.place.bytes()
    bytes[Int(place)] ^= 1
    try self.place.setBytes(bytes)
    try encoder(.none).append(SharedFrame(9), to: GraphArchiveSeries.Writer(url), step: 9, time: 0)
    try check(#require(GraphArchiveSeries(url).last), SharedFrame(9), encoder(.none))
  }

  /// Fingerprints that say of a block that it is another one.
  @Test func fingerprintsOfOthersAreNotBelieved() throws {
    let frames = [SharedFrame(0), SharedFrame(1)]
    try encoder(.none).append(frames[0], to: GraphArchiveSeries.Writer(url), step: 0, time: 0)
    let entry = try #require(try GraphArchiveSeries(url).first)
    var forged = try #require(try entry.pieces()).table
    let moving = frames[1].moving.withUnsafeBytes { Fingerprint(sampling: $0) }
    forged.fingerprints = forged.fingerprints.map { _ in moving }
    try ForgedSeries.replaceTable(of: entry, with: forged.bytes, in: place)
    try GraphDecoder().verify(GraphArchiveSeries(url))
    try encoder(.none).append(frames[1], to: GraphArchiveSeries.Writer(url), step: 1, time: 0)
    try check(#require(GraphArchiveSeries(url).last), frames[1], encoder(.none))
  }

  @Test func whatWasReadLazilyIsNotStoredAgain() throws {
    struct Model: GCodable {
      var title: String
      var values: GLazy<[Double]>
      private enum Key: String { case title, values }
      init() { (title, values) = ("a", GLazy(SharedFrame.numbers(seed: 3, 300_000))) }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(title, for: Key.title)
        try encoder.encode(values, for: Key.values)
      }
      init(from decoder: GDecoder) throws {
        title = try decoder.decode(for: Key.title)
        values = try decoder.decode(for: Key.values)
      }
    }
    for sharing in [GraphArchiveSeries.Writer.Sharing.none, .blocks] {
      try? FileManager.default.removeItem(at: url)
      let writer = try GraphArchiveSeries.Writer(url)
      writer.sharing = sharing
      try encoder().append(Model(), to: writer, step: 0, time: 0)
      writer.sharing = .blocks
      for step in 1..<4 {
        // By another file that is open, too.
        let series = step == 2 ? try GraphArchiveSeries(url) : writer.series
        var model = try GraphDecoder().read(Model.self, from: #require(series.last))
        model.title = "step \(step)"
        try encoder().append(model, to: writer, step: step, time: 0)
        let entry = try #require(writer.series.last)
        #expect(entry.storedByteCount < 1_500)
        try GraphDecoder().verify(entry)
        var expected = Model()
        expected.title = "step \(step)"
        try #expect(entry.archive() == encoder().encode(expected))
      }
    }
  }

  @Test func elementsAreShownInPlaceWhateverStoredThem() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    var frame = SharedFrame(0)
    for step in 0..<2 { try encoder(.none).append(frame, to: writer, step: step, time: 0) }
    // One of the two blocks of an array is new: it does not lie in one piece.
    frame.fixed[199_999] = 2
    try encoder(.none).append(frame, to: writer, step: 2, time: 0)
    for (step, entry) in writer.series.enumerated() {
      let view = try GraphArchive(entry).array(Double.self, at: "fixed")
      #expect(view.isMappable)
      let last = try view.withMappedSpan { $0[$0.count - 1] }
      #expect(last == (step == 2 ? 2 : SharedFrame(0).fixed[199_999]))
    }
    try check(#require(writer.series.last), frame, encoder(.none))
  }

  @Test func entriesAppendedInTheBackgroundShare() async throws {
    let writer = try GraphArchiveSeries.Writer(url)
    var saving: [GraphEncoder.BackgroundWrite] = []
    for step in 0..<3 {
      saving.append(try encoder().appendInBackground(SharedFrame(step), to: writer, step: step, time: 0))
    }
    for write in saving { try await write.finish() }
    for (step, entry) in writer.series.enumerated() { try check(entry, SharedFrame(step), encoder()) }
    #expect(writer.series[0].storedByteCount > 5 * writer.series[2].storedByteCount)
  }

  /// Bytes written by a failed append are never referred to.
  @Test func afterAnErrorEntriesShareWithThoseThatAreThere() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    try encoder().append(SharedFrame(0), to: writer, step: 0, time: 0)
    let before = try place.bytes()
    let progress = CancellingProgress(totalUnitCount: 0)
    #expect(throws: CancellationError.self) {
      try encoder().append(SharedFrame(1), to: writer, step: 1, time: 0, progress: progress)
    }
    try #expect(place.bytes() == before)
    for step in 1..<3 {
      try encoder().append(SharedFrame(1), to: writer, step: step, time: 0)
      try check(#require(writer.series.last), SharedFrame(1), encoder())
    }
    #expect(writer.series[2].storedByteCount < 1_500)
  }
}

/// Is cancelled when a million bytes are written.
private final class CancellingProgress: Progress, @unchecked Sendable {
  override var completedUnitCount: Int64 {
    get { super.completedUnitCount }
    set {
      super.completedUnitCount = newValue
      if newValue > 1_000_000 { cancel() }
    }
  }
}
