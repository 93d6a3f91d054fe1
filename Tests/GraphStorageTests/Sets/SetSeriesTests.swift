import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Series of sets")
struct SetSeriesTests {
  let place: TemporaryFolder
  var url: URL { place.file("run") }

  init() throws { place = try TemporaryFolder() }

  /// Writes the parts of a set, each by a writer that joins it.
  private func write(_ values: [[Int]], to set: GraphArchiveSet.Writer) throws -> [GraphArchiveSet.Receipt] {
    try values.indices.map { part in
      let joined = try GraphArchiveSet.Writer(set.folder, token: set.token)
      return try joined.part(part, of: values.count).write(values[part])
    }
  }

  private func append(step: Int, to writer: GraphArchiveSetSeries.Writer) throws {
    let set = try writer.begin()
    try set.commit(
      write([[step], [step + 1]], to: set), step: step, time: Double(step) / 2, metadata: ["kind": "test"])
  }

  private func names(_ folder: URL? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: (folder ?? url).path).sorted()
  }

  private func error(_ body: () throws -> Void) -> GCodableError? {
    do {
      try body()
      return nil
    } catch { return error as? GCodableError }
  }

  @Test func committedSetsAreListed() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      #expect(writer.series.isEmpty)
      for step in [10, 20, 30] { try append(step: step, to: writer) }
      #expect(writer.series.map(\.step) == [10, 20, 30])
    }
    let series = try GraphArchiveSetSeries(url)
    #expect(series.map(\.number) == [0, 1, 2])
    #expect(series.map(\.step) == [10, 20, 30])
    #expect(series.map(\.time) == [5, 10, 15])
    #expect(series.allSatisfy { $0.metadata == ["kind": "test"] && $0.byteCount > 0 })
    #expect(series.damage.isEmpty)
    for entry in series {
      let set = try GraphArchiveSet(entry)
      try set.verify()
      #expect((set.step, set.byteCount) == (entry.step, entry.byteCount))
      try #expect(set.part(1).decode([Int].self) == [entry.step + 1])
      // Each is a set by itself.
      try #expect(GraphArchiveSet(entry.url).token == set.token)
      try #expect(names(entry.url).count == 3)
    }
    try #expect(names() == ["index.gcodable"] + (0..<3).map { "set-00000000000\($0)" })
    #expect(series.last?.step == 30)
    #expect(series.entry(atStep: 20)?.number == 1)
    #expect(series.entry(atStep: 21) == nil)
    #expect(series.entry(nearestToTime: 11)?.number == 1)
    #expect(series.entry(nearestToTime: .infinity)?.number == 2)
    #expect(series.entry(nearestToTime: .nan) == nil)
  }

  @Test func ofEqualStepsTheLastIsFound() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    for step in [1, 2, 1] { try append(step: step, to: writer) }
    #expect(writer.series.entry(atStep: 1)?.number == 2)
    #expect(writer.series.entry(nearestToTime: 0.5)?.number == 2)
  }

  @Test func aSetIsListedWhenItIsCommitted() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    try append(step: 1, to: writer)
    var series = try GraphArchiveSetSeries(url)
    let set = try writer.begin()
    let receipts = try write([[5], [6], [7]], to: set)
    try series.update()
    #expect(series.map(\.step) == [1])
    #expect(writer.series.map(\.step) == [1])
    try set.commit(receipts, step: 2, time: 0)
    try series.update()
    #expect(series.map(\.step) == [1, 2])
    try #expect(GraphArchiveSet(#require(series.last)).partCount == 3)
    #expect(error { try set.commit(receipts, step: 3, time: 0) }?.code == .locked)
    try set.abort()
    try series.update()
    #expect(series.map(\.step) == [1, 2])
  }

  @Test func whatWasAbortedOrForgottenIsRemoved() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      try append(step: 1, to: writer)
      let aborted = try writer.begin()
      _ = try write([[1]], to: aborted)
      #expect(error { _ = try writer.begin() }?.code == .locked)
      try aborted.abort()
      try aborted.abort()
      try #expect(names().filter { $0.hasPrefix("set-") } == ["set-000000000000"])
      // One that joined it finds no folder.
      #expect(error { _ = try GraphArchiveSet.Writer(aborted.folder, token: aborted.token) }?.code == .file)
      do {
        let forgotten = try writer.begin()
        _ = try write([[1], [2]], to: forgotten)
      }
      try append(step: 2, to: writer)
      #expect(writer.series.map(\.number) == [0, 3])
      _ = try write([[1]], to: writer.begin())
    }
    try #expect(GraphArchiveSetSeries(url).map(\.number) == [0, 3])
    try #expect(names().filter { $0.hasPrefix("set-") }.count == 3)
    do { _ = try GraphArchiveSetSeries.Writer(url) }
    try #expect(names() == ["index.gcodable", "set-000000000000", "set-000000000003"])
  }

  @Test func aFailedCommitLeavesTheSeries() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    try append(step: 1, to: writer)
    let set = try writer.begin()
    let receipts = try write([[1], [2]], to: set)
    #expect(error { try set.commit([receipts[0]], step: 2, time: 0) }?.code == .invalidValue)
    #expect(writer.series.count == 1)
    try set.commit(receipts, step: 2, time: 0)
    #expect(writer.series.count == 2)
  }

  @Test func setsArePruned() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    for step in 0..<8 { try append(step: step, to: writer) }
    let open = try GraphArchiveSet(writer.series[0])
    let part = try open.part(0)
    try writer.retain { $0.step.isMultiple(of: 2) }
    #expect(writer.series.map(\.step) == [0, 2, 4, 6])
    try writer.retain(last: 2)
    #expect(writer.series.map(\.step) == [4, 6])
    try #expect(GraphArchiveSetSeries(url).map(\.number) == [4, 6])
    try #expect(names() == ["gcodable-lock", "index.gcodable", "set-000000000004", "set-000000000006"])
    for entry in writer.series { try GraphArchiveSet(entry).verify() }
    // What is open stays, and what is not is an error.
    try #expect(part.decode([Int].self) == [0])
    #expect(error { _ = try open.part(1) }?.code == .file)
    try writer.retain(last: 10)
    #expect(writer.series.count == 2)
    // Numbers are not reused.
    try writer.retain(last: 0)
    try append(step: 9, to: writer)
    #expect(writer.series.map(\.number) == [8])
  }

  @Test func aSetThatIsBeingWrittenIsNotPruned() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    try append(step: 0, to: writer)
    let set = try writer.begin()
    let receipts = try write([[1]], to: set)
    try writer.retain(last: 0)
    try set.commit(receipts, step: 1, time: 0)
    #expect(writer.series.map(\.step) == [1])
    try GraphArchiveSet(writer.series[0]).verify()
  }

  @Test func partsAreSharedAndStayAsLongAsOneSetHasThem() throws {
    let writer = try GraphArchiveSetSeries.Writer(url)
    let mesh = Array(repeating: 1.5, count: 100_000)
    let first = try writer.begin()
    try first.commit(
      [
        first.part(0, of: 2).write(
          mesh, arrays: [.init("mesh", at: [], globalShape: [100_000], offset: [0])]),
        first.part(1, of: 2).write(["step": 0]),
      ], step: 0, time: 0)
    let before = try GraphArchiveSet(writer.series[0])
    let second = try writer.begin()
    // Also when it was written before, as when a process tries again.
    _ = try second.part(0, of: 2).write([1])
    try second.commit(
      [second.part(0, of: 2).reuse(from: before), second.part(1, of: 2).write(["step": 1])], step: 1, time: 1)
    let after = try GraphArchiveSet(writer.series[1])
    func fileNumber(_ set: GraphArchiveSet) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: set.partURL(0).path)[.systemFileNumber] as? Int
    }
    try #expect(fileNumber(before) == fileNumber(after))
    try writer.retain(last: 1)
    try after.verify()
    try #expect(after.array(Double.self, "mesh")[5..<7] == [1.5, 1.5])
    #expect(after.arrays == before.arrays)
    let third = try writer.begin()
    #expect(error { _ = try third.part(0, of: 3).reuse(from: after) }?.code == .invalidValue)
    // A part that is open is copied when its file is gone.
    try #expect(third.part(0, of: 2).reuse(from: before).byteCount == before.part(0).info.byteCount)
  }

  @Test func anIndexIsNotNeeded() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      for step in 0..<70 { try append(step: step, to: writer) }
    }
    let index = url.appendingPathComponent("index.gcodable")
    try FileManager.default.removeItem(at: index)
    try #expect(GraphArchiveSetSeries(url).map(\.step) == Array(0..<70))
    try Data([1, 2, 3]).write(to: index)
    try #expect(GraphArchiveSetSeries(url).map(\.step) == Array(0..<70))
    do { _ = try GraphArchiveSetSeries.Writer(url) }
    // It spares the manifests.
    let manifest = url.appendingPathComponent("set-000000000003/set.gcodable")
    try FileManager.default.removeItem(at: manifest)
    let series = try GraphArchiveSetSeries(url)
    #expect(series.count == 70)
    #expect(error { _ = try GraphArchiveSet(series[3]) }?.code == .file)
  }

  @Test func whatIsLostOrDamagedIsReported() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      for step in 0..<4 { try append(step: step, to: writer) }
    }
    func folder(_ number: Int) -> URL { url.appendingPathComponent("set-00000000000\(number)") }
    try FileManager.default.removeItem(at: folder(1))
    var series = try GraphArchiveSetSeries(url)
    #expect(series.map(\.number) == [0, 2, 3])
    #expect(series.damage.map(\.code) == [.damaged])
    #expect(series.damage.first?.description.contains("set-000000000001") == true)
    try FileManager.default.removeItem(at: url.appendingPathComponent("index.gcodable"))
    try Data([1, 2, 3]).write(to: folder(2).appendingPathComponent("set.gcodable"))
    series = try GraphArchiveSetSeries(url)
    #expect(series.map(\.number) == [0, 3])
    #expect(series.damage.map(\.code) == [.damaged])
    // A writer leaves it, and goes on behind it.
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      try append(step: 4, to: writer)
      #expect(writer.series.map(\.number) == [0, 3, 4])
      try #expect(names(folder(2)).count == 3)
    }
    // Another set in the place of a listed one.
    try FileManager.default.removeItem(at: folder(0))
    try FileManager.default.copyItem(at: folder(3), to: folder(0))
    #expect(error { _ = try GraphArchiveSet(GraphArchiveSetSeries(url)[0]) }?.code == .damaged)
  }

  /// Its bytes may have been lost, or a copy of it from a store is under way.
  @Test(arguments: [false, true])
  func aSetWhoseManifestSaysNothingKeepsItsParts(isFolder: Bool) throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      for step in 0..<2 { try append(step: step, to: writer) }
    }
    try FileManager.default.removeItem(at: url.appendingPathComponent("index.gcodable"))
    let folder = url.appendingPathComponent("set-000000000000")
    let manifest = folder.appendingPathComponent("set.gcodable")
    let bytes = try Data(contentsOf: manifest)
    try FileManager.default.removeItem(at: manifest)
    if isFolder {
      try FileManager.default.createDirectory(at: manifest, withIntermediateDirectories: false)
    } else {
      try Data().write(to: manifest)
    }
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      #expect(writer.series.map(\.number) == [1])
      #expect(writer.series.damage.map(\.code) == [isFolder ? .file : .damaged])
      try append(step: 2, to: writer)
    }
    // One that begins a set there does not know which parts were the old one's.
    #expect(error { try GraphArchiveSet.Writer(folder).abort() }?.code == .damaged)
    try #expect(names(folder).count == 3)
    try FileManager.default.removeItem(at: manifest)
    try bytes.write(to: manifest)
    let series = try GraphArchiveSetSeries(url)
    #expect(series.map(\.number) == [0, 1, 2])
    try GraphArchiveSet(series[0]).verify()
  }

  @Test func numbersEnd() throws {
    func folder(_ number: UInt64) -> URL { url.appendingPathComponent("set-\(number)") }
    // Numbers of no set.
    let others = [UInt64(Int.max), UInt64(Int.max) + 1].map(folder)
    for other in others {
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    }
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      try append(step: 0, to: writer)
      #expect(writer.series.map(\.number) == [0])
    }
    // With a manifest that cannot be read it stays, and behind it no number is left.
    try FileManager.default.moveItem(at: others[0], to: folder(UInt64(Int.max) - 1))
    try Data([1]).write(to: folder(UInt64(Int.max) - 1).appendingPathComponent("set.gcodable"))
    let writer = try GraphArchiveSetSeries.Writer(url)
    #expect(error { _ = try writer.begin() }?.code == .limitExceeded)
    #expect(writer.series.map(\.number) == [0])
  }

  @Test func otherNamesAreLeftAlone() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    let others = [
      "set-1", "set-0000000000001", "notes.txt", "set--00000000001", "set-000000000001.txt",
      "set-000000000001", ".set-tings",
      ".set-000000000001", ".set-000000000001-A",
    ]
    for name in others { try Data([1]).write(to: url.appendingPathComponent(name)) }
    do {
      let writer = try GraphArchiveSetSeries.Writer(url)
      try append(step: 1, to: writer)
      #expect(writer.series.map(\.number) == [2])
      try writer.retain(last: 0)
    }
    try #expect(names() == (others + ["index.gcodable"]).sorted())
  }

  @Test func thereIsOneWriter() throws {
    #expect(error { _ = try GraphArchiveSetSeries(url) }?.code == .file)
    #expect(error { _ = try GraphArchiveSetSeries.Writer(place.file("none/run")) }?.code == .file)
    var writer: GraphArchiveSetSeries.Writer? = try .init(url)
    #expect(error { _ = try GraphArchiveSetSeries.Writer(url) }?.code == .locked)
    let set = try writer?.begin()
    writer = nil
    // As long as a set is written.
    #expect(error { _ = try GraphArchiveSetSeries.Writer(url) }?.code == .locked)
    let open = try #require(set)
    try open.commit(write([[1]], to: open), step: 7, time: 0)
    try #expect(GraphArchiveSetSeries(url).map(\.step) == [7])
  }
}
