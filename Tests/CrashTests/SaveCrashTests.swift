#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it saves over an older file: then one of the two is there, in full.
  @Suite("Crashes while saving", .serialized)
  struct SaveCrashTests {
    /// A folder with the file in it.
    private struct Place: CrashPlace {
      let folder: URL
      let name = "a.graph"
      var file: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { ["save", file.path] }

      init(_ program: CrashingProgram) throws {
        folder = program.place("saved")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      }

      func create() throws { try GraphEncoder().write(CrashModels.old, to: file) }

      func saveNext() throws {
        try create()
        try checkAfterError()
      }

      func checkAfterError() throws {
        try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.graph"])
      }

      /// Whether the new model is there, or else the old one.
      func holdsNew() throws -> Bool {
        let model = try GraphDecoder().read([[UInt64]].self, from: file)
        if CrashModels.isSame(model, CrashModels.new) { return true }
        #expect(CrashModels.isSame(model, CrashModels.old))
        return false
      }
    }

    @Test func aProcessKilledAtAnyCallLeavesTheOldFileOrTheNew() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtEachCall(Place($0)) }
    }

    @Test func aFullDeviceAtAnyCallIsAnErrorAndLeavesNothingElse() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.failAtEachCall(Place($0)) }
    }

    @Test func aProcessKilledAtAnyTimeLeavesTheOldFileOrTheNew() async throws {
      try await CrashingProgram.with(CrashModels.source) { try await $0.killAtAnyTime(Place($0)) }
    }

    /// The result of a system crash depends on it, and no test can crash the system.
    @Test func bytesAreOnTheDeviceBeforeTheNameAndTheNameBeforeTheEnd() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        let place = try Place(program)
        for variant in CrashModels.variants {
          try place.reset()
          try #expect(await program.run(place.arguments + variant, .none).status == 0)
          let calls = try program.calls()
          let (file, folder) = try (CrashingProgram.number(place.file), CrashingProgram.number(place.folder))
          let lastWrite = try #require(calls.lastIndex(of: .init(name: "write", file: file)))
          let rest = calls[(lastWrite + 1)...].filter { $0.file == file || $0.file == folder }
          #expect(
            rest == [
              .init(name: "fsync", file: file), .init(name: "rename", file: file),
              .init(name: "fsync", file: folder),
            ])
        }
      }
    }
  }
#endif
