#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it appends to a stream of messages: then all of the frames that it finished are there.
  @Suite("Crashes while writing messages", .serialized)
  struct LogCrashTests {
    private struct Place: CrashPlace {
      let folder: URL
      let oldCount: UInt64
      let name = "a.gclog"
      var file: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { ["log", file.path] }

      /// - Parameter oldCount: how many messages there are; without any, there is no file.
      init(_ program: CrashingProgram, oldCount: UInt64) throws {
        folder = program.place("logged")
        self.oldCount = oldCount
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
        if oldCount > 0 { try append(to: oldCount) }
      }

      private func append(to count: UInt64) throws {
        let log = try GraphMessageWriter(file)
        while log.nextNumber < count {
          try log.write(["number": log.nextNumber, "square": log.nextNumber * log.nextNumber])
        }
        try log.close()
      }

      /// How many messages there are, which follow each other.
      private func count() throws -> UInt64 {
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let log = try GraphMessageReader(file)
        while let message = try log.next([String: UInt64].self) {
          let number = log.nextNumber - 1
          #expect(message == ["number": number, "square": number * number])
        }
        return log.nextNumber
      }

      func holdsNew() throws -> Bool {
        let count = try count()
        #expect((oldCount...14).contains(count))
        return count == 14
      }

      func saveNext() throws {
        let next = try count() + 1
        try append(to: next)
        #expect(try count() == next)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["a.gclog"])
      }

      func checkAfterError() throws { _ = try holdsNew() }
    }

    @Test func killedAtEachCallAllWholeFramesAreRead() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        for oldCount in [0, 2] as [UInt64] {
          try await program.killAtEachCall(Place(program, oldCount: oldCount))
        }
      }
    }

    @Test func killedAtAnyTimeAllWholeFramesAreRead() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        try await program.killAtAnyTime(Place(program, oldCount: 2))
      }
    }

    @Test func afterAnErrorOfTheSystemTheOthersAreThere() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        try await program.failAtEachCall(Place(program, oldCount: 2))
      }
    }
  }
#endif
