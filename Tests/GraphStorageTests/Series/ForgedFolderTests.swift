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

/// Each number of the index of a series in a folder is made one that arithmetic does not expect.
@Suite("Series in folders: forged numbers")
struct ForgedFolderTests {
  /// The fields of an index, as `Format.md` says.
  struct Index: GEncodable {
    var nextNumber: UInt64 = 2
    /// Lists of two numbers, of the entries 0 and 1.
    var lists: [String: [UInt64]] = [
      "numbers": [0, 1], "steps": [0, 10], "times": [0, 0], "byteCounts": [200, 200], "hashes": [1, 2],
      "pairCounts": [0, 1],
    ]

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(Int(bitPattern: UInt(nextNumber)), for: NameKey("nextNumber"))
      for (name, list) in lists {
        switch name {
        case "byteCounts", "hashes": try encoder.encode(list, for: NameKey(name))
        case "times": try encoder.encode(list.map(Double.init(bitPattern:)), for: NameKey(name))
        default: try encoder.encode(list.map { Int(bitPattern: UInt($0)) }, for: NameKey(name))
        }
      }
      try encoder.encode(["key", "value"], for: NameKey("texts"))
    }
  }

  @Test func anIndexThatSaysOtherThingsThanTheArchivesIsDamage() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("series")
    do {
      let writer = try GraphArchiveSeries.Writer(folder: url)
      for step in 0..<2 {
        try GraphEncoder().append(
          step, to: writer, step: step, time: -.nan, metadata: ["key": "value", "\u{301}": "x"])
      }
    }
    let sound = try #require(FolderIndex(of: url.path))
    try GraphDecoder().verify(GraphArchiveSeries(folder: url))
    let changes: [(inout FolderEntry) -> Void] = [
      { $0.step = 7 }, { $0.time = 7 }, { $0.metadata.set("key", "other") },
      { $0.metadata.set("new", "value") },
    ]
    for change in changes {
      var index = sound
      change(&index.entries[1])
      try index.write(to: url.path)
      let error = #expect(throws: GCodableError.self) {
        try GraphDecoder().verify(GraphArchiveSeries(folder: url))
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func numbersOfIndexes() async {
    await #expect(processExitsWith: .success) { try Self.forge() }
    #expect(Forgeries.last(in: "folders") == "done")
  }

  private static func forge() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("series")
    let copy = folder.file("copy")
    func makeSeries() throws {
      try? FileManager.default.removeItem(at: url)
      let writer = try GraphArchiveSeries.Writer(folder: url)
      for step in 0..<2 { try GraphEncoder().append(step, to: writer, step: step, time: 0) }
    }
    func exercise(_ index: Index, isWriting: Bool) throws {
      Forgeries.say("\(index)", in: "folders")
      try GraphEncoder().write(index, to: url.appendingPathComponent("index.gcodable"))
      try Forgeries.attempt {
        let series = try GraphArchiveSeries(folder: url)
        try Forgeries.exercise(series)
        try Forgeries.attempt { try series.copy(to: copy, progress: .discreteProgress(totalUnitCount: 0)) }
      }
      guard isWriting else { return }
      try Forgeries.attempt {
        let writer = try GraphArchiveSeries.Writer(folder: url)
        try Forgeries.attempt { try GraphEncoder().append(3, to: writer, step: 1, time: 1) }
        try Forgeries.attempt { try writer.retain(last: 1) }
      }
      try makeSeries()
    }
    try makeSeries()
    let sound = Index()
    for number in Forgeries.extremes {
      var index = sound
      index.nextNumber = number
      try exercise(index, isWriting: true)
      for (name, list) in sound.lists {
        for place in list.indices {
          var index = sound
          index.lists[name]?[place] = number
          try exercise(index, isWriting: number >= 1 << 62)
          // With the other number of the list, and with the next number.
          index.lists[name]?[1 - place] = number &- 1
          try exercise(index, isWriting: false)
          index.nextNumber = .max >> 1
          try exercise(index, isWriting: false)
        }
      }
    }
    var random = SplitMix64(seed: 3)
    let names = sound.lists.keys.sorted()
    for _ in 0..<Effort.of(100, thorough: 10_000) {
      var index = sound
      for _ in 0..<2 {
        index.lists[names[random.below(names.count)]]?[random.below(2)] = Forgeries.extremes[random.below(16)]
      }
      try exercise(index, isWriting: random.below(8) == 0)
    }
    Forgeries.say("done", in: "folders")
  }
}
