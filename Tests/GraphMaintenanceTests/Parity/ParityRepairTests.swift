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
  /// Bursts of 1% and scattered losses of 0.1%, also both at once, and damaged parity.
  @Test func whatIsLostWithinTheBoundsComesBack() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 46)
    let url = folder.file("state.gcodable")
    var counts = (files: 0, losses: 0, sectors: 0)
    for size in [1, 4_096, 4_097, 60_000, 400_000, 1_040_000, 1_100_000, 3_000_000, 12_000_000] {
      let data = Lost.noise(size, &random)
      try data.write(to: url)
      try GraphArchive.protect(url)
      let parity = try Data(contentsOf: ParityFile.url(for: url))
      counts.files += 1
      for trial
        in 0..<max(
          Effort.count("GRAPHCODABLE_LOSSES", usual: 54, thorough: 9_000) / 9 / (1 + size / 2_000_000), 1)
      {
        var damaged = data
        let sectors = (size + Lost.sector - 1) / Lost.sector
        if trial % 3 != 1 {
          let count = max(size / 100, 1)
          let start = random.below(size - count + 1)
          damaged.replaceSubrange(start..<(start + count), with: Data(count: count))
        }
        if trial % 3 != 0 {
          for _ in 0..<max(sectors / 1_000, 1) { Lost.lose(random.below(sectors), of: &damaged, &random) }
        }
        try damaged.write(to: url)
        var lossy = parity
        if trial % 4 == 3, sectors > 10 {
          Lost.lose(random.below(parity.count / Lost.sector), of: &lossy, &random)
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
    let (url, data) = (folder.file("state.gcodable"), Lost.noise(50_000, &random))
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
    try Lost.noise(50_000, &random).write(to: url)
    try GraphArchive.protect(url)
    let repair = try GraphArchive.repair(url, to: folder.file("new"))
    #expect(repair.isIntact && !repair.parityWasDamaged && repair.sectorCount == 13)
    #expect(!FileManager.default.fileExists(atPath: folder.file("new").path))
  }

  @Test func beyondTheBoundTheErrorSaysSoAndNothingChanges() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    let url = folder.file("state.gcodable")
    var data = Lost.noise(1_000_000, &random)
    try data.write(to: url)
    try GraphArchive.protect(url)
    for sector in 20..<60 { Lost.lose(sector, of: &data, &random) }
    try data.write(to: url)
    let error = #expect(throws: GCodableError.self) { try GraphArchive.repair(url) }
    #expect(error?.code == .damaged && error?.byteOffset == UInt64(20 * Lost.sector))
    #expect("\(try #require(error))".contains("40 of 245 sectors"))
    #expect("\(try #require(error))".contains("recover what is intact"))
    #expect(try Data(contentsOf: url) == data)
    #expect(try GraphArchive.checkParity(url).lostSectorCount == 40)
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
}
