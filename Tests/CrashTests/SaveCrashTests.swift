#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it saves over an older file: then one of the two is there, in full.
  @Suite("Crashes while saving", .serialized)
  struct SaveCrashTests {
    /// A folder with the file in it.
    private struct Place {
      let folder: URL
      var file: URL { folder.appendingPathComponent("a.graph") }

      init(_ program: CrashingProgram) throws {
        folder = program.folder.url.appendingPathComponent("saved-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      }

      /// Saves the old model, as the next save after whatever happened; nothing else may be left then.
      func reset() throws {
        try GraphEncoder().write(CrashModels.old, to: file)
        try #expect(names() == ["a.graph"])
      }

      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      }

      /// Whether the new model is there, or else the old one.
      func holdsNew() throws -> Bool {
        let model = try GraphDecoder().read([[UInt64]].self, from: file)
        if model == CrashModels.new { return true }
        #expect(model == CrashModels.old)
        return false
      }
    }

    @Test func aProcessKilledAtAnyCallLeavesTheOldFileOrTheNew() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        for variant in CrashModels.variants {
          try place.reset()
          try #expect(await program.run(["save", place.file.path] + variant, .none).status == 0)
          try #expect(place.holdsNew())
          // Created, locked, four blocks, two leads, contents, header, permissions, two syncs, a name.
          let callCount = try program.callCount()
          #expect(callCount > 10)
          for mode in [CrashingProgram.Fate.Mode.kill, .half] {
            var (oldCount, newCount, leftCount) = (0, 0, 0)
            for call in 1...callCount {
              try place.reset()
              try #expect(
                await program.run(["save", place.file.path] + variant, .call(call, mode)).status == SIGKILL)
              if try place.holdsNew() { newCount += 1 } else { oldCount += 1 }
              leftCount += try place.names().count - 1
            }
            // Killed before the name changes hands, and after.
            #expect(oldCount > 8 && newCount > 0)
            #expect(leftCount > 8)
            try place.reset()
          }
        }
      }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesNothingElse() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        for variant in CrashModels.variants {
          try place.reset()
          try #expect(await program.run(["save", place.file.path] + variant, .none).status == 0)
          var errorCount = 0
          for call in 1...(try program.callCount()) {
            try place.reset()
            let (status, diagnostics) = try await program.run(
              ["save", place.file.path] + variant, .call(call, .fail))
            // Locks and permissions are not what a save fails for.
            #expect(status == 0 || status == 3)
            let isNew = try place.holdsNew()
            if status == 0 {
              #expect(isNew)
            } else {
              errorCount += 1
              #expect(diagnostics.contains("No space left on device"))
            }
            try #expect(place.names() == ["a.graph"])
          }
          #expect(errorCount > 8)
        }
      }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheOldFileOrTheNew() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        var longest = 0.0
        for variant in CrashModels.variants {
          try place.reset()
          let start = ContinuousClock.now
          try #expect(await program.run(["save", place.file.path] + variant, .none).status == 0)
          longest = max(longest, (ContinuousClock.now - start) / .seconds(1))
        }
        for attempt in 0..<CrashModels.randomCount {
          try place.reset()
          let time = Double.random(in: 0...longest)
          let variant = CrashModels.variants[attempt % CrashModels.variants.count]
          let status = try await program.run(["save", place.file.path] + variant, .time(time)).status
          #expect(status == 0 || status == SIGKILL)
          let isNew = try place.holdsNew()
          if status == 0 { #expect(isNew) }
        }
        try place.reset()
      }
    }
  }
#endif
