#if os(Linux)
  import DocumentTestSupport
  import Foundation
  import GraphCodable
  import Testing

  /// Writers on systems where `flock` never refuses a lock: one at a time gets the lock file, and no entry is lost.
  @Suite("Locks that do not hold", .serialized)
  struct LockTests {
    /// The arguments are what to do, the series, and a number.
    ///
    /// `hold` appends an entry, says so by a file `ready` and appends another one when there is a file `go`; `append`
    /// appends so many, each by a writer of its own, and waits for others; `try` appends one, and leaves 5 where there
    /// is another writer.
    private static let source = """
      import Foundation
      import GraphCodable

      let arguments = CommandLine.arguments
      let url = URL(fileURLWithPath: arguments[2])
      let folder = url.deletingLastPathComponent()

      func append(to writer: GraphArchiveSeries.Writer) throws {
        let step = Int(getpid())
        try GraphEncoder().append([step, writer.series.count], to: writer, step: step, time: 0)
      }

      func open() throws -> GraphArchiveSeries.Writer {
        try url.pathExtension == "series" ? GraphArchiveSeries.Writer(url) : GraphArchiveSeries.Writer(folder: url)
      }

      func appendByOwnWriter() throws { try append(to: open()) }

      do {
        switch arguments[1] {
        case "hold":
          let writer = try open()
          try append(to: writer)
          try Data().write(to: folder.appendingPathComponent("ready"))
          while access(folder.appendingPathComponent("go").path, F_OK) != 0 { usleep(1_000) }
          try append(to: writer)
        case "append":
          for _ in 0..<Int(arguments[3])! {
            while true {
              do {
                try appendByOwnWriter()
                break
              } catch let error as GCodableError where error.code == .locked { usleep(.random(in: 100...3_000)) }
            }
          }
        case "global":
          // What is in a variable of the program is never released.
          let writer = try GraphArchiveSeries.Writer(url)
          try append(to: writer)
          exit(0)
        default: try appendByOwnWriter()
        }
      } catch let error as GCodableError {
        FileHandle.standardError.write(Data("\\(error)".utf8))
        exit(error.code == .locked ? 5 : 3)
      }
      """

    /// A folder with a series, and the program.
    fileprivate struct Place {
      let program: CrashingProgram
      let folder: URL
      /// Whether the series is a folder of archives.
      var isFolder = false
      var url: URL { folder.appendingPathComponent(isFolder ? "run" : "a.series") }
      var lock: URL { folder.appendingPathComponent("a.series.gcodable-lock") }

      static func with(isFolder: Bool = false, _ body: (Self) async throws -> Void) async throws {
        try await CrashingProgram.with(LockTests.source) { program in
          let folder = program.folder.url.appendingPathComponent("locked")
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
          try await body(Self(program: program, folder: folder, isFolder: isFolder))
        }
      }

      /// Runs the program; several may run at once.
      func run(_ arguments: String...) async throws -> (status: Int32, diagnostics: String) {
        // Each has a file of its own for what it says.
        let errors = program.folder.url.appendingPathComponent("errors-\(UUID().uuidString)")
        let command = ["sh", "-c", "exec \"$@\" 2>\(errors.path)", "sh", program.folder.program.path]
        let environment = ["LD_PRELOAD=\(program.interposer.path)", "CRASH_FLOCK=1"]
        let status = try await program.folder.run(
          environment + command + [arguments[0], url.path] + arguments.dropFirst()
        ).exitStatus
        return (status, try String(contentsOf: errors, encoding: .utf8))
      }

      func wait(for name: String) async throws {
        let path = folder.appendingPathComponent(name).path
        for _ in 0..<10_000 where !FileManager.default.fileExists(atPath: path) {
          try await Task.sleep(for: .milliseconds(2))
        }
        try #require(FileManager.default.fileExists(atPath: path))
      }

      func setFile(_ name: String) throws { try Data().write(to: folder.appendingPathComponent(name)) }

      /// The entries, which are intact and numbered, by the processes that have appended them.
      func entries() throws -> [Int: Int] {
        let series = try isFolder ? GraphArchiveSeries(folder: url) : GraphArchiveSeries(url)
        #expect(series.map(\.number) == Array(series.indices))
        try GraphDecoder().verify(series)
        for (number, entry) in series.enumerated() {
          try #expect(GraphDecoder().read([Int].self, from: entry) == [entry.step, number])
        }
        return series.reduce(into: [:]) { $0[$1.step, default: 0] += 1 }
      }
    }

    @Test(arguments: [false, true])
    func theSecondWriterIsRefusedAndTheFirstLosesNothing(isFolder: Bool) async throws {
      try await Place.with(isFolder: isFolder) { place in
        async let holding = place.run("hold")
        try await place.wait(for: "ready")
        let lock = try #require(try GraphArchiveLock(of: place.url))
        #expect(!lock.isStale && abs(lock.date.timeIntervalSinceNow) < 600)
        let (status, message) = try await place.run("try")
        #expect(status == 5)
        for text in [place.url.path, "process \(lock.processID)", lock.host] {
          #expect(message.contains(text))
        }
        try place.setFile("go")
        try await #expect(holding.status == 0)
        try #expect(place.entries() == [lock.processID: 2])
        try #expect(GraphArchiveLock(of: place.url) == nil)
        try await #expect(place.run("try").status == 0)
      }
    }

    @Test(arguments: [false, true])
    func manyAtOnceAppendAllOfTheirEntries(isFolder: Bool) async throws {
      try await Place.with(isFolder: isFolder) { place in
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
          for _ in 0..<4 { group.addTask { try await place.run("append", "20").status } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [0, 0, 0, 0])
        try #expect(place.entries().values.sorted() == [20, 20, 20, 20])
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        #expect(names == [place.url.lastPathComponent])
        // And no lock in a folder.
        if isFolder {
          try #expect(FileManager.default.contentsOfDirectory(atPath: place.url.path).count == 81)
        }
      }
    }

    /// The four find the lock of an ended process, and only one at a time may take it over.
    @Test func aLockOfAProcessThatWasKilledIsTakenOverByOne() async throws {
      try await Place.with { place in
        try await #expect(place.run("try").status == 0)
        for _ in 0..<5 {
          try place.leaveLock { $0 }
          let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<4 { group.addTask { try await place.run("append", "2").status } }
            return try await group.reduce(into: []) { $0.append($1) }
          }
          #expect(statuses == [0, 0, 0, 0])
        }
        try #expect(place.entries().values.reduce(0, +) == 41)
        try #expect(FileManager.default.contentsOfDirectory(atPath: place.folder.path) == ["a.series"])
      }
    }

    @Test func aLockOfAnotherHostIsReportedUntilSomebodyBreaksIt() async throws {
      try await Place.with { place in
        try await #expect(place.run("try").status == 0)
        try place.leaveLock { $0.replacing(/host .*/, with: "host node07") }
        let before = try Data(contentsOf: place.lock)
        let (status, message) = try await place.run("try")
        #expect(status == 5)
        for text in [
          "host node07", "process \(Int32.max - 1)", "since 20", "GraphArchiveLock", place.lock.path,
        ] {
          #expect(message.contains(text))
        }
        try #expect(Data(contentsOf: place.lock) == before)
        let lock = try #require(try GraphArchiveLock(of: place.url))
        #expect(lock.host == "node07" && lock.processID == Int32.max - 1 && !lock.isStale)
        try lock.break()
        try await #expect(place.run("try").status == 0)
        try #expect(place.entries().count == 2)
        // It is gone, and that of somebody else is not broken instead.
        try lock.break()
        try place.leaveLock { $0.replacing(/host .*/, with: "host node08") }
        let error = #expect(throws: GCodableError.self) { try lock.break() }
        #expect(error?.code == .locked)
      }
    }

    /// Another container, another machine of the same name, a machine that was started again.
    @Test func whatCannotBeToldIsReported() async throws {
      try await Place.with { place in
        try await #expect(place.run("try").status == 0)
        try place.leaveLock { $0.replacing(/space .*/, with: "space 7") }
        try await #expect(place.run("try").status == 5)
        try place.leaveLock { $0.replacing(/machine .*/, with: "machine other") }
        try await #expect(place.run("try").status == 5)
        for bytes in ["", "gcodable-lock 1\nhost"] {
          try Data(bytes.utf8).write(to: place.lock)
          let (status, message) = try await place.run("try")
          #expect(status == 5 && message.contains(place.lock.path))
          #expect(try GraphArchiveLock(of: place.url)?.isStale == false)
        }
        try #require(try GraphArchiveLock(of: place.url)).break()
        try await #expect(place.run("try").status == 0)
        // Its number is that of a process that was started later.
        try place.leaveLock { text in
          text.replacing(/process .*/, with: "process \(getpid())").replacing(/started .*/, with: "started 1")
        }
        try await #expect(place.run("try").status == 0)
        try #expect(place.entries().count == 3)
      }
    }

    @Test func aWriterWhoseLockWasBrokenStopsWhenThereIsAnother() async throws {
      try await Place.with { place in
        async let holding = place.run("hold")
        try await place.wait(for: "ready")
        try #require(try GraphArchiveLock(of: place.url)).break()
        try place.leaveLock { $0.replacing(/host .*/, with: "host node07") }
        try place.setFile("go")
        let (status, message) = try await holding
        #expect(status == 5 && message.contains("node07"))
        try #expect(place.entries().count == 1)
        try #expect(GraphArchiveLock(of: place.url)?.host == "node07")
      }
    }

    @Test func anUnreleasedWriterGivesBackItsLockAtTheEnd() async throws {
      try await Place.with { place in
        try await #expect(place.run("global").status == 0)
        try #expect(FileManager.default.contentsOfDirectory(atPath: place.folder.path) == ["a.series"])
      }
    }
  }

  extension LockTests.Place {
    /// Places a lock of a nonexistent process, modified by `change`.
    fileprivate func leaveLock(_ change: (String) -> String) throws {
      try? FileManager.default.removeItem(at: lock)
      let writer = try GraphArchiveSeries.Writer(url)
      let text = try String(contentsOf: lock, encoding: .utf8)
        .replacing(/process .*/, with: "process \(Int32.max - 1)").replacing(
          /nonce .*/, with: "nonce \(UUID())")
      try withExtendedLifetime(writer) { try Data(change(text).utf8).write(to: lock) }
    }
  }
#endif
