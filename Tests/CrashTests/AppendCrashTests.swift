#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it appends to a series: then the entries of before are there, and perhaps the new one.
  @Suite("Crashes while appending", .serialized)
  struct AppendCrashTests {
    /// A folder with the series in it.
    private struct Place {
      let folder: URL
      let oldCount: Int
      let hasTail: Bool
      var file: URL { folder.appendingPathComponent("a.series") }

      /// A series with so many entries, or, without any, no file.
      ///
      /// - Parameter hasTail: another process has been killed before.
      init(_ program: CrashingProgram, oldCount: Int = 2, hasTail: Bool = false) throws {
        folder = program.folder.url.appendingPathComponent("appended-\(UUID().uuidString)")
        self.oldCount = oldCount
        self.hasTail = hasTail
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func reset() throws {
        try? FileManager.default.removeItem(at: file)
        guard oldCount > 0 else { return }
        let writer = try GraphArchiveSeries.Writer(file)
        for step in 0..<oldCount { try append(CrashModels.old, step, "old", to: writer) }
        guard hasTail else { return }
        let handle = try FileHandle(forWritingTo: file)
        let end = try handle.seekToEnd()
        // The second entry once more, without its record.
        try handle.write(
          contentsOf: Data(contentsOf: file).suffix(Int(end - writer.series[1].offset)).dropLast(128))
        try handle.close()
      }

      private func append(
        _ model: [[UInt64]], _ step: Int, _ kind: String, to writer: GraphArchiveSeries.Writer
      ) throws {
        try GraphEncoder().append(model, to: writer, step: step, time: Double(step), metadata: ["kind": kind])
      }

      /// Whether there is a new entry; all others must be there, and nothing else be listed.
      func hasNew() throws -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        let series = try GraphArchiveSeries(file)
        try check(series)
        #expect(series.count == oldCount || series.count == oldCount + 1)
        if series.count > oldCount { #expect(series.last?.metadata == ["kind": "new"]) }
        return series.count > oldCount
      }

      private func check(_ series: GraphArchiveSeries) throws {
        try GraphDecoder().verify(series)
        for (number, entry) in series.enumerated() {
          #expect((entry.number, entry.step, entry.time) == (number, number, Double(number)))
          let expected = entry.metadata == ["kind": "new"] ? CrashModels.new : CrashModels.old
          #expect(number >= oldCount || entry.metadata == ["kind": "old"])
          try #expect(GraphDecoder().read([[UInt64]].self, from: entry) == expected)
        }
      }

      /// The next append after whatever happened; nothing but entries may be in the file then, and nothing but the file
      /// in the folder.
      func appendNext() throws {
        do {
          let writer = try GraphArchiveSeries.Writer(file)
          try append(CrashModels.old, writer.series.count, "old", to: writer)
        }
        let series = try GraphArchiveSeries(file)
        try check(series)
        let last = try #require(series.last)
        #expect(last.metadata == ["kind": "old"])
        let byteCount = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64
        let recordOffset = (last.offset + last.byteCount + 63) / 64 * 64
        #expect(byteCount == recordOffset + 128)
        try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.series"])
      }
    }

    /// Also when the series does not exist yet, and when another process has been killed before.
    @Test(arguments: [(2, false), (0, false), (2, true)])
    func aProcessKilledAtAnyCallLeavesTheEntriesOfBefore(oldCount: Int, hasTail: Bool) async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program, oldCount: oldCount, hasTail: hasTail)
        for variant in CrashModels.variants {
          let arguments = ["append", place.file.path] + variant
          try place.reset()
          try #expect(await program.run(arguments, .none).status == 0)
          try #expect(place.hasNew())
          // Opened, locked, four blocks, two leads, contents, header, a sync, the record, a sync.
          let callCount = try program.callCount()
          #expect(callCount > 10)
          for mode in [CrashingProgram.Fate.Mode.kill, .half] {
            var (oldCount, newCount) = (0, 0)
            for call in 1...callCount {
              try place.reset()
              try #expect(await program.run(arguments, .call(call, mode)).status == SIGKILL)
              if try place.hasNew() { newCount += 1 } else { oldCount += 1 }
              try place.appendNext()
            }
            // Killed before the record is there, and after.
            #expect(oldCount > 8 && newCount > 0)
          }
        }
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        for variant in CrashModels.variants {
          let arguments = ["append", place.file.path] + variant
          try place.reset()
          let before = try Data(contentsOf: place.file)
          try #expect(await program.run(arguments, .none).status == 0)
          var errorCount = 0
          for call in 1...(try program.callCount()) {
            try place.reset()
            let (status, diagnostics) = try await program.run(arguments, .call(call, .fail))
            // Locks are not what an append fails for.
            #expect(status == 0 || status == 3)
            let isNew = try place.hasNew()
            #expect(isNew == (status == 0))
            if status != 0 {
              errorCount += 1
              #expect(diagnostics.contains("No space left on device"))
              try #expect(Data(contentsOf: place.file) == before)
            }
            try place.appendNext()
          }
          #expect(errorCount > 8)
        }
      }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        var longest = 0.0
        for variant in CrashModels.variants {
          try place.reset()
          let start = ContinuousClock.now
          try #expect(await program.run(["append", place.file.path] + variant, .none).status == 0)
          longest = max(longest, (ContinuousClock.now - start) / .seconds(1))
        }
        for attempt in 0..<CrashModels.randomCount {
          try place.reset()
          let time = Double.random(in: 0...longest)
          let variant = CrashModels.variants[attempt % CrashModels.variants.count]
          let status = try await program.run(["append", place.file.path] + variant, .time(time)).status
          #expect(status == 0 || status == SIGKILL)
          let isNew = try place.hasNew()
          if status == 0 { #expect(isNew) }
          try place.appendNext()
        }
      }
    }
  }
#endif
