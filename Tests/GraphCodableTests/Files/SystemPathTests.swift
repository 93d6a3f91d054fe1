import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles

/// Files, series and sets are where the system says that a name leads.
@Suite("Paths of files")
final class SystemPathTests {
  let folder: TemporaryFolder

  /// `link` leads to `far/inner`, so that the system finds `link/../name` in `far`.
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("far/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: "far/inner")
  }

  enum Spelling: CaseIterable { case absolute, relative, appended }

  private func url(_ name: String, _ spelling: Spelling) -> URL {
    switch spelling {
    case .absolute: URL(fileURLWithPath: folder.url.path + "/link/../" + name)
    case .relative: URL(fileURLWithPath: "link/../" + name, relativeTo: folder.url)
    case .appended: folder.url.appendingPathComponent("link").appendingPathComponent("../" + name)
    }
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self.folder.file(folder).path).sorted()
  }

  @Test(arguments: Spelling.allCases) func anArchiveIsWrittenWhereItIsRead(spelling: Spelling) throws {
    let url = url("a.graph", spelling)
    for value in ["new", "replaced"] {
      try GraphEncoder().write(value, to: url)
      try #expect(GraphDecoder().read(String.self, from: url) == value)
      try #expect(GraphDecoder().read(String.self, from: folder.file("far/a.graph")) == value)
    }
    try #expect(names(in: "far") == ["a.graph", "inner"])
    try #expect(folder.names() == ["far", "link"])
  }

  @Test(arguments: Spelling.allCases) func seriesAreWrittenWhereTheyAreRead(spelling: Spelling) throws {
    let (file, entries) = (url("run.graph", spelling), url("entries", spelling))
    for writer in try [GraphArchiveSeries.Writer(file), GraphArchiveSeries.Writer(folder: entries)] {
      try GraphEncoder().append(7, to: writer, step: 1, time: 0)
      try GraphEncoder().append(8, to: writer, step: 2, time: 0)
      try writer.retain { $0.step == 2 }
    }
    try #expect(GraphArchiveSeries(file).map(\.step) == [2])
    try #expect(GraphArchiveSeries(folder: entries).map(\.step) == [2])
    let copy = url("copy.graph", spelling)
    try GraphArchiveSeries(file)[0].extract(to: copy)
    try #expect(GraphDecoder().read(Int.self, from: copy) == 8)
    try #expect(names(in: "far") == ["copy.graph", "entries", "inner", "run.graph"])
    try #expect(folder.names() == ["far", "link"])
  }

  @Test(arguments: Spelling.allCases) func setsAreWrittenWhereTheyAreRead(spelling: Spelling) throws {
    let (single, several) = (url("set", spelling), url("sets", spelling))
    func fill(_ writer: GraphArchiveSet.Writer) throws {
      let receipt = try writer.part(0, of: 1).write(5)
      try writer.commit([receipt], step: 3, time: 0)
    }
    try fill(GraphArchiveSet.Writer(single))
    try fill(GraphArchiveSetSeries.Writer(several).begin())
    try #expect(GraphArchiveSet(single).step == 3)
    try #expect(GraphArchiveSet(folder.file("far/set")).part(0).decode(Int.self) == 5)
    try #expect(GraphArchiveSetSeries(several).map(\.step) == [3])
    try #expect(names(in: "far") == ["inner", "set", "sets"])
    try #expect(folder.names() == ["far", "link"])
  }

  @Test func allNamesOfASeriesHaveOneLock() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("other.graph").path, withDestinationPath: "link/../run.graph")
    let writer = try GraphArchiveSeries.Writer(folder.file("far/run.graph"))
    for url in Spelling.allCases.map({ url("run.graph", $0) }) + [folder.file("other.graph")] {
      try #expect(GraphArchiveLock(of: url)?.processID == Int(getpid()))
      let error = #expect(throws: GCodableError.self) { try GraphArchiveSeries.Writer(url) }
      #expect(error?.code == .locked)
    }
    withExtendedLifetime(writer) {}
  }

  @Test func aLinkThroughALinkIsFollowed() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("far/inner/later").path, withDestinationPath: "../../link/../target.graph")
    try GraphEncoder().write("new", to: folder.file("link/later"))
    try #expect(GraphDecoder().read(String.self, from: folder.file("far/target.graph")) == "new")
    try #expect(GraphDecoder().read(String.self, from: folder.file("link/later")) == "new")
    try #expect(names(in: "far") == ["inner", "target.graph"])
  }

  @Test func aDamagedFileIsNotRecoveredIntoItself() throws {
    let file = folder.file("far/a.graph")
    try GraphEncoder().write(1, to: file)
    try FileManager.default.linkItem(at: file, to: folder.file("hard.graph"))
    for other in Spelling.allCases.map({ url("a.graph", $0) }) + [folder.file("hard.graph")] {
      let error = #expect(throws: GCodableError.self) { try GraphArchive.recover(file, to: other) }
      #expect(error?.description.contains("itself") == true)
    }
  }

  @Test(arguments: ["file:///tmp/caf%E9.graph", "file:///tmp/a%00b.graph"])
  func aNameThatIsNoTextIsRefused(address: String) throws {
    let url = try #require(URL(string: address))
    for attempt in [
      { try GraphEncoder().write(1, to: url) }, { _ = try GraphDecoder().read(Int.self, from: url) },
    ] {
      let error = #expect(throws: GCodableError.self) { try attempt() }
      #expect(error?.code == .file)
      #expect(error?.description.contains("another name") == true)
    }
  }
}

