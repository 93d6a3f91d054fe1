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
    for number: UInt64 in 1...2 {
      try Data([1, 2, 3]).write(to: folder.file(Self.name(number, processID: Self.noProcess)))
    }
    try Data().write(to: folder.file("own.gcodable-tmp"))
    try Data().write(to: folder.file(".own.gcodable-tmp"))
    try Data().write(to: folder.file(".own"))
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == [".own", ".own.gcodable-tmp", "a.graph", "own.gcodable-tmp"])
  }

  /// Locks may be given to everybody, or not hold on another node.
  @Test func whatOtherHostsAndLivingProcessesHaveMadeStays() throws {
    let names = [
      Self.name(1, processID: Self.noProcess, host: "elsewhere.org"),
      Self.name(2, processID: Int64(getpid())),
    ]
    for name in names { try Data([1, 2, 3]).write(to: folder.file(name)) }
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == (names + ["a.graph"]).sorted())
  }

  /// The number of a process that there cannot be.
  private static let noProcess = Int64(Int32.max - 1)

  /// The name of a temporary file of a process.
  private static func name(_ number: UInt64, processID: Int64, host: String? = nil) -> String {
    var process = gca_process()
    gca_process_this(&process)
    process.id = processID
    if let host {
      withUnsafeMutableBytes(of: &process.host) { bytes in
        bytes.copyBytes(from: Array(host.utf8) + [0])
      }
    }
    var name = [CChar](repeating: 0, count: Int(GCA_TEMPORARY_NAME_MAX))
    gca_temporary_name(&name, &process, number, ".gcodable-tmp")
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
  }

  @Test func whatIsBeingWrittenStays() throws {
    let name = Self.name(1, processID: Self.noProcess)
    let path = folder.file(name).path
    var file = gca_file(descriptor: -1)
    #expect(gca_file_create(&file, path, 0o600) == GCA_OK)
    try GraphEncoder().write(1, to: url)
    try #expect(folder.names() == [name, "a.graph"])
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
        try Data().write(to: folder.file(TemporaryFileTests.name(1, processID: TemporaryFileTests.noProcess)))
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
