#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it appends to a folder of archives, or removes some.
  @Suite("Crashes of folders", .serialized)
  struct FolderCrashTests {
    /// A folder with the series, which is a folder, in it.
    private struct Place: CrashPlace {
      let folder: URL
      let oldCount: Int
      let action: String
      let name = "run"
      var series: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { [action, series.path] }

      init(_ program: CrashingProgram, oldCount: Int = 2, action: String = "folder") throws {
        folder = program.place("folder")
        (self.oldCount, self.action) = (oldCount, action)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
        guard oldCount > 0 else { return }
        let writer = try GraphArchiveSeries.Writer(folder: series)
        for step in 0..<oldCount { try append(step, to: writer) }
      }

      private func append(_ step: Int, to writer: GraphArchiveSeries.Writer) throws {
        try GraphEncoder().append(
          CrashModels.old, to: writer, step: step, time: Double(step), metadata: ["kind": "old"])
      }

      /// Whether there is the new entry, or it alone; all others must be there until it is.
      func holdsNew() throws -> Bool {
        guard FileManager.default.fileExists(atPath: series.path) else { return false }
        let entries = try GraphArchiveSeries(folder: series)
        try check(entries)
        let isNew = entries.last?.metadata == ["kind": "new"]
        let numbers = entries.map(\.number)
        if !isNew { #expect(numbers == Array(0..<oldCount)) }
        if action == "folder" {
          #expect(numbers == Array(0..<(isNew ? oldCount + 1 : oldCount)))
        } else {
          // Some of the old ones are removed, from the first one on.
          if isNew { #expect(numbers == Array(numbers[0]...oldCount)) }
        }
        return isNew
      }

      private func check(_ entries: GraphArchiveSeries) throws {
        #expect(entries.damage.isEmpty)
        try GraphDecoder().verify(entries)
        for entry in entries {
          #expect((entry.step, entry.time) == (entry.number, Double(entry.number)))
          let expected = entry.metadata == ["kind": "new"] ? CrashModels.new : CrashModels.old
          try #expect(CrashModels.isSame(GraphDecoder().read([[UInt64]].self, from: entry), expected))
        }
      }

      func checkAfterError() throws { try #expect(GraphArchiveSeries(folder: series).count <= oldCount + 1) }

      /// Appends the next entry; nothing but entries and their index may be in the folder then.
      func saveNext() throws {
        do {
          let writer = try GraphArchiveSeries.Writer(folder: series)
          try append(writer.series.last.map { $0.number + 1 } ?? 0, to: writer)
        }
        let entries = try GraphArchiveSeries(folder: series)
        try check(entries)
        #expect(entries.last?.metadata == ["kind": "old"])
        let names = try FileManager.default.contentsOfDirectory(atPath: series.path)
        #expect(Set(names) == Set(entries.compactMap { $0.url?.lastPathComponent } + ["index.gcodable"]))
      }
    }

    @Test(arguments: [(2, "folder"), (0, "folder"), (3, "prune")])
    func aProcessKilledAtAnyCallLeavesTheEntriesOfBefore(oldCount: Int, action: String) async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.killAtEachCall(Place($0, oldCount: oldCount, action: action))
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.failAtEachCall(Place($0)) }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheEntriesOfBefore() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtAnyTime(Place($0)) }
    }
  }
#endif
