#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it adds a set to a series, or removes some: each set is complete or not there.
  @Suite("Crashes of series of sets", .serialized)
  struct SetSeriesCrashTests {
    /// A folder with the series, which is a folder, in it.
    private struct Place: CrashPlace {
      let folder: URL
      let oldCount: Int
      let action: String
      let name = "run"
      var series: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { [action, series.path] }

      init(_ program: CrashingProgram, oldCount: Int, action: String) throws {
        folder = program.place("series")
        (self.oldCount, self.action) = (oldCount, action)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
        guard oldCount > 0 else { return }
        let writer = try GraphArchiveSetSeries.Writer(series)
        for _ in 0..<oldCount { try append(to: writer) }
      }

      private func append(to writer: GraphArchiveSetSeries.Writer) throws {
        let set = try writer.begin()
        let receipts = try (0..<2).map { try set.part($0, of: 2).write(CrashModels.small) }
        try set.commit(receipts, step: 1, time: 0)
      }

      /// Whether there is the new set, or it alone; all others must be there until it is.
      func holdsNew() throws -> Bool {
        guard FileManager.default.fileExists(atPath: series.path) else {
          #expect(oldCount == 0)
          return false
        }
        let sets = try GraphArchiveSetSeries(series)
        try check(sets)
        let isNew = sets.last?.step == 2
        let old = sets.prefix { $0.step == 1 }.map(\.number)
        #expect(sets.count == old.count + (isNew ? 1 : 0))
        if action == "sets" || !isNew {
          #expect(old == Array(0..<oldCount))
        } else {
          // Some are removed, from the first one on.
          #expect(old == Array((old.first ?? oldCount)..<oldCount))
        }
        return isNew
      }

      private func check(_ sets: GraphArchiveSetSeries) throws {
        #expect(sets.damage.isEmpty)
        for entry in sets {
          let set = try GraphArchiveSet(entry)
          try set.verify()
          #expect((set.partCount, set.step) == (entry.step == 2 ? 3 : 2, entry.step))
          let expected = entry.step == 2 ? CrashModels.new : CrashModels.small
          for part in 0..<set.partCount {
            try #expect(CrashModels.isSame(set.part(part).decode([[UInt64]].self), expected))
          }
        }
      }

      func checkAfterError() throws { _ = try holdsNew() }

      /// Adds the next set; nothing but sets and their index may be in the folder then.
      func saveNext() throws {
        do { try append(to: GraphArchiveSetSeries.Writer(series)) }
        let sets = try GraphArchiveSetSeries(series)
        try check(sets)
        #expect(sets.last?.step == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: series.path)
        #expect(Set(names) == Set(sets.map(\.url.lastPathComponent) + ["index.gcodable"]))
        for entry in sets {
          let set = try GraphArchiveSet(entry)
          let files = (0..<set.partCount).map { set.partURL($0).lastPathComponent }
          let names = try FileManager.default.contentsOfDirectory(atPath: entry.url.path)
          #expect(Set(names) == Set(files + ["set.gcodable"]))
        }
      }
    }

    @Test(arguments: [(0, "sets"), (2, "prune-sets")])
    func aProcessKilledAtAnyCallLeavesWholeSets(oldCount: Int, action: String) async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.killAtEachCall(Place($0, oldCount: oldCount, action: action))
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesWholeSets() async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.failAtEachCall(Place($0, oldCount: 2, action: "prune-sets"))
      }
    }

    @Test func aProcessKilledAtAnyTimeLeavesWholeSets() async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.killAtAnyTime(Place($0, oldCount: 2, action: "prune-sets"))
      }
    }

    /// The result of a system crash depends on it, and no test can crash the system.
    @Test func setsAreOffTheListOnTheDeviceBeforeTheirFilesAreRemoved() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program, oldCount: 3, action: "prune-sets")
        let sets = try GraphArchiveSetSeries(place.series)
        let (folder, folders) = try (
          CrashingProgram.number(place.series), sets.map { try CrashingProgram.number($0.url) }
        )
        let parts = try sets.flatMap { entry in
          let set = try GraphArchiveSet(entry)
          return try (0..<set.partCount).map { try CrashingProgram.number(set.partURL($0)) }
        }
        try #expect(await program.run(place.arguments + CrashModels.variants[0], .none).status == 0)
        let calls = try program.calls()
        let renames = calls.indices.filter { calls[$0].name == "rename" && folders.contains(calls[$0].file) }
        #expect(renames.count == 3)
        let removals = calls.indices.filter {
          calls[$0].name.hasPrefix("unlink") && parts.contains(calls[$0].file)
        }
        #expect(removals.count == 6)
        let last = try #require(renames.last)
        let first = try #require(removals.first)
        try #require(last < first)
        #expect(calls[last..<first].contains(.init(name: "fsync", file: folder)))
      }
    }
  }
#endif
