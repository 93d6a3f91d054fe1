import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Progress and background of series")
struct SeriesProgressTests {
  let place: SeriesFolder
  var url: URL { place.url }
  let model = (0..<4).map { number in (0..<400_000).map { Double($0 &* number) * 1.1 } }

  init() throws { place = try SeriesFolder() }

  @Test(arguments: [1, 4]) func progressReachesItsTotal(threadCount: Int) throws {
    let encoder = GraphEncoder()
    encoder.threadCount = threadCount
    let writer = try GraphArchiveSeries.Writer(url)
    for step in 0..<2 {
      let appending = Progress.discreteProgress(totalUnitCount: 0)
      try encoder.append(model, to: writer, step: step, time: 0, progress: appending)
      #expect(appending.isFinished)
      #expect(appending.totalUnitCount > 4 * 400_000 * 8)
    }
    let series = try GraphArchiveSeries(url)
    let decoder = GraphDecoder()
    decoder.threadCount = threadCount
    let reading = Progress.discreteProgress(totalUnitCount: 0)
    try #expect(decoder.read([[Double]].self, from: series[1], progress: reading) == model)
    #expect(reading.isFinished)
    let verifying = Progress.discreteProgress(totalUnitCount: 0)
    try decoder.verify(series, progress: verifying)
    #expect(verifying.isFinished)
    #expect(verifying.totalUnitCount >= Int64(series[0].byteCount + series[1].byteCount))
  }

  @Test func whatWasCancelledBeforeDoesNotBegin() throws {
    try place.append(0..<1)
    let before = try place.bytes()
    let writer = try GraphArchiveSeries.Writer(url)
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    progress.cancel()
    let walked = Script { _ in Issue.record("it was walked") }
    #expect(throws: CancellationError.self) {
      try GraphEncoder().append(walked, to: writer, step: 0, time: 0, progress: progress)
    }
    #expect(throws: CancellationError.self) {
      try GraphEncoder().appendInBackground(walked, to: writer, step: 0, time: 0, progress: progress)
    }
    #expect(throws: CancellationError.self) {
      try GraphDecoder().read([String].self, from: writer.series[0], progress: progress)
    }
    #expect(throws: CancellationError.self) {
      try GraphDecoder().verify(writer.series, progress: progress)
    }
    try #expect(place.bytes() == before)
  }

  /// Cancelled at any time, the entry is there in full or not at all, and the caller knows which.
  @Test(arguments: [1, 4]) func cancellingAtAnyTimeLeavesTheEntriesOfBefore(threadCount: Int) async throws {
    let encoder = GraphEncoder()
    encoder.threadCount = threadCount
    let writer = try GraphArchiveSeries.Writer(url)
    var (count, cancelledCount) = (0, 0)
    for attempt in 0..<12 {
      let size = try place.bytes().count
      let progress = Progress.discreteProgress(totalUnitCount: 0)
      // By how far it is, not by time.
      let goal = Double(attempt) / 10
      let saving = try encoder.appendInBackground(
        model, to: writer, step: attempt, time: 0, progress: progress)
      while progress.fractionCompleted < goal, !progress.isFinished { await Task.yield() }
      saving.cancel()
      do {
        try await saving.finish()
        count += 1
      } catch is CancellationError {
        cancelledCount += 1
        try #expect(place.bytes().count == size)
      }
      try #expect(GraphArchiveSeries(url).count == count)
    }
    #expect(cancelledCount > 0)
    try GraphDecoder().verify(GraphArchiveSeries(url))
  }

  @Test func entriesAppendedInTheBackgroundAreInOrderAndOfTheTimeOfTheirCall() async throws {
    let writer = try GraphArchiveSeries.Writer(url)
    let encoder = GraphEncoder()
    var numbers = Array(0..<200_000)
    var savings: [GraphEncoder.BackgroundWrite] = []
    for step in 0..<12 {
      numbers[0] = step
      if step % 4 == 3 {
        try encoder.append(numbers, to: writer, step: step, time: 0)
      } else {
        savings.append(try encoder.appendInBackground(numbers, to: writer, step: step, time: 0))
      }
      encoder.compression = step % 2 == 0 ? .none : .lz4
    }
    for saving in savings { try await saving.finish() }
    #expect(savings.allSatisfy { $0.progress.isFinished })
    let series = try GraphArchiveSeries(url)
    #expect(series.map(\.step) == Array(0..<12))
    for entry in series {
      try #expect(GraphDecoder().read([Int].self, from: entry) == [entry.step] + (1..<200_000))
    }
  }

  @Test func aWriterLivesUntilItsLastEntryIsThere() async throws {
    let saving = try GraphEncoder().appendInBackground(
      model, to: GraphArchiveSeries.Writer(url), step: 0, time: 0)
    try await saving.finish()
    try #expect(GraphArchiveSeries(url).count == 1)
  }

  /// Nothing of it is left over when `finish` returns, least of all the lock.
  @Test func aWriterCanBeOpenedAsSoonAsTheLastOnesEntryIsThere() async throws {
    for step in 0..<200 {
      let saving = try GraphEncoder().appendInBackground(
        step, to: GraphArchiveSeries.Writer(url), step: step, time: 0)
      try await saving.finish()
    }
    try #expect(GraphArchiveSeries(url).map(\.step) == Array(0..<200))
  }

  @Test func anErrorInTheBackgroundIsThrownAtTheEnd() async throws {
    let writer = try GraphArchiveSeries.Writer(url)
    try FileManager.default.removeItem(at: url)
    let saving = try GraphEncoder().appendInBackground(1, to: writer, step: 0, time: 0)
    let error = await #expect(throws: GCodableError.self) { try await saving.finish() }
    #expect(error?.code == .file)
    #expect(!saving.progress.isFinished)
  }
}
