import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What a writer knows of the archive before, and archives that are appended as they are.
@Suite("Series: appending")
struct SeriesAppendingTests {
  let place: SeriesFolder

  init() throws { place = try SeriesFolder() }

  /// The filters of an array are chosen anew as soon as any of its blocks has changed.
  @Test(arguments: [GraphEncoder.Compression.lz4, .none])
  func anyBlockOfAnArrayMayChange(compression: GraphEncoder.Compression) throws {
    let encoder = GraphEncoder()
    encoder.compression = compression
    let writer = try GraphArchiveSeries.Writer(place.url)
    var numbers = (0..<300_000).map { Double($0).squareRoot() }
    var random = SplitMix64(seed: 31)
    for step in 0..<8 {
      switch step {
      // In a later block, between the samples.
      case 3: numbers[290_000] += 1
      // Noise, for which another method may be better.
      case 5: for index in 150_000..<300_000 { numbers[index] = Double(random.next()) }
      case 6: numbers[0] += 1
      default: break
      }
      try encoder.append([numbers, numbers], to: writer, step: step, time: 0)
      try #expect(writer.series.last?.archive() == encoder.encode([numbers, numbers]), "step \(step)")
    }
    let sizes = writer.series.map(\.storedByteCount)
    #expect([1, 2, 4, 7].allSatisfy { sizes[$0] < 1_500 })
    try GraphDecoder().verify(writer.series)
  }

  @Test func anArchiveIsAppendedAsItIs() throws {
    let writer = try GraphArchiveSeries.Writer(place.url)
    try place.append(0, to: writer)
    let bytes: Data = try GraphEncoder().encode(SeriesFolder.model(1))
    let archive = try GraphArchive(bytes)
    try writer.append(archive, step: 7, time: 0.5, metadata: ["kind": "whole"])
    try place.append(2, to: writer)
    let series = try GraphArchiveSeries(place.url)
    #expect(series.map(\.step) == [0, 7, 20])
    #expect(series[1].time == 0.5 && series[1].metadata == ["kind": "whole"])
    try #expect(series[1].archive() == bytes)
    try GraphDecoder().verify(series)
  }

  @Test func whatWasCancelledChangesNothing() throws {
    let writer = try GraphArchiveSeries.Writer(place.url)
    for number in 0..<3 { try place.append(number, to: writer) }
    let before = try place.bytes()
    let archive = try GraphArchive(writer.series[0])
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    progress.cancel()
    #expect(throws: CancellationError.self) {
      try writer.append(archive, step: 3, time: 0, progress: progress)
    }
    #expect(throws: CancellationError.self) { try writer.retain(last: 1, progress: progress) }
    #expect(throws: CancellationError.self) { try writer.compact(progress: progress) }
    try #expect(place.bytes() == before)
  }

  @Test func aFolderRefusesArchivesThatLackTheirStep() throws {
    let writer = try GraphArchiveSeries.Writer(folder: place.folder.file("folder"))
    let archive = try GraphArchive(GraphEncoder().encode([1, 2]) as Data)
    let error = #expect(throws: GCodableError.self) { try writer.append(archive, step: 0, time: 0) }
    #expect(error?.code == .invalidValue)
    #expect(writer.series.isEmpty)
  }
}
