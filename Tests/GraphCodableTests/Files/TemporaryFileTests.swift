import CGraphArchive
import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Temporary files")
final class TemporaryFileTests {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("a.graph")
  }

  @Test func whatKilledProcessesLeftIsRemovedByTheNextSave() throws {
    for name in [".1.gcodable-tmp", ".abc.gcodable-tmp"] {
      try Data([1, 2, 3]).write(to: folder.file(name))
    }
    try Data().write(to: folder.file("own.gcodable-tmp"))
    try Data().write(to: folder.file(".own"))
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == [".own", "a.graph", "own.gcodable-tmp"])
  }

  @Test func whatIsBeingWrittenStays() throws {
    let path = folder.file(".1.gcodable-tmp").path
    var file = gca_file(descriptor: -1)
    #expect(gca_file_create(&file, path, 0o600) == GCA_OK)
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == [".1.gcodable-tmp", "a.graph"])
    gca_file_close(&file)
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == ["a.graph"])
  }

  /// Each removes what it takes for abandoned while the others create, write and rename theirs.
  @Test func manyThatSaveAtOnceDoNotDisturbEachOther() throws {
    let urls = (0..<3).map { folder.file("\($0).graph") }
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      for round in 0..<25 {
        do { try GraphEncoder().write([thread, round], to: urls[thread % 3]) } catch { failures.add(error) }
      }
    }
    #expect(failures.all.isEmpty)
    for url in urls { try #expect(GraphDecoder().read([Int].self, from: url)[1] < 25) }
    try #expect(folder.names() == ["0.graph", "1.graph", "2.graph"])
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var all: [String] = []
    func add(_ error: any Error) { lock.withLock { all.append("\(error)") } }
  }

  #if os(Linux)
    /// In a process of its own, because what a user may do is the same for all its threads.
    @Test func aFolderThatCannotBeWrittenLeavesTheOldFile() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        let url = folder.file("a.graph")
        try GraphEncoder().write("old", to: url)
        try Data().write(to: folder.file(".1.gcodable-tmp"))
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        // The superuser may write everywhere, "nobody" may not.
        let isSuperuser = geteuid() == 0
        if isSuperuser { try #require(seteuid(65_534) == 0) }
        let error = #expect(throws: GCodableError.self) { try GraphEncoder().write("new", to: url) }
        if isSuperuser { try #require(seteuid(0) == 0) }
        #expect(error?.code == .file)
        #expect((error?.context.underlyingError as? POSIXError)?.code == .EACCES)
        #expect(error?.description.contains(folder.url.path) == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try #expect(GraphDecoder().read(String.self, from: url) == "old")
        try GraphEncoder().write("new", to: url)
        try #expect(folder.names() == ["a.graph"])
      }
    }
  #endif
}
