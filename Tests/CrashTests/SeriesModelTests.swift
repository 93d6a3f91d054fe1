#if os(Linux)
  import DocumentTestSupport
  import Foundation
  import GraphCodable
  import Testing

  /// A process appends, removes, compacts and reopens at random, is killed again and again, and its file is damaged
  /// meanwhile; what the series holds is compared with a model of it.
  ///
  /// `GRAPHCODABLE_STEPS=10000` says how many steps there are in all.
  @Suite("Random lives of a series")
  struct SeriesModelTests {
    private static let stepCount =
      Int(ProcessInfo.processInfo.environment["GRAPHCODABLE_STEPS"] ?? "") ?? 100

    @Test func aSeriesHoldsWhatWasDoneToIt() async throws {
      try await ProgramFolder.with(Self.source) { program in
        let life = try Life(program.url)
        while life.doneCount < Self.stepCount {
          let (seed, time) = (UInt64.random(in: 0...(.max)), Double.random(in: 0.05...0.8))
          let arguments = [life.file.path, life.log.path, "\(seed)", "\(life.nextStep)"]
          let result = try await program.run([program.program.path] + arguments, timeLimit: time)
          try #require(result.exitStatus == SIGKILL, "\(arguments) \(result.diagnostics)")
          try life.compare()
          try life.damage()
        }
      }
    }

    /// A series, and what it should hold.
    private final class Life {
      let file: URL
      /// What the process is about to do, and whether it has done it.
      let log: URL
      private var steps: [Int] = []
      private(set) var nextStep = 0
      private(set) var doneCount = 0

      init(_ folder: URL) throws {
        file = folder.appendingPathComponent("a.series")
        log = folder.appendingPathComponent("log")
        try Data().write(to: log)
      }

      /// Checks that the series is what it should be, whether or not what was begun last was done.
      func compare() throws {
        var begun: [Int]?
        for line in try String(contentsOf: log, encoding: .utf8).split(separator: "\n") {
          if line == "done" {
            steps = try #require(begun)
            begun = nil
            doneCount += 1
          } else {
            begun = after(line)
          }
        }
        try Data().write(to: log)
        guard FileManager.default.fileExists(atPath: file.path) else { return #expect(steps.isEmpty) }
        guard let series = try? GraphArchiveSeries(file) else {
          // Killed before it had written the header.
          return try #expect(steps.isEmpty && Data(contentsOf: file).count < 64)
        }
        let found = series.map(\.step)
        #expect(found == steps || found == begun, "\(steps), then \(begun ?? [])")
        steps = found
        #expect(series.map(\.number) == Array(0..<series.count))
        try GraphDecoder().verify(series)
        for entry in series { try check(entry) }
      }

      /// The steps of the entries after what a line says.
      private func after(_ line: Substring) -> [Int] {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else { return steps }
        switch words[0] {
        case "append":
          nextStep = number + 1
          return steps + [number]
        case "last": return steps.suffix(number)
        default: return steps.filter { $0 % 3 != number }
        }
      }

      private func check(_ entry: GraphArchiveSeries.Entry) throws {
        #expect(entry.time == Double(entry.step))
        try #expect(GraphDecoder().read([[UInt64]].self, from: entry) == frame(entry.step))
      }

      /// Damages the file: entries before the damage remain, and nothing wrong appears.
      func damage() throws {
        guard let series = try? GraphArchiveSeries(file), !series.isEmpty else { return }
        let whole = try Data(contentsOf: file)
        var bytes = whole
        let place = Int.random(in: 0..<bytes.count)
        switch Int.random(in: 0..<3) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8)
        case 1: bytes.removeSubrange(place...)
        default:
          let page = place / 4096 * 4096..<min(place / 4096 * 4096 + 4096, bytes.count)
          bytes.replaceSubrange(page, with: Data(count: page.count))
        }
        try bytes.write(to: file)
        let changed = zip(bytes, whole).enumerated().first { $1.0 != $1.1 }?.offset ?? bytes.count
        do {
          let damaged = try GraphArchiveSeries(file)
          for entry in damaged {
            do { try check(entry) } catch let error as GCodableError {
              // It, or an entry in front of it, has the damage.
              let end = series[entry.number].offset + UInt64(series[entry.number].storedByteCount)
              #expect(changed < Int(end), "\(error)")
            }
          }
          #expect(damaged.count >= series.dropFirst().count { $0.offset <= changed })
        } catch is GCodableError where changed < 64 {}
        try whole.write(to: file)
      }
    }

    /// What stays, what changes every seventh step, what changes always, what changes a little everywhere, and much that is
    /// small, of which a hundredth changes.
    private static func frame(_ step: Int) -> [[UInt64]] {
      func numbers(_ seed: Int, _ count: Int) -> [UInt64] {
        (0..<count).map { UInt64($0 + seed) &* 0x9E37_79B9_7F4A_7C15 }
      }
      let moving = numbers(0, 5_000).map { $0 >> 40 &+ UInt64(step) }
      return [numbers(0, 20_000), numbers(step / 7, 9_000), numbers(step * 1_000, 3_000), moving]
        + (0..<2_000).map { numbers($0 % 100 == step % 100 ? step : $0, 4) }
    }

    /// Continues the series where another process was killed.
    ///
    /// The arguments are the file, the log, a seed and the first step that is not in the log.
    private static let source = """
      import Foundation
      import GraphCodable

      func frame(_ step: Int) -> [[UInt64]] {
        func numbers(_ seed: Int, _ count: Int) -> [UInt64] {
          (0..<count).map { UInt64($0 + seed) &* 0x9E37_79B9_7F4A_7C15 }
        }
        let moving = numbers(0, 5_000).map { $0 >> 40 &+ UInt64(step) }
        return [numbers(0, 20_000), numbers(step / 7, 9_000), numbers(step * 1_000, 3_000), moving]
          + (0..<2_000).map { numbers($0 % 100 == step % 100 ? step : $0, 4) }
      }

      let arguments = CommandLine.arguments
      let url = URL(fileURLWithPath: arguments[1])
      let log = FileHandle(forWritingAtPath: arguments[2])!
      var state = UInt64(arguments[3])!
      var step = Int(arguments[4])!
      @MainActor func random(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
      }
      /// Does something, and says so before and after.
      @MainActor func act(_ line: String, _ body: () throws -> Void) throws {
        try log.write(contentsOf: Data("\\(line)\\n".utf8))
        try body()
        try log.write(contentsOf: Data("done\\n".utf8))
      }

      let encoder = GraphEncoder()
      var writer: GraphArchiveSeries.Writer! = try GraphArchiveSeries.Writer(url)
      while true {
        switch random(20) {
        case 0:
          let count = 1 + random(20)
          try act("last \\(count)") { try writer.retain(last: count) }
        case 1:
          let rest = random(3)
          try act("without \\(rest)") { try writer.retain { $0.step % 3 != rest } }
        case 2: try act("compact") { try writer.compact() }
        case 3:
          try act("reopen") {
            writer = nil
            writer = try GraphArchiveSeries.Writer(url)
          }
        case 4:
          try act("copy") {
            writer = nil
            try GraphArchiveSeries(url).copy(to: url) { _ in true }
            writer = try GraphArchiveSeries.Writer(url)
          }
        default:
          encoder.compression = random(4) == 0 ? .none : .lz4
          writer.sharing = [.none, .blocks, .differences(keyInterval: 4), .differences(keyInterval: 4)][random(4)]
          try act("append \\(step)") {
            try encoder.append(frame(step), to: writer, step: step, time: Double(step))
          }
          step += 1
        }
      }
      """
  }
#endif
