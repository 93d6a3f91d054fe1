#if os(Linux)
  import DocumentTestSupport
  import Foundation
  import GraphCodable
  import Testing

  /// Memory runs out in the middle of a save or a load.
  ///
  /// That is an error if the library requests it; otherwise Swift ends the process. The file is whole in either case.
  @Suite("Allocations", .serialized)
  struct AllocationTests {
    /// Saves or loads; the arguments are which of them, the file, and the compression.
    ///
    /// It leaves 0, or 3 where there was no memory and a second attempt has succeeded.
    private static let source = """
      import Foundation
      import GraphCodable

      struct Model: GCodable, Equatable {
        enum Key: String { case names, numbers, bytes }
        var names: [String] = (0..<4_000).map { "the name of number \\($0)" }
        var numbers: [UInt64] = (0..<200_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
        var bytes = Data(repeating: 7, count: 70_000)
        init() {}
        init(from decoder: GDecoder) throws {
          names = try decoder.decode(for: Key.names)
          numbers = try decoder.decode(for: Key.numbers)
          bytes = try decoder.decode(for: Key.bytes)
        }
        func encode(to encoder: GEncoder) throws {
          try encoder.encode(names, for: Key.names)
          try encoder.encode(numbers, for: Key.numbers)
          try encoder.encode(bytes, for: Key.bytes)
        }
      }

      func begin() {
        guard let address = dlsym(nil, "test_allocations_begin") else { return }
        unsafeBitCast(address, to: (@convention(c) () -> Void).self)()
      }

      let model = Model()
      let url = URL(fileURLWithPath: CommandLine.arguments[2])
      let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
      encoder.compression = CommandLine.arguments[3] == "none" ? .none : .lz4hc(level: 9)
      (encoder.threadCount, decoder.threadCount) = (1, 1)

      @MainActor func work() throws {
        switch CommandLine.arguments[1] {
        case "save": try encoder.write(model, to: url)
        case "encode": guard try GraphDecoder().decode(Model.self, from: encoder.encode(model) as Data) == model else { exit(5) }
        default: guard try decoder.read(Model.self, from: url) == model else { exit(5) }
        }
      }
      begin()
      do { try work() } catch let error as GCodableError where error.code == .noMemory {
        do { try work() } catch { exit(6) }
        exit(3)
      }
      """

    private struct Program {
      let folder: ProgramFolder
      let interposer: URL
      var file: URL { folder.url.appendingPathComponent("saved/a.graph") }
      private var countFile: URL { folder.url.appendingPathComponent("count") }

      static func with(_ body: (Self) async throws -> Void) async throws {
        try await ProgramFolder.with(source) { folder in
          let interposer = try await CrashingProgram.library("allocate", in: folder)
          let program = Self(folder: folder, interposer: interposer)
          try FileManager.default.createDirectory(
            at: program.file.deletingLastPathComponent(), withIntermediateDirectories: false)
          try await body(program)
        }
      }

      func run(_ arguments: [String], of kind: String, failing number: Int) async throws -> Int32 {
        let command = [
          "LD_PRELOAD=\(interposer.path)", "ALLOCATION_COUNT_FILE=\(countFile.path)", "ALLOCATION_OF=\(kind)",
          "ALLOCATION_AT=\(number)", folder.program.path,
        ]
        return try await folder.run(
          command + [arguments[0], file.path] + arguments.dropFirst(), timeLimit: 60
        ).exitStatus
      }

      func callCount() throws -> Int {
        try #require(Int(String(contentsOf: countFile, encoding: .utf8)))
      }

      /// Puts an older file, which nothing else is beside.
      func reset() throws {
        try GraphEncoder().write([1, 2, 3], to: file)
        try #expect(
          FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == [
            "a.graph"
          ])
      }

      /// Whether the new file is there; the older one must be, otherwise.
      func holdsNew() throws -> Bool {
        let archive = try GraphArchive(file)
        try archive.verify()
        guard try archive.item().kind != .record else {
          try #expect(archive.decode([UInt64].self, at: "numbers").count == 200_000)
          return true
        }
        try #expect(archive.decode([Int].self) == [1, 2, 3])
        return false
      }
    }

    @Test(arguments: ["none", "lz4hc"])
    func eachAllocationOfTheLibrarysOwnMayFail(compression: String) async throws {
      try await Program.with { program in
        for verb in ["save", "encode", "load"] {
          try program.reset()
          if verb == "load" {
            try #expect(await program.run(["save", compression], of: "checked", failing: 0) == 0)
          }
          try #expect(await program.run([verb, compression], of: "checked", failing: 0) == 0)
          let count = try program.callCount()
          #expect(count >= 2)
          var errorCount = 0
          for number in 1...count {
            if verb == "save" { try program.reset() }
            let status = try await program.run([verb, compression], of: "checked", failing: number)
            #expect(status == 0 || status == 3, "\(verb), allocation \(number) of \(count)")
            if status == 3 { errorCount += 1 }
            // By the second attempt.
            if verb == "save" { try #expect(program.holdsNew()) }
          }
          #expect(errorCount > 0)
        }
      }
    }

    /// Wherever Swift ends the process for lack of memory.
    @Test func aSaveThatIsEndedByItsRuntimeLeavesTheOldFileOrTheNew() async throws {
      try await Program.with { program in
        try program.reset()
        try #expect(await program.run(["save", "none"], of: "any", failing: 0) == 0)
        let count = try program.callCount()
        #expect(count > 20)
        var endCount = 0
        for number in stride(from: 1, through: count, by: max(count / 24, 1)) {
          try program.reset()
          let status = try await program.run(["save", "none"], of: "any", failing: number)
          let isNew = try program.holdsNew()
          if status == 0 { #expect(isNew) }
          if status != 0, status != 3 { endCount += 1 }
          // The next save removes what an ended process left.
          try program.reset()
        }
        #expect(endCount > 6)
      }
    }
  }
#endif
