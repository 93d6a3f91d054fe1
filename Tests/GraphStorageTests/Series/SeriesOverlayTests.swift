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

/// Blocks of graph streams that are those of before with other bytes here and there.
@Suite("Series: overlays")
struct SeriesOverlayTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  private static let compressions: [GraphEncoder.Compression] = [.none, .lz4, .lz4hc(level: 9)]

  private func encoder(_ compression: GraphEncoder.Compression = .lz4) -> GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression = compression
    return encoder
  }

  private struct Cell: GCodable, Equatable {
    var number: Int
    var name: String
    var value: Double

    private enum Key: String { case number, name, value }

    init(_ number: Int) { (self.number, name, value) = (number, "cell \(number % 977)", Double(number) / 7) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Key.number)
      try encoder.encode(name, for: Key.name)
      try encoder.encode(value, for: Key.value)
    }

    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Key.number)
      name = try decoder.decode(for: Key.name)
      value = try decoder.decode(for: Key.value)
    }
  }

  /// Appends states of cells, of which some change from one to the next, and returns them.
  private func append(
    _ stepCount: Int, changing count: Int, of cellCount: Int = 80_000, _ encoder: GraphEncoder,
    to writer: GraphArchiveSeries.Writer
  ) throws -> [[Cell]] {
    var random = SplitMix64(seed: 4)
    var cells = (0..<cellCount).map { Cell($0) }
    return try (0..<stepCount).map { step in
      if step > 0 { for _ in 0..<count { cells[random.below(cellCount)].value += 1 } }
      try encoder.append(cells, to: writer, step: step, time: 0)
      return cells
    }
  }

  private func check(_ entry: GraphArchiveSeries.Entry, _ cells: [Cell], _ encoder: GraphEncoder) throws {
    let expected = try encoder.encode(cells) as Data
    try #expect(entry.archive() == expected)
    try #expect(GraphDecoder().read([Cell].self, from: entry) == cells)
    try GraphDecoder().verify(entry)
    let archive = try GraphArchive(entry)
    try #expect(archive.decode(Double.self, at: "[70000].value") == cells[70_000].value)
    try #expect(archive.damage().isEmpty)
  }

  @Test(arguments: compressions)
  func fewChangesAllOverAStreamCostLittle(compression: GraphEncoder.Compression) throws {
    let encoder = encoder(compression)
    let writer = try GraphArchiveSeries.Writer(url)
    let states = try append(6, changing: 800, encoder, to: writer)
    for (entry, cells) in zip(try GraphArchiveSeries(url), states) { try check(entry, cells, encoder) }
    for entry in writer.series.dropFirst() { #expect(entry.storedByteCount * 20 < entry.byteCount) }
    try GraphDecoder().verify(writer.series)
    // A state of before is not stored again, nor are its changes.
    try encoder.append(states[5], to: writer, step: 6, time: 0)
    let last = try #require(writer.series.last)
    #expect(last.storedByteCount < 800)
    try check(last, states[5], encoder)
    // Another writer finds it, too.
    let other = place.folder.file("other")
    try FileManager.default.copyItem(at: url, to: other)
    let otherWriter = try GraphArchiveSeries.Writer(other)
    try encoder.append(states[5], to: otherWriter, step: 7, time: 0)
    #expect(try #require(otherWriter.series.last).storedByteCount < 800)
    try check(#require(otherWriter.series.last), states[5], encoder)
  }

  /// Many overlays become one.
  @Test func anyNumberOfEntriesStaysReadable() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    let states = try append(
      2 * DerivedBlock.maximumOverlayCount + 5, changing: 20, encoder(.none), to: writer)
    for index in [
      1, DerivedBlock.maximumOverlayCount, DerivedBlock.maximumOverlayCount + 1, states.count - 1,
    ] {
      try check(writer.series[index], states[index], encoder(.none))
      let table = try #require(try writer.series[index].pieces()).table
      let counts = table.extents.compactMap { $0.derived?.overlays.count }
      #expect(!counts.isEmpty && counts.allSatisfy { (1...DerivedBlock.maximumOverlayCount).contains($0) })
    }
    try GraphDecoder().verify(writer.series)
  }

  @Test func movedOrNewBlocksAreStoredSeparately() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    var cells = (0..<80_000).map { Cell($0) }
    for step in 0..<4 {
      switch step {
      case 1: cells.insert(Cell(7), at: 3)
      case 2: for index in cells.indices { cells[index].value *= 1.5 }
      case 3: cells.removeLast(30_000)
      default: break
      }
      try encoder().append(cells, to: writer, step: step, time: 0)
      let entry = try #require(writer.series.last)
      try #expect(entry.archive() == encoder().encode(cells))
      try GraphDecoder().verify(entry)
    }
    #expect(writer.series[2].storedByteCount > writer.series[2].byteCount)
  }

  @Test func copiedEntriesKeepTheirOverlays() throws {
    let source = try GraphArchiveSeries.Writer(url)
    let states = try append(5, changing: 800, encoder(), to: source)
    for (number, chosen) in [[0, 1, 2, 3, 4], [4], [3, 1], [2, 2, 4]].enumerated() {
      let copied = place.folder.file("copy \(number)")
      _ = try GraphArchiveSeries.write(chosen.map { source.series[$0] }, to: copied, nil)
      let copy = try GraphArchiveSeries(copied)
      try GraphDecoder().verify(copy)
      for (entry, index) in zip(copy, chosen) { try check(entry, states[index], encoder()) }
      #expect(copy.byteCount < source.series[0].byteCount * 5 / 4)
    }
  }

  @Test func damageOfABaseOrAnOverlayIsFound() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    _ = try append(4, changing: 800, encoder(), to: writer)
    let last = try #require(try writer.series[3].pieces()).table
    let blocks = last.extents.compactMap(\.derived)
    let block = try #require(blocks.first)
    #expect(block.overlays.count == 3)
    let whole = try place.bytes()
    for (run, damaged) in [
      (block.base, [0, 1, 2, 3]), (block.overlays[0], [1, 2, 3]), (block.overlays[1], [2, 3]),
      (block.overlays[2], [3]),
    ] {
      // Of an overlay, also where a number of bytes stands.
      for offset in [run.offset, run.offset + run.byteCount / 2] {
        var bytes = whole
        bytes[Int(offset)] ^= 4
        try place.setBytes(bytes)
        let series = try GraphArchiveSeries(url)
        for (number, entry) in series.enumerated() {
          guard damaged.contains(number) else {
            try GraphDecoder().verify(entry)
            continue
          }
          let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(entry) }
          #expect(error?.code == .damaged || error?.code == .malformed)
          #expect(throws: GCodableError.self) { try GraphDecoder().read([Cell].self, from: entry) }
          try #expect(!GraphArchive(entry).damage().isEmpty)
        }
      }
    }
  }

  @Test func overlaysReplaceWhatDiffers() throws {
    var random = SplitMix64(seed: 8)
    for _ in 0..<500 {
      let old = (0..<random.below(300)).map { _ in UInt8(random.below(3)) }
      var new = old
      for _ in 0..<random.below(20) where !new.isEmpty {
        new[random.below(new.count)] = UInt8(random.below(256))
      }
      let overlay = old.withUnsafeBytes { old in
        new.withUnsafeBytes { Overlay.bytes(from: old, to: $0, atMost: .max) }
      }
      var result = old
      try result.withUnsafeMutableBytes { result in
        try #require(overlay).withUnsafeBytes { try Overlay.apply($0, to: result) }
      }
      #expect(result == new)
      #expect(overlay?.isEmpty == (old == new))
    }
  }

  @Test func noOverlayTraps() throws {
    var random = SplitMix64(seed: 9)
    for _ in 0..<5_000 {
      let overlay = (0..<random.below(30)).map { _ in
        [0, 1, 3, 255, UInt8(random.below(256))][random.below(5)]
      }
      var block = [UInt8](repeating: 0, count: random.below(50))
      do {
        try block.withUnsafeMutableBytes { block in
          try overlay.withUnsafeBytes { try Overlay.apply($0, to: block) }
        }
      } catch is GCodableError {}
    }
  }

  @Test func noTableTraps() throws {
    let writer = try GraphArchiveSeries.Writer(url)
    _ = try append(2, changing: 800, encoder(), to: writer)
    let entry = writer.series[1]
    let sound = try #require(try entry.pieces()).table.bytes
    let whole = try place.bytes()
    var random = SplitMix64(seed: 7)
    for _ in 0..<Effort.of(200, thorough: 5_000) {
      var table = sound
      for _ in 0...random.below(3) {
        table[random.below(min(table.count, 80))] =
          [0, 1, 2, 3, 255, UInt8(random.below(256))][random.below(6)]
      }
      try ForgedSeries.replaceTable(of: entry, with: table, in: place)
      let series = try GraphArchiveSeries(url)
      #expect(series.count == 2)
      do {
        _ = try GraphDecoder().read([Cell].self, from: series[1])
        _ = try series[1].archive()
      } catch is GCodableError {}
      try place.setBytes(whole)
    }
  }
}
