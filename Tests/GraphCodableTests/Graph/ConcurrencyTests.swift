import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Threads")
struct ConcurrencyTests {
  @Test func codersOnDifferentThreadsDoNotDisturbEachOther() async throws {
    let differences = try await withThrowingTaskGroup(of: String?.self) { group in
      for seed in 0..<8 as Range<UInt64> {
        group.addTask {
          for round in 0..<40 as Range<UInt64> {
            let graph = ModelGraph(seed: seed * 1000 + round, maximumCount: 40)
            defer { graph.breakUp() }
            let copy = try roundTrip(graph.root)
            defer { ModelGraph(root: copy).breakUp() }
            if let difference = difference(original: graph.root, copy: copy) { return difference }
          }
          return nil
        }
      }
      return try await group.reduce(into: [String]()) { if let difference = $1 { $0.append(difference) } }
    }
    #expect(differences.isEmpty)
  }
}
