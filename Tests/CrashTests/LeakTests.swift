#if os(Linux)
  import DocumentTestSupport
  import Foundation
  import Testing

  /// What fails gives back all that it had taken.
  @Suite("Leaks", .serialized)
  struct LeakTests {
    /// Fails in all the ways that the files of a folder lead to, round after round, and says how many blocks of memory
    /// are in use after each round, and how many errors a round has.
    private static let source = """
      import Foundation
      import GraphCodable

      final class Node: GCodable {
        enum Key: String { case next, back, numbers, value }
        var next: Node?
        var back: Node?
        var numbers: [Double] = (0..<50).map { Double($0) }
        var value = "a text that is longer than fifteen bytes"
        init(_ next: Node?) { self.next = next }
        init(from decoder: GDecoder) throws {
          next = try decoder.decode(for: Key.next)
          numbers = try decoder.decode(for: Key.numbers)
          value = try decoder.decode(for: Key.value)
          try decoder.deferDecode(for: Key.back) { [weak self] in self?.back = $0 }
          // Those around it are half made.
          if value == "fail" { throw CocoaError(.coderInvalidValue) }
        }
        func encode(to encoder: GEncoder) throws {
          try encoder.encode(next, for: Key.next)
          try encoder.encode(numbers, for: Key.numbers)
          try encoder.encode(value, for: Key.value)
          try encoder.encodeConditional(back, for: Key.back)
        }
      }

      struct Plain: Codable {
        var name: String
        var parts: [Plain]
        var counts: [String: Int]
      }

      func chain(failing place: Int, of count: Int) throws -> [UInt8] {
        var node: Node?
        for number in 0..<count {
          node = Node(node)
          if number == place { node?.value = "fail" }
        }
        return try GraphEncoder().encode(node!)
      }

      let folder = URL(fileURLWithPath: CommandLine.arguments[1])
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { $0.hasSuffix(".gcodable") }.map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
      let chains = try (0..<10).map { try chain(failing: $0 * 40, of: 400) }
      let nested = (0..<20).reduce(Plain(name: "a", parts: [], counts: ["a": 1])) { part, _ in
        Plain(name: "a name that is longer", parts: [part], counts: [:])
      }
      let plain: [UInt8] = try GraphEncoder().encode(codable: nested)
      let address = dlsym(nil, "test_allocations_live")
      let live = unsafeBitCast(address, to: (@convention(c) () -> Int).self)

      var errorCount = 0
      // Blocks that each kind of attempt has left, for who looks for a leak.
      var left = [Int](repeating: 0, count: 12)
      @MainActor func attempt(_ kind: Int, _ body: () throws -> Void) {
        let before = live()
        do { try body() } catch { errorCount += 1 }
        left[kind] += live() - before
      }

      @MainActor func round() {
        for bytes in files {
          attempt(0) { _ = try GraphDecoder().decode([String: [Int]].self, from: bytes) }
          attempt(1) { _ = try GraphDecoder().decode(Node.self, from: bytes) }
          attempt(2) { _ = try GraphDecoder().decode(codable: Plain.self, from: bytes) }
          attempt(3) { try GraphArchive(bytes).verify() }
          attempt(4) { _ = try GraphArchive(bytes).dump() }
          attempt(5) { _ = try GraphArchive(bytes).item(at: "next.next") }
          attempt(6) { _ = try GraphArchive(bytes).damage() }
        }
        for bytes in chains {
          attempt(7) { _ = try GraphDecoder().decode(Node.self, from: bytes) }
          attempt(8) { _ = try GraphArchive(bytes).decode(Node.self, at: "next.next.next") }
          attempt(9) { _ = try GraphDecoder().decode(codable: Plain.self, from: bytes) }
        }
        for count in stride(from: 0, to: plain.count, by: 3) {
          attempt(10) { _ = try GraphDecoder().decode(codable: Plain.self, from: plain.prefix(count)) }
        }
        attempt(11) { _ = try GraphDecoder().decode(codable: [Int].self, from: plain) }
      }

      for _ in 0..<5 {
        errorCount = 0
        for kind in left.indices { left[kind] = 0 }
        round()
        let texts = ([live(), errorCount] + left).map(String.init).joined(separator: " ")
        FileHandle.standardError.write(Data((texts + "\\n").utf8))
      }
      """

    /// A processor that the process may use.
    ///
    /// With several, each loop of Dispatch keeps a little for the next ones.
    private static func processor() throws -> String {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let list = try #require(status.firstMatch(of: /Cpus_allowed_list:\s*(\d+)/))
      return String(list.1)
    }

    @Test func errorsLeakNothing() async throws {
      try await ProgramFolder.with(Self.source) { folder in
        let library = try await CrashingProgram.library("allocate", in: folder)
        let corpus = PackageFolder.root.appendingPathComponent("Tests/Corpus/invalid")
        let result = try await folder.run(
          [
            "taskset", "-c", try Self.processor(), "env", "LD_PRELOAD=\(library.path)", folder.program.path,
            corpus.path,
          ], timeLimit: 1_200)
        try #require(result.exitStatus == 0, "\(result.diagnostics)")
        let rounds = result.diagnostics.split(separator: "\n").map { line in
          line.split(separator: " ").compactMap { Int($0) }
        }
        try #require(rounds.count == 5)
        #expect(rounds.allSatisfy { $0[1] > 1_000 })
        // What is made once, such as metadata of types and coders that wait for more, is there after some rounds.
        #expect(Set(rounds.suffix(3).map { $0[0] }).count == 1, "\(rounds)")
      }
    }
  }
#endif
