import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Entries are copied to other series as they are stored.
@Suite("Series: copies of entries that share")
struct SharedCopyingTests {
  let place: SeriesFolder

  init() throws { place = try SeriesFolder() }

  /// Three entries that share, of which the first is a whole archive if it is said so.
  private func series(startsWhole: Bool = false) throws -> GraphArchiveSeries {
    let writer = try GraphArchiveSeries.Writer(place.url)
    for step in 0..<4 {
      writer.sharing = step == 0 && startsWhole ? .none : .blocks
      try GraphEncoder().append(
        SharedFrame(step % 3), to: writer, step: step, time: 0.5, metadata: ["step": "\(step)"])
    }
    return writer.series
  }

  @Test(arguments: [false, true]) func sharedBlocksAreStoredOnce(startsWhole: Bool) throws {
    let source = try series(startsWhole: startsWhole)
    // All, those without the one that has stored the blocks, another order, one twice.
    for (number, chosen) in [[0, 1, 2, 3], [1, 3], [3, 2, 1, 0], [2, 2], [0, 0, 2]].enumerated() {
      let url = place.folder.file("copy \(number)")
      _ = try GraphArchiveSeries.write(chosen.map { source[$0] }, to: url, nil)
      let copy = try GraphArchiveSeries(url)
      try GraphDecoder().verify(copy)
      #expect(copy.map(\.step) == chosen)
      #expect(copy.map(\.number) == Array(chosen.indices))
      for (entry, index) in zip(copy, chosen) {
        #expect((entry.time, entry.metadata) == (0.5, ["step": "\(index)"]))
        try #expect(entry.archive() == source[index].archive())
        try #expect(GraphDecoder().read(SharedFrame.self, from: entry) == SharedFrame(index % 3))
      }
      // A whole archive is copied as a whole.
      guard !startsWhole else { continue }
      let largest = try #require(chosen.map { source[$0].byteCount }.max())
      let moving = try UInt64((GraphEncoder().encode(SharedFrame(0).moving) as Data).count)
      #expect(copy.byteCount < largest + UInt64(chosen.count) * (moving + 4_000))
    }
  }

  @Test func appendingContinuesAfterCopies() throws {
    let source = try series()
    let url = place.folder.file("copy")
    try source.copy(to: url) { $0.number < 2 }
    let writer = try GraphArchiveSeries.Writer(url)
    try GraphEncoder().append(SharedFrame(5), to: writer, step: 10, time: 0)
    try #expect(writer.series[2].archive() == GraphEncoder().encode(SharedFrame(5)))
    try #expect(writer.series[1].archive() == source[1].archive())
    #expect(writer.series[1].storedByteCount * 3 < writer.series[0].storedByteCount)
    #expect(writer.series[2].storedByteCount * 3 < writer.series[0].storedByteCount)
    try GraphDecoder().verify(writer.series)
    try writer.retain(last: 2)
    try GraphEncoder().append(SharedFrame(5), to: writer, step: 11, time: 0)
    try #expect(writer.series[2].archive() == GraphEncoder().encode(SharedFrame(5)))
    #expect(writer.series[2].storedByteCount < 1_500)
    try GraphDecoder().verify(writer.series)
  }
}
