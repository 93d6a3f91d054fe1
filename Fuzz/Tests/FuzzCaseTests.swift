import Foundation
import GraphCodable
import Testing

/// What fuzzing found once stays mended, and its targets stay able to find more.
@Suite("Fuzz cases")
struct FuzzCaseTests {
  /// Kept inputs: one file each, in a folder for each target.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Cases")

  @Test(arguments: FuzzTarget.all.map(\.name)) func keptInputsAreReadOrRefused(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folder = Self.folder.appendingPathComponent(name)
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    for file in files {
      // A crash ends the process; this says in which input.
      let input = Bytes(try Data(contentsOf: file))
      do { try target.run(input) } catch { Issue.record("\(file.lastPathComponent): \(error)") }
    }
  }

  /// Inputs of another version are refused at once, and test nothing.
  @Test func keptInputsAreOfThisVersion() throws {
    let version = try Bytes(GraphEncoder().encode(1) as Data)[8..<10]
    let files = try #require(FileManager.default.enumerator(atPath: Self.folder.path))
    var count = 0
    for case let name as String in files {
      let url = Self.folder.appendingPathComponent(name)
      guard let input = try? Bytes(Data(contentsOf: url)),
        ["gcodable", "gcseries"].contains(where: { input.starts(with: Array($0.utf8)) })
      else { continue }
      #expect(input[8..<10] == version, "\(name)")
      count += 1
    }
    #expect(count > 10)
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func seedsAreValid(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for seed in seeds { try target.run(seed) }
    guard target.form == .archive else { return }
    for seed in seeds { #expect(throws: Never.self) { try GraphArchive(seed) } }
  }

  @Test func mutantsMatchTheirChecksums() throws {
    let seeds = try FuzzTarget.graph.seeds()
    var damaged = 0
    var others = 0
    for (number, seed) in seeds.enumerated() {
      for round in 0..<20 {
        var mutator = ArchiveMutator(seed: UInt64(number * 20 + round), maximumCount: 8_192) { bytes, _ in
          guard !bytes.isEmpty else { return }
          bytes[(number + round) % bytes.count] ^= UInt8(1 + round)
        }
        guard let mutant = mutator.next(seed), mutant != seed else { continue }
        others += 1
        do { try GraphArchive(mutant).verify() } catch let error as GCodableError {
          if error.code == .damaged || error.code == .wrongSize { damaged += 1 }
        }
      }
    }
    #expect(others > seeds.count * 10)
    // Where a block is said to be elsewhere, or as long as another, its bytes are not those of its checksum.
    #expect(damaged < others / 10)
  }

  @Test func mutantsOfSeriesHaveEntries() throws {
    let seed = try #require(try FuzzTarget.series.seeds().last)
    var others = 0
    for number in 0..<100 as Range<UInt64> {
      var mutator = SeriesMutator(seed: number, maximumCount: 16_384) { bytes, _ in bytes.append(7) }
      guard let mutant = mutator.next(seed), mutant != seed else { continue }
      others += 1
      try FuzzTarget.series.run(mutant)
    }
    #expect(others > 50)
  }
}