/// What a file that is replaced has besides its bytes.
@Suite("Modes and owners")
final class OwnerTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func attributes(_ url: URL) throws -> [Int] {
    let found = try FileManager.default.attributesOfItem(atPath: url.path)
    return [FileAttributeKey.posixPermissions, .ownerAccountID, .groupOwnerAccountID].map {
      (found[$0] as? NSNumber)?.intValue ?? -1
    }
  }

  /// Root may give files to anybody; others have no second owner to try with.
  @Test(.enabled(if: geteuid() == 0)) func ownersAreKept() throws {
    let (archive, series) = (folder.file("a.graph"), folder.file("run.graph"))
    try GraphEncoder().write([1.5, 2.5], to: archive)
    let writer = try GraphArchiveSeries.Writer(series)
    for step in 0..<3 { try GraphEncoder().append(step, to: writer, step: step, time: 0) }
    for (url, mode) in [(archive, 0o664), (series, 0o640)] {
      chmod(url.path, mode_t(mode))
      chown(url.path, 4711, 4712)
    }
    try GraphEncoder().repack(GraphArchive(archive), to: archive)
    try #expect(attributes(archive) == [0o664, 4711, 4712])
    try GraphEncoder().write(2, to: archive)
    try #expect(attributes(archive) == [0o664, 4711, 4712])
    try writer.retain { $0.step > 0 }
    try #expect(attributes(series) == [0o640, 4711, 4712])
    try GraphEncoder().append(9, to: writer, step: 9, time: 0)
    try writer.compact()
    try #expect(attributes(series) == [0o640, 4711, 4712])
    try GraphEncoder().repack(GraphArchiveSeries(series), to: series)
    try #expect(attributes(series) == [0o640, 4711, 4712])
    try #expect(attributes(folder.file("new.graph", of: 3)).dropFirst() == [Int(geteuid()), Int(getegid())])
  }
}

@Suite("Links that move") struct MovedLinkTests {
  /// As a script does that makes `current` lead to the newest run.
  @Test func aFileIsCompletedInTheFolderWhereItWasBegun() throws {
    let folder = try TemporaryFolder()
    for run in ["run-1", "run-2"] {
      try FileManager.default.createDirectory(at: folder.file(run), withIntermediateDirectories: true)
    }
    func lead(to run: String) throws {
      try? FileManager.default.removeItem(at: folder.file("current"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("current").path, withDestinationPath: run)
    }
    try lead(to: "run-1")
    let sink = try FileSink(folder.file("current/state.graph"))
    try lead(to: "run-2")
    try sink.publish()
    func names(_ run: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.file(run).path)
    }
    #expect(try names("run-1") == ["state.graph"])
    #expect(try names("run-2").isEmpty)
  }
}

extension TemporaryFolder {
  /// A new file with a value.
  fileprivate func file(_ name: String, of value: Int) throws -> URL {
    try GraphEncoder().write(value, to: file(name))
    return file(name)
  }
}
