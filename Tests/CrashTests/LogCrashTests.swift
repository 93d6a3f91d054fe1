#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  /// A process ends while it appends to a stream of messages: then all of the frames that it finished are there.
  @Suite("Crashes while writing messages", .serialized)
  struct LogCrashTests {
    /// How messages are written.
    private enum Form: String, CaseIterable {
      case each = "log"
      case run = "log-run"

      /// How many messages there are in the end.
      var count: UInt64 { self == .each ? 14 : 40 }
    }

    /// A message of both forms.
    private struct Event: GCodable, Equatable {
      let number: UInt64
      let square: UInt64

      private enum Key: String { case number, square }

      init(_ number: UInt64) { (self.number, square) = (number, number * number) }

      init(from decoder: GDecoder) throws {
        number = try decoder.decode(for: Key.number)
        square = try decoder.decode(for: Key.square)
      }

      func encode(to encoder: GEncoder) throws {
        try encoder.encode(number, for: Key.number)
        try encoder.encode(square, for: Key.square)
      }
    }

    private struct Place: CrashPlace {
      let folder: URL
      let form: Form
      let oldCount: UInt64
      let name = "a.gclog"
      var file: URL { folder.appendingPathComponent(name) }
      var arguments: [String] { [form.rawValue, file.path] }

      /// - Parameter oldCount: how many messages there are; without any, there is no file.
      init(_ program: CrashingProgram, _ form: Form, oldCount: UInt64) throws {
        folder = program.place("logged \(form.rawValue)")
        (self.form, self.oldCount) = (form, oldCount)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try reset()
      }

      func create() throws {
        if oldCount > 0 { try append(to: oldCount) }
      }

      private func append(to count: UInt64) throws {
        let log = try GraphMessageWriter(file)
        while log.nextNumber < count { try log.write(Event(log.nextNumber)) }
        try log.close()
      }

      /// How many messages there are, which follow each other.
      private func count() throws -> UInt64 {
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let log = try GraphMessageReader(file)
        while let message = try log.next(Event.self) { #expect(message == Event(log.nextNumber - 1)) }
        return log.nextNumber
      }

      func holdsNew() throws -> Bool {
        let count = try count()
        #expect((oldCount...form.count).contains(count))
        return count == form.count
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
          for form in Form.allCases {
            try await program.killAtEachCall(Place(program, form, oldCount: oldCount))
          }
        }
      }
    }

    @Test func killedAtAnyTimeAllWholeFramesAreRead() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        for form in Form.allCases { try await program.killAtAnyTime(Place(program, form, oldCount: 2)) }
      }
    }

    @Test func afterAnErrorOfTheSystemTheOthersAreThere() async throws {
      try await CrashingProgram.with(CrashModels.source) { program in
        for form in Form.allCases { try await program.failAtEachCall(Place(program, form, oldCount: 2)) }
      }
    }
  }
#endif
