import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Files")
final class FileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func permissions(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 9)])
  func aFileHasTheBytesThatEncodingInMemoryGives(compression: GraphEncoder.Compression) throws {
    let values: [[Double]] = [[], (0..<10).map(Double.init), (0..<200_000).map { Double($0 / 5) }]
    let url = folder.file("a.graph")
    let encoder = GraphEncoder()
    encoder.compression = compression
    try encoder.write(values, to: url)
    try #expect(Bytes(Data(contentsOf: url)) == encoder.encode(values))
    try #expect(GraphDecoder().read([[Double]].self, from: url) == values)
    try #expect(folder.names() == ["a.graph"])
  }

  @Test func writingReplacesTheFile() throws {
    let url = folder.file("a.graph")
    for count in [100_000, 3, 1000] {
      try GraphEncoder().write(Array(0..<count), to: url)
      try #expect(GraphDecoder().read([Int].self, from: url).count == count)
    }
    try #expect(folder.names() == ["a.graph"])
  }

  @Test func aFailedEncodeLeavesTheOldFileAndNothingElse() throws {
    let url = folder.file("a.graph")
    try GraphEncoder().write("old", to: url)
    struct Own: Error {}
    #expect(throws: Own.self) {
      try GraphEncoder().write([Script { try $0.encode(1) }, Script { _ in throw Own() }], to: url)
    }
    try #expect(GraphDecoder().read(String.self, from: url) == "old")
    try #expect(folder.names() == ["a.graph"])
    #expect(throws: Own.self) {
      try GraphEncoder().write(Script { _ in throw Own() }, to: self.folder.file("new"))
    }
    try #expect(folder.names() == ["a.graph"])
  }

  private func fileError(_ body: () throws -> Void) throws -> String {
    do { try body() } catch let error as GCodableError {
      #expect(error.code == .file)
      #expect(error.context.underlyingError is POSIXError || error.description.contains("URL"))
      return error.description
    }
    return ""
  }

  @Test func aPlaceThatCannotBeWrittenSaysWhy() throws {
    try Data().write(to: folder.file("file"))
    let none = folder.file("none/a.graph")
    try #expect(fileError { try GraphEncoder().write(1, to: none) }.contains("No such file"))
    let under = folder.file("file/a.graph")
    try #expect(fileError { try GraphEncoder().write(1, to: under) }.contains("Not a directory"))
    try #expect(!fileError { try GraphEncoder().write(1, to: folder.url) }.isEmpty)
    try #expect(!fileError { try GraphEncoder().write(1, to: URL(string: "https://example.org/a")!) }.isEmpty)
    try #expect(folder.names() == ["file"])
    let parent = folder.url.deletingLastPathComponent()
    let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
    #expect(left.allSatisfy { !$0.hasPrefix(".\(self.folder.url.lastPathComponent)") })
  }

  @Test func aPlaceThatCannotBeReadSaysWhy() throws {
    let none = folder.file("none")
    try #expect(fileError { _ = try GraphDecoder().read(Int.self, from: none) }.contains("No such file"))
    try #expect(
      fileError { _ = try GraphDecoder().read(Int.self, from: folder.url) }.contains("Is a directory"))
    try #expect(
      !fileError { _ = try GraphDecoder().read(Int.self, from: URL(string: "http://a/b")!) }.isEmpty)
    try #expect(
      !fileError { _ = try GraphDecoder().read(Int.self, from: URL(fileURLWithPath: "/dev/null")) }.isEmpty)
  }

  @Test func damageInAFileIsFoundAsInMemory() throws {
    let url = folder.file("a.graph")
    let values = (0..<5000).map { "text \($0)" }
    try GraphEncoder().write([values], to: url)
    let good = try Data(contentsOf: url)
    var random = SplitMix64(seed: 4)
    for _ in 0..<200 {
      var bad = good
      if random.once(in: 4) {
        bad = bad.prefix(random.below(bad.count))
      } else {
        bad[random.below(bad.count)] ^= 4
      }
      try bad.write(to: url)
      let error = #expect(throws: GCodableError.self) { try GraphDecoder().read([[String]].self, from: url) }
      #expect(error.map { [.damaged, .wrongSize, .notAnArchive].contains($0.code) } == true)
    }
  }

  @Test func permissionsOfTheOldFileAreKept() throws {
    let url = folder.file("a.graph")
    for mode in [0o600, 0o640, 0o666, 0o777] {
      try GraphEncoder().write(1, to: url)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
      try GraphEncoder().write(2, to: url)
      try #expect(permissions(url) == mode)
    }
  }

  @Test func aLinkIsFollowed() throws {
    let target = folder.file("sub/target.graph")
    try FileManager.default.createDirectory(
      at: folder.file("sub"), withIntermediateDirectories: false)
    let link = folder.file("link.graph")
    try GraphEncoder().write("old", to: target)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "sub/target.graph")
    try GraphEncoder().write("new", to: link)
    try #expect(GraphDecoder().read(String.self, from: target) == "new")
    try #expect(GraphDecoder().read(String.self, from: link) == "new")
    try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "sub/target.graph")
    try #expect(folder.names() == ["link.graph", "sub"])
  }

  @Test func aLinkToNowhereGetsItsTarget() throws {
    let link = folder.file("link.graph")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "later.graph")
    try GraphEncoder().write("new", to: link)
    try #expect(GraphDecoder().read(String.self, from: folder.file("later.graph")) == "new")
    try #expect(folder.names() == ["later.graph", "link.graph"])
  }

  @Test(arguments: ["plain", "with space", "ünï", "🜁", String(repeating: "n", count: 250), ".hidden"])
  func anyNameCanBeWritten(name: String) throws {
    let url = folder.file(name)
    try GraphEncoder().write(name, to: url)
    try #expect(GraphDecoder().read(String.self, from: url) == name)
    try #expect(folder.names().count == 1)
  }

  @Test func aRelativePathCanBeWritten() throws {
    let url = URL(fileURLWithPath: "a.graph", relativeTo: folder.url)
    try GraphEncoder().write(1, to: url)
    try #expect(GraphDecoder().read(Int.self, from: folder.file("a.graph")) == 1)
  }

  @Test func aLinkToItselfSaysSo() throws {
    let link = folder.file("link.graph")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "link.graph")
    try #expect(!fileError { try GraphEncoder().write(1, to: link) }.isEmpty)
  }
}

#if os(Linux)
  @Suite("Full devices")
  struct FullDeviceTests {
    /// In a process of its own, because the limit that stands for a full device holds for all its threads.
    @Test func aFullDeviceLeavesTheOldFileAndNothingElse() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        let url = folder.file("a.graph")
        try GraphEncoder().write("old", to: url)
        // Beyond the limit the system also sends a signal, which would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        for compression in [GraphEncoder.Compression.none, .lz4] {
          let encoder = GraphEncoder()
          encoder.compression = compression
          var random = SplitMix64(seed: 6)
          let large = [(0..<500_000).map { _ in random.next() }]
          let error = #expect(throws: GCodableError.self) { try encoder.write(large, to: url) }
          #expect(error?.code == .file)
          #expect((error?.context.underlyingError as? POSIXError)?.code == .EFBIG)
          try #expect(GraphDecoder().read(String.self, from: url) == "old")
          try #expect(FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.graph"])
        }
      }
    }
  }
#endif
