#if os(Linux)
  import Foundation
  import GraphCodable
  import GraphCodableTestSupport
  import Testing

  /// No input takes more than 16 times its bytes, and 64 MiB: `make test` tries the kept inputs, the seeds and
  /// Tests/Corpus.
  ///
  /// With `GRAPHCODABLE_FUZZ_CORPUS=Fuzz/.build/corpus`, also what fuzzing has learned: a folder for each target.
  @Suite("Peak memory", .serialized)
  struct PeakMemoryTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()

    private static let corpora =
      [root.appendingPathComponent("Fuzz/Cases")]
      + [ProcessInfo.processInfo.environment["GRAPHCODABLE_FUZZ_CORPUS"]].compactMap(\.self).map {
        URL(fileURLWithPath: $0, relativeTo: root)
      }

    private static func files(in folder: URL) -> [URL] {
      let files =
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      return files.filter { $0.pathExtension != "json" && $0.pathExtension != "md" }
    }

    /// In a process of its own, whose memory nobody else takes.
    @Test(arguments: FuzzTarget.all.map(\.name)) func noInputTakesTooMuch(name: String) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        [name] in
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { exit(2) }
        var inputs = try target.seeds().map { ("a seed", $0) }
        var folders = PeakMemoryTests.corpora.map { $0.appendingPathComponent(name) }
        if target.form != .bytes {
          folders += ["valid", "invalid"].map {
            PeakMemoryTests.root.appendingPathComponent("Tests/Corpus/\($0)")
          }
        }
        for file in folders.flatMap(PeakMemoryTests.files) {
          inputs.append((file.path, Bytes(try Data(contentsOf: file))))
        }
        ProcessMemory.keepNoErrors()
        // What is made once.
        for (_, input) in inputs.prefix(20) { try? target.run(input) }
        var most = (byteCount: 0, what: "")
        for (what, input) in inputs {
          // Not this one's: what the inputs before have left to `malloc`.
          PeakMemory.trim()
          let before = try PeakMemory.current()
          try PeakMemory.reset()
          try? target.run(input)
          let byteCount = try PeakMemory.peak() - before
          if byteCount > most.byteCount { most = (byteCount, what) }
          guard byteCount <= 16 * input.count + 64 << 20 else {
            print("\(what): \(byteCount) bytes for \(input.count)")
            exit(3)
          }
        }
        print("\(name): at most \(most.byteCount >> 10) KiB, of \(inputs.count) inputs, by \(most.what)")
      }
      guard Self.corpora.count > 1 || result == nil else { return }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    /// A limit that is never passed may be one that is not seen.
    @Test func whatIsTakenIsSeen() async {
      await #expect(processExitsWith: .success) {
        let before = try PeakMemory.current()
        try PeakMemory.reset()
        do {
          let memory = [UInt8](repeating: 1, count: 80 << 20)
          guard memory.last == 1 else { exit(2) }
        }
        guard try PeakMemory.peak() - before > 79 << 20, try PeakMemory.current() - before < 8 << 20 else {
          exit(3)
        }
        try PeakMemory.reset()
        guard try PeakMemory.peak() - before < 8 << 20 else { exit(4) }
      }
    }
  }

  /// Pages of the process that were in memory at the same time, as the system counts them.
  private enum PeakMemory {
    /// Makes the peak what is in memory now.
    static func reset() throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
      try file.write(contentsOf: Data("5".utf8))
      try file.close()
    }

    /// Gives free memory back to the system, by a function that the module of Glibc lacks.
    static func trim() {
      typealias Trim = @convention(c) (Int) -> CInt
      guard let function = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(function, to: Trim.self)(0)
    }

    static func peak() throws -> Int { try value("VmHWM:") }
    static func current() throws -> Int { try value("VmRSS:") }

    private static func value(_ name: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
        let number = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
          Int($0)
        })
      else { throw CocoaError(.fileReadCorruptFile) }
      return number << 10
    }
  }
#endif
