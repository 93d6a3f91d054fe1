#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it rewrites a series: then the old or the new one is there, whole.
  @Suite("Crashes while series are written anew", .serialized)
  struct ReplaceCrashTests {
    /// A folder with the series in it.
    private struct Place: CrashPlace {
      let folder: URL
      /// `retain`, `copy` or `compact`.
      let action: String
      let name = "a.series"
      var file: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { [action, file.path] }

      init(_ program: CrashingProgram, _ action: String) throws {
        folder = program.place(action)
        self.action = action
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      /// Four entries, then the remains of a killed process, so that the file becomes shorter.
      func create() throws {
        do {
          let writer = try GraphArchiveSeries.Writer(file)
          for step in 0..<4 {
            try GraphEncoder().append(CrashModels.old, to: writer, step: step, time: Double(step))
          }
        }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(count: 64))
        try handle.close()
      }

      /// Nothing is lost and nothing is there twice.
      func holdsNew() throws -> Bool {
        let series = try GraphArchiveSeries(file)
        try check(series)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64
        guard action == "compact" else {
          #expect(series.count == 4 || series.count == 3)
          return series.count == 3
        }
        #expect(series.count == 4)
        return size == series.byteCount
      }

      private func check(_ series: GraphArchiveSeries) throws {
        try GraphDecoder().verify(series)
        for (number, entry) in series.enumerated() {
          #expect(entry.number == number && entry.step == number + 4 - series.count)
          try #expect(CrashModels.isSame(GraphDecoder().read([[UInt64]].self, from: entry), CrashModels.old))
        }
      }

      /// The new one is in its place where the last step of all has failed, to bring its name to the device.
      func checkAfterError() throws { try #expect([3, 4].contains(GraphArchiveSeries(file).count)) }

      /// Also removes the remains of the process.
      func saveNext() throws {
        let writer = try GraphArchiveSeries.Writer(file)
        try writer.retain(last: 1)
        try check(writer.series)
        #expect(writer.series.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["a.series", "a.series.gcodable-lock"])
      }
    }

    @Test(arguments: ["retain", "copy", "compact"])
    func aProcessKilledAtAnyCallLeavesTheOldSeriesOrTheNewOne(action: String) async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtEachCall(Place($0, action)) }
    }

    @Test(arguments: ["retain", "copy"])
    func aFullDeviceAtAnyCallIsAnErrorAndLeavesTheOldSeries(action: String) async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.failAtEachCall(Place($0, action)) }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheOldSeriesOrTheNewOne() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtAnyTime(Place($0, "retain")) }
    }
  }
#endif
