#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it appends to a series: then the entries of before are there, and perhaps the new one.
  @Suite("Crashes while appending", .serialized)
  struct AppendCrashTests {
    /// A folder with the series in it.
    private struct Place: CrashPlace {
      let folder: URL
      let oldCount: Int
      let hasTail: Bool
      let name = "a.series"
      var file: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { ["append", file.path] }

      /// A series with so many entries, or, without any, no file.
      ///
      /// - Parameter hasTail: another process has been killed before.
      init(_ program: CrashingProgram, oldCount: Int = 2, hasTail: Bool = false) throws {
        folder = program.place("appended")
        self.oldCount = oldCount
        self.hasTail = hasTail
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
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
      func holdsNew() throws -> Bool {
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
          try #expect(CrashModels.isSame(GraphDecoder().read([[UInt64]].self, from: entry), expected))
        }
      }

      func checkAfterError() throws {
        let end = try GraphArchiveSeries(file).last.map(recordOffset).map { $0 + 128 }
        try #expect(byteCount() == end)
        try #expect(GraphArchiveSeries(file).count == oldCount)
      }

      private func byteCount() throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64
      }

      private func recordOffset(_ entry: GraphArchiveSeries.Entry) -> UInt64 {
        (entry.offset + entry.storedByteCount + 63) / 64 * 64
      }

      /// Appends the next entry; nothing but entries may be in the file then, and nothing but the file in the folder.
      func saveNext() throws {
        do {
          let writer = try GraphArchiveSeries.Writer(file)
          try append(CrashModels.old, writer.series.count, "old", to: writer)
        }
        let series = try GraphArchiveSeries(file)
        try check(series)
        let last = try #require(series.last)
        #expect(last.metadata == ["kind": "old"])
        try #expect(byteCount() == recordOffset(last) + 128)
        try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.series"])
      }
    }

    /// Also when the series does not exist yet, and when another process has been killed before.
    @Test(arguments: [(2, false), (0, false), (2, true)])
    func aProcessKilledAtAnyCallLeavesTheEntriesOfBefore(oldCount: Int, hasTail: Bool) async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.killAtEachCall(Place($0, oldCount: oldCount, hasTail: hasTail))
      }
    }

    /// So that these tests of appending cover entries in pieces, too.
    @Test func whatIsAppendedSharesABlock() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        try #expect(await program.run(place.arguments + ["lz4", "3"], .none).status == 0)
        let new = try #require(try GraphArchiveSeries(place.file).last)
        #expect(new.metadata == ["kind": "new"])
        let places = try [0, 300].map { try #require(try new.fileOffset(ofByte: $0)) }
        #expect(places[0] > new.offset && places[1] < new.offset)
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.failAtEachCall(Place($0)) }
    }

    /// Also when what was written could not be removed at once, and was an entry already.
    @Test func theSameWriterAppendsAfterAnError() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        for variant in CrashModels.variants {
          let arguments = ["insist", place.file.path] + variant
          try place.reset()
          try #expect(await program.run(arguments, .none).status == 0)
          var successCount = 0
          for call in 1...(try program.callCount()) {
            try place.reset()
            // Before the writer is open, an error is not required.
            let status = try await program.run(arguments, .call(call, .fail2)).status
            #expect(status == 0 || status == 3)
            try #expect(place.holdsNew() == (status == 0))
            if status == 0 { successCount += 1 }
            try place.saveNext()
          }
          #expect(successCount > 8)
        }
      }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtAnyTime(Place($0)) }
    }

    /// The result of a system crash depends on it, and no test can crash the system.
    @Test(arguments: [(2, false), (0, false), (2, true)])
    func anArchiveIsOnTheDeviceBeforeItsRecordIsWritten(oldCount: Int, hasTail: Bool) async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program, oldCount: oldCount, hasTail: hasTail)
        for variant in CrashModels.variants {
          try place.reset()
          try #expect(await program.run(place.arguments + variant, .none).status == 0)
          let (file, folder) = try (CrashingProgram.number(place.file), CrashingProgram.number(place.folder))
          let calls = try program.calls().filter { $0.file == file || $0.file == folder }
          // Of the calls that change the file's bytes or bring something to the device, several of a kind as one.
          let steps = calls.filter { ["write", "fsync", "ftruncate"].contains($0.name) }
          let archive = CrashingProgram.Call(name: "write", file: file)
          let sync = CrashingProgram.Call(name: "fsync", file: file)
          var expected = [archive, sync, archive, sync]
          if oldCount == 0 { expected = [archive, sync, .init(name: "fsync", file: folder)] + expected }
          if hasTail { expected = [.init(name: "ftruncate", file: file)] + expected }
          #expect(steps.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == expected)
          // The record is one write.
          #expect(steps.suffix(3) == [sync, archive, sync])
        }
      }
    }
  }
#endif
