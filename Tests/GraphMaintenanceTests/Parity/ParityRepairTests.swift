import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphRepair
@testable import _GraphStorage

/// What comes back of files that have parity.
@Suite("Repair") struct ParityRepairTests {
  private static let sector = ParityLayout.sectorByteCount

  private static func noise(_ count: Int, _ random: inout SplitMix64) -> Data {
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

  private static func lose(_ sector: Int, of data: inout Data, _ random: inout SplitMix64) {
    let range = (sector * Self.sector)..<min((sector + 1) * Self.sector, data.count)
    switch random.below(3) {
    case 0: data.replaceSubrange(range, with: Data(count: range.count))
    case 1: data.replaceSubrange(range, with: noise(range.count, &random))
    default: data[range.lowerBound + random.below(range.count)] ^= 1 << UInt8(random.below(8))
    }
  }

  /// Bursts of 1% and scattered losses of 0.1%, also both at once, and damaged parity.
  @Test func whatIsLostWithinTheBoundsComesBack() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 46)
    let url = folder.file("state.gcodable")
    var counts = (files: 0, losses: 0, sectors: 0)
    for size in [1, 4_096, 4_097, 60_000, 400_000, 1_040_000, 1_100_000, 3_000_000, 12_000_000] {
      let data = Self.noise(size, &random)
      try data.write(to: url)
      try GraphArchive.protect(url)
      let parity = try Data(contentsOf: ParityFile.url(for: url))
      counts.files += 1
      for trial
        in 0..<max(
          Effort.count("GRAPHCODABLE_LOSSES", usual: 54, thorough: 9_000) / 9 / (1 + size / 2_000_000), 1)
      {
        var damaged = data
        let sectors = (size + Self.sector - 1) / Self.sector
        if trial % 3 != 1 {
          let count = max(size / 100, 1)
          let start = random.below(size - count + 1)
          damaged.replaceSubrange(start..<(start + count), with: Data(count: count))
        }
        if trial % 3 != 0 {
          for _ in 0..<max(sectors / 1_000, 1) { Self.lose(random.below(sectors), of: &damaged, &random) }
        }
        try damaged.write(to: url)
        var lossy = parity
        if trial % 4 == 3, sectors > 10 {
          Self.lose(random.below(parity.count / Self.sector), of: &lossy, &random)
        }
        try lossy.write(to: ParityFile.url(for: url))
        let repair = try GraphArchive.repair(url)
        let comment = Comment(rawValue: "trial \(trial) of \(size) bytes: \(repair)")
        #expect(try Data(contentsOf: url) == data, comment)
        #expect(repair.restoredSectorCount == repair.lostSectorCount, comment)
        if repair.lostSectorCount > 0 {
          #expect(try Data(contentsOf: ParityFile.url(for: url)) == parity, comment)
        }
        counts.losses += 1
        counts.sectors += repair.lostSectorCount
      }
    }
    print("all of \(counts.losses) losses of \(counts.sectors) sectors in \(counts.files) files came back")
  }

  /// All of it, where the parity is as large.
  @Test func aFileThatIsCutOrEmptyComesBack() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 7)
    let (url, data) = (folder.file("state.gcodable"), Self.noise(50_000, &random))
    try data.write(to: url)
    try GraphArchive.protect(url, redundancy: .percent(100))
    for count in [0, 1, 4_096, 49_999] {
      try data.prefix(count).write(to: url)
      let new = folder.file("new.gcodable")
      let repair = try GraphArchive.repair(url, to: new)
      #expect(repair.isCut && !repair.isIntact)
      #expect(try Data(contentsOf: new) == data)
      #expect(try Data(contentsOf: url).count == count)
    }
  }

  @Test func whatIsIntactIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 8)
    let url = folder.file("state.gcodable")
    try Self.noise(50_000, &random).write(to: url)
    try GraphArchive.protect(url)
    let repair = try GraphArchive.repair(url, to: folder.file("new"))
    #expect(repair.isIntact && !repair.parityWasDamaged && repair.sectorCount == 13)
    #expect(!FileManager.default.fileExists(atPath: folder.file("new").path))
  }

  @Test func beyondTheBoundTheErrorSaysSoAndNothingChanges() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    let url = folder.file("state.gcodable")
    var data = Self.noise(1_000_000, &random)
    try data.write(to: url)
    try GraphArchive.protect(url)
    for sector in 20..<60 { Self.lose(sector, of: &data, &random) }
    try data.write(to: url)
    let error = #expect(throws: GCodableError.self) { try GraphArchive.repair(url) }
    #expect(error?.code == .damaged && error?.byteOffset == UInt64(20 * Self.sector))
    #expect("\(try #require(error))".contains("40 of 245 sectors"))
    #expect("\(try #require(error))".contains("recover what is intact"))
    #expect(try Data(contentsOf: url) == data)
    #expect(try GraphArchive.checkParity(url).lostSectorCount == 40)
  }

  /// Behind a link, `..` is the folder above the one that the link leads to.
  @Test func parityIsBesideTheFileThatAPathLeadsTo() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("far/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: "far/inner")
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    let url = URL(fileURLWithPath: folder.url.path + "/link/../state.gcodable")
    try encoder.write([1, 2, 3], to: url)
    #expect(FileManager.default.fileExists(atPath: folder.file("far/state.gcodable.gcparity").path))
    #expect(try GraphArchive.checkParity(url).isIntact)
  }

  @Test func withoutParityTheErrorSaysSo() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("state.gcodable")
    try Data(count: 10).write(to: url)
    #expect { try GraphArchive.repair(url) } throws: { ($0 as? GCodableError)?.code == .file }
    #expect { try GraphArchive.protect(url, redundancy: .none) } throws: {
      ($0 as? GCodableError)?.code == .invalidValue
    }
    try Data().write(to: url)
    #expect { try GraphArchive.protect(url) } throws: { ($0 as? GCodableError)?.code == .invalidValue }
    try Data(count: 10_000).write(to: url)
    try Data(count: 100_000).write(to: ParityFile.url(for: url))
    #expect { try GraphArchive.repair(url) } throws: { ($0 as? GCodableError)?.code == .damaged }
  }

  // MARK: Saving

  private static func model(_ number: Int) -> [String: [Double]] {
    ["a": (0..<40_000).map { Double($0 * (number + 3) % 1_009) }]
  }

  @Test func anEncoderWritesParityBesideArchives() throws {
    let folder = try TemporaryFolder()
    let (url, plain) = (folder.file("state.gcodable"), folder.file("plain.gcodable"))
    let encoder = GraphEncoder()
    encoder.compression = .none
    encoder.verifiesAfterWrite = true
    try encoder.write(Self.model(1), to: plain)
    #expect(!ParityFile.exists(for: plain))
    encoder.redundancy = .percent(2)
    try encoder.write(Self.model(1), to: url)
    let bytes = try Data(contentsOf: url)
    #expect(bytes == (try Data(contentsOf: plain)))
    var damaged = bytes
    damaged.replaceSubrange(0..<2_000, with: Data(count: 2_000))
    try damaged.write(to: url)
    #expect(try GraphArchive.repair(url).restoredSectorCount == 1)
    #expect(try Data(contentsOf: url) == bytes)
  }

  /// Parity of what a file held before must not bring that back.
  @Test func parityOfAnotherFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("state.gcodable")
    try GraphEncoder().write(Self.model(1), to: url)
    try GraphArchive.protect(url)
    try GraphEncoder().write(Self.model(2), to: url)
    var new = try Data(contentsOf: url)
    for isDamaged in [false, true] {
      if isDamaged { new[new.count / 2] ^= 1 }
      try new.write(to: url)
      let error = #expect(throws: GCodableError.self) { try GraphArchive.repair(url) }
      #expect(error?.code == .invalidValue)
      #expect(try Data(contentsOf: url) == new)
    }
  }

  @Test(arguments: [GraphArchiveSeries.Writer.Sharing.blocks, .none])
  func aSeriesHasParityForWhatIsAppended(_ sharing: GraphArchiveSeries.Writer.Sharing) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run.gcseries")
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    encoder.compression = .none
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      writer.sharing = sharing
      for step in 0..<4 { try encoder.append(Self.model(step), to: writer, step: step, time: 0) }
    }
    do {
      // Another writer, and bytes that an ended process has left.
      var bytes = try Data(contentsOf: url)
      bytes.append(Data(count: 70))
      try bytes.write(to: url)
      let writer = try GraphArchiveSeries.Writer(url)
      for step in 4..<60 { try encoder.append(Self.model(step), to: writer, step: step, time: 0) }
    }
    #expect(try GraphArchive.checkParity(url).isIntact)
    let parity = try ParityFile(OpenFile(reading: ParityFile.url(for: url)))
    #expect(parity.groups.count == 2)
    let bytes = try Data(contentsOf: url)
    #expect(parity.groups.last?.table.end == UInt64(bytes.count))
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var damaged = bytes
      Self.lose(random.below(bytes.count / Self.sector), of: &damaged, &random)
      Self.lose(random.below(bytes.count / Self.sector), of: &damaged, &random)
      try damaged.write(to: url)
      _ = try GraphArchive.repair(url)
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  /// A writer has cut off an entry that the parity knows: the entry that took its place is not undone.
  @Test func whatASeriesHasNowIsNotUndone() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run.gcseries")
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      try GraphEncoder().append(Self.model(1), to: writer, step: 1, time: 0)
    }
    let end = try Data(contentsOf: url).count
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      try GraphEncoder().append(Self.model(2), to: writer, step: 2, time: 0)
    }
    try GraphArchive.protect(url, redundancy: .percent(100))
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(end))
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      try GraphEncoder().append([1, 2, 3], to: writer, step: 2, time: 0)
    }
    let bytes = try Data(contentsOf: url)
    #expect(try GraphArchiveSeries(url).count == 2)
    #expect { try GraphArchive.repair(url) } throws: { ($0 as? GCodableError)?.code == .invalidValue }
    #expect(try Data(contentsOf: url) == bytes)
  }

  /// Otherwise what it appends meanwhile would be gone with the file that is replaced.
  @Test func aSeriesWithAWriterIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    try GraphEncoder().append(Self.model(1), to: writer, step: 1, time: 0)
    try GraphArchive.protect(url, redundancy: .percent(100))
    let whole = try Data(contentsOf: url)
    var damaged = whole
    damaged[100] ^= 1
    let file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: damaged)
    #expect { try GraphArchive.repair(url) } throws: { ($0 as? GCodableError)?.code == .locked }
    #expect(try Data(contentsOf: url) == damaged)
    let copy = folder.file("copy.gcseries")
    #expect(try GraphArchive.repair(url, to: copy).restoredSectorCount == 1)
    #expect(try Data(contentsOf: copy) == whole)
    withExtendedLifetime(writer) {}
  }

  /// Somebody else may have put it there, and what it leads to would be written over.
  @Test func parityIsNotWrittenThroughALink() throws {
    let folder = try TemporaryFolder()
    let (url, target) = (folder.file("run.gcseries"), folder.file("precious"))
    try Data("precious".utf8).write(to: target)
    try FileManager.default.createSymbolicLink(
      at: url.appendingPathExtension("gcparity"), withDestinationURL: target)
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    let writer = try GraphArchiveSeries.Writer(url)
    #expect { try encoder.append(Self.model(1), to: writer, step: 1, time: 0) } throws: {
      ($0 as? GCodableError)?.code == .file
    }
    #expect(try Data(contentsOf: target) == Data("precious".utf8))
  }

  /// A series of fewer entries is valid, but it is the same file: nothing that it has is changed.
  @Test func aSeriesThatIsCutBetweenEntriesComesBack() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run.gcseries")
    let encoder = GraphEncoder()
    encoder.compression = .none
    var ends: [Int] = []
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      for step in 0..<5 {
        try encoder.append(Self.model(step), to: writer, step: step, time: 0)
        ends.append(try Data(contentsOf: url).count)
      }
    }
    let bytes = try Data(contentsOf: url)
    for percent in [100.0, 2] {
      try GraphArchive.protect(url, redundancy: .percent(percent))
      for (index, end) in ends.enumerated() {
        try bytes.prefix(end).write(to: url)
        #expect(try GraphArchiveSeries(url).count == index + 1)
        if percent == 100 {
          _ = try GraphArchive.repair(url)
          #expect(try Data(contentsOf: url) == bytes)
        } else if index < 3 {
          let error = #expect(throws: GCodableError.self) { try GraphArchive.repair(url) }
          #expect(error?.code == .damaged)
          #expect("\(try #require(error))".contains("protect what is there again"))
          #expect(try Data(contentsOf: url).count == end)
        }
      }
      try bytes.write(to: url)
    }
  }

  /// Losses of parts and manifests of sets and of series, within the bounds.
  @Test func partsAndSeriesComeBack() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 12)
    let encoder = GraphEncoder()
    (encoder.redundancy, encoder.compression) = (.percent(2), .none)
    let (set, run) = (folder.file("state"), folder.file("run.gcseries"))
    let writer = try GraphArchiveSet.Writer(set)
    let receipts = try (0..<3).map { rank in
      try GraphArchiveSet.Writer(set, token: writer.token).part(rank, of: 3)
        .write(Self.model(rank), by: encoder)
    }
    try writer.commit(receipts, step: 1, time: 0)
    try GraphArchive.protect(set)
    do {
      let series = try GraphArchiveSeries.Writer(run)
      for step in 0..<12 { try encoder.append(Self.model(step), to: series, step: step, time: 0) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: set.path).sorted()
    let urls = names.filter { $0.hasSuffix(".gcodable") }.map(set.appendingPathComponent) + [run]
    #expect(urls.count == 5 && urls.allSatisfy(ParityFile.exists))
    let files = try urls.map { try Data(contentsOf: $0) }
    let trials = Effort.count("GRAPHCODABLE_LOSSES", usual: 25, thorough: 2_000)
    for trial in 0..<trials {
      let (url, bytes) = (urls[trial % urls.count], files[trial % urls.count])
      var damaged = bytes
      let count = max(bytes.count / 100, 1)
      let start = random.below(bytes.count - count + 1)
      damaged.replaceSubrange(start..<(start + count), with: Self.noise(count, &random))
      try damaged.write(to: url)
      let repair = try GraphArchive.repair(url)
      #expect(repair.restoredSectorCount == repair.lostSectorCount, "trial \(trial)")
      #expect(try Data(contentsOf: url) == bytes, "trial \(trial)")
    }
    try GraphArchiveSet(set).verify()
    print("all of \(trials) losses of parts, manifests and series came back")
  }

  @Test func foldersAndSetsHaveParityForEachFile() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run")
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    let writer = try GraphArchiveSeries.Writer(folder: url)
    for step in 0..<3 { try encoder.append(Self.model(step), to: writer, step: step, time: 0) }
    #expect(try GraphArchiveSeries(folder: url).count == 3)
    let entry = url.appendingPathComponent("entry-000000000001.gcodable")
    let bytes = try Data(contentsOf: entry)
    try Data(bytes.dropLast(100)).write(to: entry)
    _ = try GraphArchive.repair(entry)
    #expect(try Data(contentsOf: entry) == bytes)
    try writer.retain { $0.number == 2 }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    #expect(names.filter { $0.hasSuffix(".gcparity") } == ["entry-000000000002.gcodable.gcparity"])
    #expect(try GraphArchive.protect(url, redundancy: .percent(5)) > 0)
    #expect(try GraphArchive.checkParity(url.appendingPathComponent("index.gcodable")).isIntact)
  }
}
