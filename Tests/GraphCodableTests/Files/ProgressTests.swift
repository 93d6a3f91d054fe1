import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Progress and cancellation")
final class ProgressTests {
  let folder: TemporaryFolder
  let url: URL
  /// Arrays of several blocks each, and a graph stream of more than one.
  let model: [[Double]]

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("a.graph")
    model = (0..<4).map { number in (0..<400_000).map { Double($0 &* number) * 1.1 } }
  }

  /// What is done as soon as one of the model's arrays is asked for, which is not the first thing read.
  private struct Watching: GCodable {
    var values: [[Double]]

    init(_ values: [[Double]]) { self.values = values }

    func encode(to encoder: GEncoder) throws {
      for value in values { try encoder.encode(value) }
    }

    init(from decoder: GDecoder) throws {
      values = []
      for _ in 0..<4 {
        values.append(try decoder.decode())
        (decoder.userInfo[watch] as? () -> Void)?()
      }
    }
  }

  /// Notes the steps of a progress.
  private final class Observer: @unchecked Sendable {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    private(set) var fractions: [Double] = []

    func note() { fractions.append(progress.fractionCompleted) }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4], [1, 3])
  func whatIsDoneIsAllThatThereIs(compression: GraphEncoder.Compression, threadCount: Int) throws {
    let encoder = GraphEncoder()
    encoder.compression = compression
    encoder.threadCount = threadCount
    let writing = Progress.discreteProgress(totalUnitCount: 0)
    #expect(writing.isIndeterminate)
    try encoder.write(model, to: url, progress: writing)
    #expect(writing.isFinished)
    // The bytes of the model, a few for its structure, and the header.
    let byteCount = Int64(4 * 400_000 * 8 + 40)
    #expect((byteCount...(byteCount + 100)).contains(writing.totalUnitCount))

    let decoder = GraphDecoder()
    decoder.threadCount = threadCount
    let reading = Progress.discreteProgress(totalUnitCount: 0)
    try #expect(decoder.read([[Double]].self, from: url, progress: reading) == model)
    #expect(reading.isFinished)
    #expect(reading.totalUnitCount == writing.totalUnitCount)

    let verifying = Progress.discreteProgress(totalUnitCount: 0)
    try GraphArchive(url).verify(progress: verifying)
    #expect(verifying.isFinished)
    #expect(try Int(verifying.totalUnitCount) == Data(contentsOf: url).count)
  }

  @Test func theSmallestGraphFinishesToo() throws {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    try GraphEncoder().write(1, to: url, progress: progress)
    #expect(progress.isFinished)
  }

  @Test func readingReportsArrayByArray() throws {
    try GraphEncoder().write(Watching(model), to: url)
    let observer = Observer()
    let decoder = GraphDecoder()
    decoder.userInfo[watch] = { observer.note() }
    _ = try decoder.read(Watching.self, from: url, progress: observer.progress)
    #expect(observer.fractions.count == 4)
    for (index, fraction) in observer.fractions.enumerated() {
      #expect(abs(fraction - Double(index + 1) / 4) < 0.001)
    }
  }

  @Test func progressIsAPartOfItsParents() throws {
    let parent = Progress.discreteProgress(totalUnitCount: 2)
    for _ in 0..<2 {
      let child = Progress(totalUnitCount: 0, parent: parent, pendingUnitCount: 1)
      try GraphEncoder().write(model, to: url, progress: child)
    }
    #expect(parent.isFinished)
    parent.cancel()
    let late = Progress.discreteProgress(totalUnitCount: 0)
    parent.addChild(late, withPendingUnitCount: 0)
    late.cancel()
    #expect(throws: CancellationError.self) { try GraphEncoder().write(1, to: url, progress: late) }
  }

  @Test func workThatWasCancelledBeforeDoesNotBegin() throws {
    try GraphEncoder().write("old", to: url)
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    progress.cancel()
    #expect(throws: CancellationError.self) {
      let walked = Script { _ in Issue.record("it was walked") }
      try GraphEncoder().write(walked, to: url, progress: progress)
    }
    #expect(throws: CancellationError.self) {
      try GraphEncoder().writeInBackground(1, to: url, progress: progress)
    }
    #expect(throws: CancellationError.self) {
      try GraphDecoder().read(String.self, from: url, progress: progress)
    }
    #expect(throws: CancellationError.self) { try GraphArchive(url).verify(progress: progress) }
    try #expect(GraphDecoder().read(String.self, from: url) == "old")
    try #expect(folder.names() == ["a.graph"])
  }

  @Test func cancelledWritingLeavesOnlyTheOldFile() throws {
    try GraphEncoder().write("old", to: url)
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      let encoder = GraphEncoder()
      encoder.compression = compression
      let cancelling = Script { encoder in
        try encoder.encode(self.model)
        progress.cancel()
      }
      #expect(throws: CancellationError.self) { try encoder.write(cancelling, to: url, progress: progress) }
      #expect(progress.completedUnitCount == 0)
      try #expect(GraphDecoder().read(String.self, from: url) == "old")
      try #expect(folder.names() == ["a.graph"])
    }
  }

  /// Cancelled at any time, a file is there in full or the old one is, and the caller knows which.
  @Test(arguments: [1, 4]) func cancellingAtAnyTimeLeavesOneOfBothFiles(threadCount: Int) async throws {
    let encoder = GraphEncoder()
    encoder.threadCount = threadCount
    var cancelledCount = 0
    for attempt in 0..<12 {
      try encoder.write("old", to: url)
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      // By how far it is, not by time.
      let goal = Double(attempt) / 10
      let saving = try encoder.writeInBackground(model, to: url, progress: progress)
      while progress.fractionCompleted < goal, !progress.isFinished { await Task.yield() }
      saving.cancel()
      do {
        try await saving.finish()
        try #expect(GraphDecoder().read([[Double]].self, from: url) == model)
      } catch is CancellationError {
        cancelledCount += 1
        try #expect(GraphDecoder().read(String.self, from: url) == "old")
      }
      try #expect(folder.names() == ["a.graph"])
    }
    #expect(cancelledCount > 0)
  }

  @Test func readingThatIsCancelledEndsBeforeTheNextArray() throws {
    try GraphEncoder().write(Watching(model), to: url)
    let observer = Observer()
    let decoder = GraphDecoder()
    decoder.userInfo[watch] = {
      observer.note()
      observer.progress.cancel()
    }
    #expect(throws: CancellationError.self) {
      try decoder.read(Watching.self, from: url, progress: observer.progress)
    }
    #expect(observer.fractions.count == 1)
    decoder.userInfo = [:]
    try #expect(decoder.read(Watching.self, from: url).values == model)
  }

  @Test func readingDoesNotEndWellAfterItWasCancelled() throws {
    try GraphEncoder().write(Watching(model), to: url)
    let observer = Observer()
    let decoder = GraphDecoder()
    decoder.userInfo[watch] = {
      observer.note()
      // After the last block.
      if observer.fractions.count == 4 { observer.progress.cancel() }
    }
    #expect(throws: CancellationError.self) {
      try decoder.read(Watching.self, from: url, progress: observer.progress)
    }
    #expect(!observer.progress.isFinished)
  }
}

private let watch = CodingUserInfoKey(rawValue: "watch")!
