#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it writes the parts of a set, or commits it: the set of before or the new one is there, and complete.
  @Suite("Crashes of sets", .serialized)
  struct SetCrashTests {
    /// A folder with the set, which is a folder, in it.
    private struct Place: CrashPlace {
      let folder: URL
      let hasOld: Bool
      let name = "state"
      var state: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { ["set", state.path] }

      init(_ program: CrashingProgram, hasOld: Bool = true) throws {
        folder = program.place("sets")
        self.hasOld = hasOld
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
        if hasOld { try saveOld() }
      }

      private func saveOld() throws {
        let writer = try GraphArchiveSet.Writer(state)
        let receipts = try (0..<2).map { try writer.part($0, of: 2).write(CrashModels.small) }
        try writer.commit(receipts, step: 1, time: 0)
      }

      func holdsNew() throws -> Bool {
        let manifest = state.appendingPathComponent("set.gcodable")
        guard FileManager.default.fileExists(atPath: manifest.path) else {
          #expect(!hasOld)
          return false
        }
        let set = try GraphArchiveSet(state)
        try set.verify()
        let isNew = set.step == 2
        #expect(isNew || (set.step == 1 && hasOld))
        #expect(set.partCount == (isNew ? 3 : 2))
        let expected = isNew ? CrashModels.new : CrashModels.small
        for part in 0..<set.partCount {
          try #expect(CrashModels.isSame(set.part(part).decode([[UInt64]].self), expected))
        }
        return isNew
      }

      func checkAfterError() throws { _ = try holdsNew() }

      /// Saves a set of two parts; nothing else may be in the folder then.
      func saveNext() throws {
        try saveOld()
        try GraphArchiveSet(state).verify()
        let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
        let set = try GraphArchiveSet(state)
        #expect(Set(names) == Set((0..<2).map { set.partURL($0).lastPathComponent } + ["set.gcodable"]))
      }
    }

    @Test(arguments: [true, false])
    func aProcessKilledAtAnyCallLeavesTheSetOfBeforeOrTheNew(hasOld: Bool) async throws {
      try await CrashingProgram.with(CrashModels.source) {
        try await $0.killAtEachCall(Place($0, hasOld: hasOld))
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesACompleteSet() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.failAtEachCall(Place($0)) }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheSetOfBeforeOrTheNew() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtAnyTime(Place($0)) }
    }

    /// The result of a system crash depends on it, and no test can crash the system.
    @Test func partsAreOnTheDeviceBeforeTheManifestHasItsName() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        try #expect(await program.run(place.arguments + CrashModels.variants[0], .none).status == 0)
        let set = try GraphArchiveSet(place.state)
        let calls = try program.calls()
        let manifest = try CrashingProgram.number(place.state.appendingPathComponent("set.gcodable"))
        let folder = try CrashingProgram.number(place.state)
        let commit = try #require(calls.firstIndex(of: .init(name: "rename", file: manifest)))
        for part in 0..<set.partCount {
          let number = try CrashingProgram.number(set.partURL(part))
          let own = calls.indices.filter { calls[$0].file == number && calls[$0].name != "flock" }
          #expect(own.map { calls[$0].name }.suffix(2) == ["fsync", "rename"])
          let rename = try #require(own.last)
          // The folder's names, too.
          #expect(calls[rename..<commit].contains(.init(name: "fsync", file: folder)))
        }
        let last = calls[..<commit].last { $0.file == manifest && $0.name != "flock" }
        #expect(last == .init(name: "fsync", file: manifest))
      }
    }
  }
#endif
