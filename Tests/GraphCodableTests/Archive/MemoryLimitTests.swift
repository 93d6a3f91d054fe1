#if os(Linux)
  import Foundation
  import GraphCodable
  import GraphCodableTestSupport
  import Testing

  /// A process with little memory reads archives that would need much.
  @Suite("Too little memory")
  struct MemoryLimitTests {
    /// So small in the file that its size reveals nothing.
    private static let count = 240 << 20

    private struct Half: GPackedStruct, Equatable {
      var number: UInt64
      static let packedLayout = PackedLayout<Self>(\.number)
    }

    /// In processes of their own, because the limit holds for all threads.
    private static func expectNoMemory<Root: GDecodable>(_ type: Root.Type, from url: URL) {
      let error = #expect(throws: GCodableError.self) { try GraphDecoder().read(type, from: url) }
      #expect(error?.code == .noMemory)
      let bytes = try? Data(contentsOf: url)
      let inMemory = #expect(throws: GCodableError.self) { try GraphDecoder().decode(type, from: bytes!) }
      #expect(inMemory?.code == .noMemory)
    }

    static func limitMemory(to byteCount: UInt64) throws {
      let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let used =
        try #require(status.split(separator: " ").first.flatMap { UInt64($0) }) * UInt64(getpagesize())
      var limit = rlimit(rlim_cur: rlim_t(used + byteCount), rlim_max: .max)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    }

    private static func withFile<Root: GCodable>(of root: Root, _ body: (URL) throws -> Void) throws {
      let folder = try TemporaryFolder()
      try GraphEncoder().write(root, to: folder.file("a.graph"))
      try body(folder.file("a.graph"))
    }

    @Test func anArrayIsAnError() async {
      await #expect(processExitsWith: .success) {
        try Self.withFile(of: [UInt8](repeating: 0, count: Self.count)) { url in
          try Self.limitMemory(to: 200 << 20)
          Self.expectNoMemory([UInt8].self, from: url)
          Self.expectNoMemory(Data.self, from: url)
          Self.expectNoMemory(ContiguousArray<UInt8>.self, from: url)
          // It goes on.
          try #expect(
            GraphDecoder().decode([Int].self, from: GraphEncoder().encode(Array(0..<100_000)) as [UInt8])
              .count
              == 100_000)
        }
      }
    }

    /// Large arrays ask for a little more than they need.
    @Test func anArrayThatJustFitsIsReadAndOneThatDoesNotIsAnError() async {
      await #expect(processExitsWith: .success) {
        let count = 64 << 20 + 4 << 10
        let bytes: [UInt8] = try GraphEncoder().encode([UInt8](repeating: 7, count: count))
        let decoder = GraphDecoder()
        decoder.threadCount = 1
        var readCount = 0
        for step in 0..<32 {
          try Self.limitMemory(to: UInt64(count + step << 18))
          do {
            let array = try decoder.decode([UInt8].self, from: bytes)
            try #require(array.count == count && array.last == 7)
            readCount += 1
          } catch let error as GCodableError {
            try #require(error.code == .noMemory)
          }
        }
        #expect(readCount > 0 && readCount < 32)
      }
    }

    @Test func anArrayOfStructsIsAnError() async {
      await #expect(processExitsWith: .success) {
        try Self.withFile(of: [Half](repeating: Half(number: 0), count: Self.count / 8)) { url in
          try Self.limitMemory(to: 200 << 20)
          Self.expectNoMemory([Half].self, from: url)
        }
      }
    }

    @Test func aGraphStreamIsAnError() async {
      await #expect(processExitsWith: .success) {
        try Self.withFile(of: String(repeating: "x", count: Self.count)) { url in
          try Self.limitMemory(to: 200 << 20)
          Self.expectNoMemory(String.self, from: url)
        }
      }
    }
  }
#endif
