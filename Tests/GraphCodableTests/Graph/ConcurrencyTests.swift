import Foundation
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

  /// What is found out about a type is kept for all coders, so threads may find it out at once.
  @Test func typesAreMetFirstByManyThreadsAtOnce() throws {
    let results = Results(count: 8)
    DispatchQueue.concurrentPerform(iterations: results.count) { thread in
      results.wait()
      // Each instance is a type of its own, with keys of its own, that nothing else in the tests uses.
      results[thread] =
        Fresh<String>.copies + Fresh<Int>.copies + Fresh<Fresh<Int>>.copies + Fresh<[Int?]>.copies
    }
    for texts in results.texts { #expect(texts == results.texts[0]) }
    #expect(results.texts[0].count == 8)
    #expect(results.texts[0].allSatisfy { $0.hasPrefix("same") }, "\(results.texts[0])")
  }

  @Test func typedAndCodableModelsShareCoders() async throws {
    try await withThrowingTaskGroup { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<60 {
            let list = Array(repeating: "text \(thread) \(round)", count: round)
            if (thread + round).isMultiple(of: 2) {
              try #expect(roundTrip(["a": list]) == ["a": list])
            } else {
              let bytes = try GraphEncoder().encode(codable: Note(lines: list)) as Bytes
              try #expect(GraphDecoder().decode(codable: Note.self, from: bytes).lines == list)
              #expect(throws: GCodableError.self) { try GraphDecoder().decode([Int].self, from: bytes) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private struct Note: Codable { var lines: [String] }

  /// A place for what each thread finds.
  private final class Results: @unchecked Sendable {
    // `@unchecked`: `lock` guards all.
    private let lock = NSCondition()
    private var waiting = 0
    private(set) var texts: [[String]]

    init(count: Int) { texts = Array(repeating: [], count: count) }

    var count: Int { texts.count }

    subscript(thread: Int) -> [String] {
      get { lock.withLock { texts[thread] } }
      set { lock.withLock { texts[thread] = newValue } }
    }

    /// Waits until a second thread is here; there may be no more at once.
    func wait() {
      lock.withLock {
        waiting += 1
        lock.broadcast()
        while waiting < 2, lock.wait(until: Date(timeIntervalSinceNow: 1)) {}
      }
    }
  }
}

/// A type for each argument.
private struct Fresh<Value: Codable & GCodable & Equatable>: Codable, GCodable, Equatable {
  var value: Value?
  var others: [Fresh] = []

  private enum Key: String, CodingKey { case value, others }

  init(_ others: [Fresh]) { self.others = others }

  init(from decoder: GDecoder) throws {
    others = try decoder.decode(for: Key.others)
    value = try decoder.decode(for: Key.value)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(value, for: Key.value)
    try encoder.encode(others, for: Key.others)
  }

  /// What becomes of a typed and a `Codable` copy.
  static var copies: [String] {
    let model = Fresh([Fresh([]), Fresh([Fresh([])])])
    func text(_ copy: () throws -> Fresh) -> String {
      do { return try copy() == model ? "same \(Value.self)" : "other" } catch { return "\(error)" }
    }
    return [
      text { try roundTrip(model) },
      text {
        try GraphDecoder().decode(codable: Fresh.self, from: GraphEncoder().encode(codable: model) as Bytes)
      },
    ]
  }
}
