#if os(Linux)
  import DocumentTestSupport
  import Foundation
  import Testing

  /// Devices that are full, and places where nothing may be written: a clear error, and what was there stays.
  @Suite("Devices", .serialized)
  struct DeviceTests {
    /// Exits with 0 if all is well; the arguments are the subject and a folder.
    private static let source = """
      import Foundation
      import GraphCodable

      let arguments = CommandLine.arguments
      let folder = URL(fileURLWithPath: arguments[2])
      let (archive, series) = (folder.appendingPathComponent("a.graph"), folder.appendingPathComponent("a.series"))
      let random = (0..<500_000).map { _ in UInt64.random(in: .min ... .max) }

      func expect(_ condition: Bool, line: Int = #line) {
        guard !condition else { return }
        FileHandle.standardError.write(Data("line \\(line) is not as expected".utf8))
        exit(4)
      }

      func size(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
      }

      func code(_ body: () throws -> Void) throws -> POSIXErrorCode? {
        do {
          try body()
          return nil
        } catch let error as GCodableError where error.code == .file {
          return (error.context.underlyingError as? POSIXError)?.code
        }
      }

      func expectBoth(_ entryCount: Int) throws {
        try expect(GraphDecoder().read(String.self, from: archive) == "old")
        let entries = try GraphArchiveSeries(series)
        expect(entries.map(\\.step) == Array(0..<entryCount))
        for entry in entries { try expect(GraphDecoder().read(String.self, from: entry) == "old") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        // The lock of the series is there as long as its writer.
        expect(names.filter { $0 != "a.series.gcodable-lock" } == ["a.graph", "a.series"])
      }

      func append(_ step: Int) throws {
        try GraphEncoder().append("old", to: GraphArchiveSeries.Writer(series), step: step, time: 0)
      }

      switch arguments[1] {
      case "prepare":
        try GraphEncoder().write("old", to: archive)
        try append(0)
      case "full":
        let before = try size(series)
        for compression in [GraphEncoder.Compression.none, .lz4] {
          let encoder = GraphEncoder()
          encoder.compression = compression
          try expect(code { try encoder.write(random, to: archive) } == .ENOSPC)
          let writer = try GraphArchiveSeries.Writer(series)
          try expect(code { try encoder.append(random, to: writer, step: 1, time: 0) } == .ENOSPC)
          try expect(size(series) == before)
          try expectBoth(1)
        }
        try append(1)
        try expectBoth(2)
      default:  // The error to expect.
        let expected: POSIXErrorCode = arguments[1] == "EROFS" ? .EROFS : .EACCES
        try expect(code { try GraphEncoder().write(random, to: archive) } == expected)
        try expect(code { try GraphEncoder().write(1, to: folder.appendingPathComponent("b.graph")) } == expected)
        try expect(code { _ = try GraphArchiveSeries.Writer(series) } == expected)
        try expect(code { _ = try GraphArchiveSeries.Writer(folder.appendingPathComponent("b")) } == expected)
        try expectBoth(1)
      }
      """

    /// Whether a process may mount file systems that only it sees.
    private static let canMount =
      exitStatus(
        "unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt && mount -o remount,ro /mnt"])
      == 0
    /// The command that turns a process of the superuser, whom no permissions bind, into another user's; nil if that is
    /// impossible.
    private static let asNobody: [String]? =
      geteuid() != 0
      ? []
      : exitStatus("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "true"]) == 0
        ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : nil

    private static func exitStatus(_ command: String, _ arguments: [String]) -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [command] + arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      do { try process.run() } catch { return -1 }
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// Runs a script of the shell in which `$1` is the program and `$2` a new folder.
    private func run(
      _ script: String, _ program: ProgramFolder, prefix: [String] = [], in folder: URL
    ) async throws {
      let result = try await program.run(
        prefix + ["sh", "-e", "-c", script, "sh", program.program.path, folder.path])
      #expect(result.exitStatus == 0, "\(result.diagnostics)")
    }

    private func makeFolder(_ program: ProgramFolder) throws -> URL {
      let folder = program.url.appendingPathComponent("device")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      return folder
    }

    /// Small file systems in memory, which go with the process that mounted them.
    @Test(.enabled(if: canMount, "this system does not let a test mount file systems"))
    func aDeviceThatIsFullOrReadOnlyKeepsWhatItHas() async throws {
      try await ProgramFolder.with(Self.source) { program in
        let folder = try makeFolder(program)
        let mounting = ["unshare", "-rm"]
        for byteCount in ["1m", "3m"] {
          try await run(
            "mount -t tmpfs -o size=\(byteCount) tmpfs $2; $1 prepare $2; $1 full $2", program,
            prefix: mounting, in: folder)
        }
        try await run(
          "mount -t tmpfs -o size=1m tmpfs $2; $1 prepare $2; mount -o remount,ro $2; $1 EROFS $2", program,
          prefix: mounting, in: folder)
      }
    }

    @Test(.enabled(if: asNobody != nil, "the superuser may write everywhere"))
    func aFolderAndFilesThatMayNotBeWrittenStay() async throws {
      try await ProgramFolder.with(Self.source) { program in
        let folder = try makeFolder(program)
        try await run("$1 prepare $2; chmod 444 $2/*; chmod 555 $2", program, in: folder)
        try await run("$1 EACCES $2", program, prefix: try #require(Self.asNobody), in: folder)
        try await run("chmod 755 $2", program, in: folder)
      }
    }
  }
#endif
