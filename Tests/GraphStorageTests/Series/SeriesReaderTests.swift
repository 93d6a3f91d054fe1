import Foundation
import GraphCodable
import Testing

/// Readers see whole entries, whatever a writer does meanwhile.
@Suite("Readers of a series that grows")
struct SeriesReaderTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  /// What several threads found wrong.
  private final class Findings: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []
    private var done = false
    var all: [String] { lock.withLock { texts } }
    var isDone: Bool {
      get { lock.withLock { done } }
      set { lock.withLock { done = newValue } }
    }
    func add(_ text: String) { lock.withLock { texts.append(text) } }
  }

  /// The root of entry `number`: some are small, some of several blocks.
  private static func model(_ number: Int) -> [Int] {
    Array(repeating: number, count: number % 3 == 0 ? 300_000 : 5)
  }

  /// Reads until `findings` say that the writer is done.
  private static func read(_ url: URL, anew: Bool, _ findings: Findings) -> Int {
    var (roundCount, count) = (0, 0)
    do {
      var series = try GraphArchiveSeries(url)
      while true {
        let isLastRound = findings.isDone
        if anew { series = try GraphArchiveSeries(url) } else { try series.update() }
        if series.count < count { findings.add("entries have gone") }
        if !series.damage.isEmpty { findings.add("damage: \(series.damage)") }
        for entry in series[Swift.max(0, count - 2)...] {
          let root = try GraphDecoder().read([Int].self, from: entry)
          if root != Self.model(entry.number) { findings.add("entry \(entry.number) is not what it was") }
        }
        count = series.count
        roundCount += 1
        if isLastRound { return count }
      }
    } catch {
      findings.add("\(error)")
      return count
    }
  }

  @Test(arguments: [false, true])
  func theySeeWholeEntriesWhileOthersAreAppendedAndTailsRemoved(isKilledAgainAndAgain: Bool) throws {
    let findings = Findings()
    let entryCount = 60
    var writer: GraphArchiveSeries.Writer? = try .init(url)
    let (url, place) = (url, place)
    let counts = Counts(readerCount: 3)
    let readers = (0..<3).map { reader in
      Thread { counts.set(reader, Self.read(url, anew: reader != 0, findings)) }
    }
    for reader in readers { reader.start() }
    for number in 0..<entryCount {
      if isKilledAgainAndAgain, number % 2 == 1 {
        // What it leaves when it is killed: the beginning of an entry, with or without the archive's header.
        writer = nil
        let bytes = try place.bytes()
        let start = 64
        let torn = Array(bytes[start..<min(bytes.count, start + 3000 + 100 * number)])
        try place.add(number % 4 == 1 ? [UInt8](repeating: 0, count: 64) + torn.dropFirst(64) : torn)
        writer = try .init(url)
      }
      let encoder = GraphEncoder()
      encoder.compression = number % 2 == 0 ? .none : .lz4
      try encoder.append(Self.model(number), to: #require(writer), step: number, time: 0)
    }
    findings.isDone = true
    #expect(counts.wait() == [entryCount, entryCount, entryCount])
    #expect(findings.all == [])
    try GraphDecoder().verify(GraphArchiveSeries(url))
  }

  @Test func manyThreadsAppendWithOneWriterAndReadOneList() async throws {
    let writer = try GraphArchiveSeries.Writer(url)
    let url = url
    try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<8 {
            let step = thread * 8 + round
            if round.isMultiple(of: 2) {
              try GraphEncoder().append(Self.model(step), to: writer, step: step, time: 0)
            } else {
              let saving = try GraphEncoder().appendInBackground(
                Self.model(step), to: writer, step: step, time: 0)
              try await saving.finish()
            }
            // The list of the writer, which others have by now, and one from the file.
            for series in try [writer.series, GraphArchiveSeries(url)] {
              let entry = try #require(series.entry(atStep: step))
              try #expect(GraphDecoder().read([Int].self, from: entry) == Self.model(step))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let series = try GraphArchiveSeries(url)
    #expect(series.map(\.number) == Array(0..<32))
    #expect(Set(series.map(\.step)) == Set(0..<32))
    // One list and its open file, on all threads.
    try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for entry in series where entry.number % 4 >= thread {
            try #expect(GraphDecoder().read([Int].self, from: entry) == Self.model(entry.step))
            try GraphDecoder().verify(entry)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private final class Counts: @unchecked Sendable {
    private let condition = NSCondition()
    private var counts: [Int?]

    init(readerCount: Int) { counts = Array(repeating: nil, count: readerCount) }

    func set(_ reader: Int, _ count: Int) {
      condition.withLock { counts[reader] = count }
      condition.broadcast()
    }

    func wait() -> [Int] {
      condition.withLock {
        while counts.contains(nil) { condition.wait() }
        return counts.compactMap { $0 }
      }
    }
  }
}
