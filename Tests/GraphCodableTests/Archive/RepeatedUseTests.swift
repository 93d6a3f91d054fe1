#if os(Linux)
  import Foundation
  import GraphCodable
  import GraphCodableTestSupport
  import Testing

  /// A service opens one archive after the other for weeks.
  @Suite("Processes that go on for long")
  struct RepeatedUseTests {
    /// In a process of its own, because other tests take memory meanwhile.
    @Test func openingAgainAndAgainTakesNoMoreMemory() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        let model = (0..<2).map { part in
          (0..<25_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(part) }
        }
        let writer = try GraphArchiveSet.Writer(folder.file("set"))
        try writer.commit(
          (0..<4).map { try writer.part($0, of: 4).write(model) }, step: 0, time: 0)
        func turn() throws {
          let set = try GraphArchiveSet(folder.file("set"))
          try set.verify()
          for part in 0..<4 { try #require(set.part(part).decode([[UInt64]].self) == model) }
        }
        for _ in 0..<60 { try turn() }
        let before = try ProcessMemory.resident()
        for _ in 0..<400 { try turn() }
        let growth = try ProcessMemory.resident() - before
        #expect(growth < 20 << 10, "\(growth) KB")
      }
    }
  }
#endif
