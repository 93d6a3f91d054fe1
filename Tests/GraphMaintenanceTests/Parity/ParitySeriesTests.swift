import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphRepair
@testable import _GraphStorage

/// The parity of series, folders and sets.
@Suite("Parity of series, folders and sets") struct ParitySeriesTests {
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
      for step in 0..<4 { try encoder.append(Lost.model(step), to: writer, step: step, time: 0) }
    }
    do {
      // Another writer, and bytes that an ended process has left.
      var bytes = try Data(contentsOf: url)
      bytes.append(Data(count: 70))
      try bytes.write(to: url)
      let writer = try GraphArchiveSeries.Writer(url)
      for step in 4..<60 { try encoder.append(Lost.model(step), to: writer, step: step, time: 0) }
    }
    #expect(try GraphArchive.checkParity(url).isIntact)
    let parity = try ParityFile(OpenFile(reading: ParityFile.url(for: url)))
    #expect(parity.groups.count == 2)
    let bytes = try Data(contentsOf: url)
    #expect(parity.groups.last?.table.end == UInt64(bytes.count))
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var damaged = bytes
      Lost.lose(random.below(bytes.count / Lost.sector), of: &damaged, &random)
      Lost.lose(random.below(bytes.count / Lost.sector), of: &damaged, &random)
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
      try GraphEncoder().append(Lost.model(1), to: writer, step: 1, time: 0)
    }
    let end = try Data(contentsOf: url).count
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      try GraphEncoder().append(Lost.model(2), to: writer, step: 2, time: 0)
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
    try GraphEncoder().append(Lost.model(1), to: writer, step: 1, time: 0)
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
        try encoder.append(Lost.model(step), to: writer, step: step, time: 0)
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

  /// Without its last record, a series is valid and has an entry less; but nothing that is valid would be changed.
  @Test(arguments: [GraphArchiveSeries.Writer.Sharing.blocks, .none])
  func aSeriesWhoseLastRecordIsDamagedComesBack(_ sharing: GraphArchiveSeries.Writer.Sharing) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("run.gcseries")
    let encoder = GraphEncoder()
    encoder.compression = .none
    var ends: [Int] = []
    do {
      let writer = try GraphArchiveSeries.Writer(url)
      writer.sharing = sharing
      for step in 0..<4 {
        try encoder.append(Lost.model(step), to: writer, step: step, time: 0)
        ends.append(try Data(contentsOf: url).count)
      }
    }
    try GraphArchive.protect(url)
    let bytes = try Data(contentsOf: url)
    let last = bytes.count
    for (range, isShorter) in [
      (last - 1..<last, true), (last - 128..<last, true), (last - 4_096..<last, true),
      (ends[2]..<ends[2] + 40, false), (ends[2] - 1..<ends[2], false), (0..<64, false),
    ] {
      for fill in [0 as UInt8, 0x5A] {
        var damaged = bytes
        for place in range { damaged[place] = fill == 0 ? 0 : damaged[place] ^ fill }
        try damaged.write(to: url)
        if isShorter { #expect(try GraphArchiveSeries(url).count == 3) }
        let repair = try GraphArchive.repair(url)
        #expect(repair.restoredSectorCount == repair.lostSectorCount && !repair.isIntact)
        #expect(try Data(contentsOf: url) == bytes)
      }
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
        .write(Lost.model(rank), by: encoder)
    }
    try writer.commit(receipts, step: 1, time: 0)
    try GraphArchive.protect(set)
    do {
      let series = try GraphArchiveSeries.Writer(run)
      for step in 0..<12 { try encoder.append(Lost.model(step), to: series, step: step, time: 0) }
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
      damaged.replaceSubrange(start..<(start + count), with: Lost.noise(count, &random))
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
    for step in 0..<3 { try encoder.append(Lost.model(step), to: writer, step: step, time: 0) }
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
