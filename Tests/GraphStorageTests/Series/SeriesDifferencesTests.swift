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

/// Arrays that change a little everywhere, stored as differences to a key entry.
@Suite("Series: differences")
struct SeriesDifferencesTests {
  let place: SeriesFolder
  var url: URL { place.url }

  init() throws { place = try SeriesFolder() }

  /// Arrays of all widths and forms; most move a little from step to step.
  private struct Cloud: GCodable, Equatable {
    var positions: [Double]
    var rounded: [SIMD3<Float>]
    var relative: [Float]
    var frames: [[Float]]
    var counters: [Int32]
    var codes: [UInt16]
    var flags: [UInt8]
    var fixed: [Int64]
    var noise: [UInt64]
    var growing: [Double]

    private enum Key: String {
      case positions, rounded, relative, frames, counters, codes, flags, fixed, noise, growing
    }

    init(_ step: Int, _ count: Int = 20_000) {
      let shift = Double(step)
      func wave(_ index: Int) -> Double { (Double(index) * 12.9898).truncatingRemainder(dividingBy: 97) - 48 }
      positions = (0..<count).map { wave($0) + shift * 1e-7 * Double($0 % 13) }
      rounded = (0..<count).map {
        let x = Float(wave($0) + shift * 0.003)
        return SIMD3(x, x * 0.5 - Float($0 % 7), Float(shift) * 0.01 + Float($0 % 1_000))
      }
      relative = (0..<count).map { Float(exp(wave($0) / 8) * (1 + shift * 1e-4)) }
      frames = (0..<40).map { row in (0..<(count / 40)).map { Float(wave($0 * 40 + row) + shift * 0.01) } }
      counters = (0..<count).map { Int32(truncatingIfNeeded: $0 &* 48_271 % 100_003 + step) }
      codes = (0..<count).map { UInt16(truncatingIfNeeded: $0 &* 40_503 &+ step) }
      flags = (0..<count).map {
        UInt8(truncatingIfNeeded: ($0 &* 167) ^ ($0 >> 3) &+ ($0 % 97 == step % 97 ? 1 : 0))
      }
      fixed = (0..<count).map { Int64($0) &* 6_364_136_223_846_793_005 }
      var random = SplitMix64(seed: UInt64(step))
      noise = (0..<count).map { _ in random.next() }
      growing = Array(positions.prefix(count / 2 + step * 100))
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(positions, for: Key.positions)
      try encoder.encode(rounded, for: Key.rounded, precision: .absolute(0.001))
      try encoder.encode(relative, for: Key.relative, precision: .relative(1e-4))
      try encoder.encode(frames, for: Key.frames, precision: .absolute(0.01))
      try encoder.encode(counters, for: Key.counters)
      try encoder.encode(codes, for: Key.codes)
      try encoder.encode(flags, for: Key.flags)
      try encoder.encode(fixed, for: Key.fixed)
      try encoder.encode(noise, for: Key.noise)
      try encoder.encode(growing, for: Key.growing)
    }

    init(from decoder: GDecoder) throws {
      positions = try decoder.decode(for: Key.positions)
      rounded = try decoder.decode(for: Key.rounded)
      relative = try decoder.decode(for: Key.relative)
      frames = try decoder.decode(for: Key.frames)
      counters = try decoder.decode(for: Key.counters)
      codes = try decoder.decode(for: Key.codes)
      flags = try decoder.decode(for: Key.flags)
      fixed = try decoder.decode(for: Key.fixed)
      noise = try decoder.decode(for: Key.noise)
      growing = try decoder.decode(for: Key.growing)
    }
  }

  private func encoder(_ compression: GraphEncoder.Compression = .lz4) -> GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression = compression
    return encoder
  }

  private func writer(keyInterval: Int = 10) throws -> GraphArchiveSeries.Writer {
    let writer = try GraphArchiveSeries.Writer(url)
    writer.sharing = .differences(keyInterval: keyInterval)
    return writer
  }

  private func append(
    _ steps: Range<Int>, _ encoder: GraphEncoder, to writer: GraphArchiveSeries.Writer
  ) throws -> [Cloud] {
    try steps.map { step in
      let cloud = Cloud(step)
      try encoder.append(cloud, to: writer, step: step, time: 0)
      return cloud
    }
  }

  /// An entry is what it would be without differences.
  private func check(_ entry: GraphArchiveSeries.Entry, _ cloud: Cloud, _ encoder: GraphEncoder) throws {
    let expected = try encoder.encode(cloud) as Data
    try #expect(entry.archive() == expected)
    try #expect(
      GraphDecoder().read(Cloud.self, from: entry) == GraphDecoder().decode(Cloud.self, from: expected))
    try GraphDecoder().verify(entry)
    let archive = try GraphArchive(entry)
    try #expect(archive.decode(Double.self, at: "positions[9000]") == cloud.positions[9000])
    let view = try archive.array(Int32.self, at: "counters")
    try #expect(view[7_000..<7_100] == Array(cloud.counters[7_000..<7_100]))
    try #expect(archive.damage().isEmpty)
  }

  private func differences(of entry: GraphArchiveSeries.Entry) throws -> [DerivedBlock] {
    try entry.pieces()?.table.extents.compactMap(\.derived).filter {
      if case .differences = $0.change { true } else { false }
    } ?? []
  }

  /// Numbers with their own codec are no differences, and nothing has differences to them.
  @Test func numbersThatAreSmallHaveNoDifferences() throws {
    let writer = try writer(keyInterval: 3)
    let compressions: [GraphEncoder.Compression] = [.small, .small, .lz4, .lz4, .small, .lz4, .small, .small]
    var states: [Cloud] = []
    for (step, compression) in compressions.enumerated() {
      states += try append(step..<(step + 1), encoder(compression), to: writer)
    }
    for (index, entry) in try GraphArchiveSeries(url).enumerated() {
      try check(entry, states[index], encoder(compressions[index]))
      let segments = try GraphArchive(entry).info.segments
      #expect(segments.contains { $0.numbersBlockCount > 0 } == (compressions[index] == .small))
    }
    try GraphDecoder().verify(writer.series)
  }

  @Test(arguments: [GraphEncoder.Compression.lz4, .lz4hc(level: 9)])
  func arraysThatMoveALittleCostLittle(compression: GraphEncoder.Compression) throws {
    let (encoder, writer) = (encoder(compression), try writer())
    let states = try append(0..<4, encoder, to: writer)
    for (entry, cloud) in zip(try GraphArchiveSeries(url), states) { try check(entry, cloud, encoder) }
    for entry in writer.series.dropFirst() {
      let blocks = try differences(of: entry)
      #expect(blocks.count >= 5)
      let (bases, changes) = (blocks.map(\.base.byteCount), blocks.compactMap(\.runs.last?.byteCount))
      #expect(changes.reduce(0, +) * 4 < bases.reduce(0, +))
    }
    try GraphDecoder().verify(writer.series)
  }

  @Test func everyEntryNeedsOneOtherAtMost() throws {
    let writer = try writer(keyInterval: 3)
    let states = try append(0..<8, encoder(), to: writer)
    for (number, entry) in writer.series.enumerated() {
      let blocks = try differences(of: entry)
      #expect(blocks.isEmpty == number.isMultiple(of: 3))
      let (key, next) = (number / 3 * 3, number / 3 * 3 + 1)
      let places = writer.series[key].offset..<(next <= number ? writer.series[next].offset : .max)
      #expect(blocks.allSatisfy { places.contains($0.base.offset) })
      try check(entry, states[number], encoder())
    }
  }

  @Test func aWriterThatOpensAgainBeginsWithAKeyEntry() throws {
    do { _ = try append(0..<3, encoder(), to: writer()) }
    let writer = try writer()
    let states = try append(3..<6, encoder(), to: writer)
    #expect(try differences(of: writer.series[3]).isEmpty)
    #expect(try !differences(of: writer.series[4]).isEmpty)
    for number in 3..<6 { try check(writer.series[number], states[number - 3], encoder()) }
  }

  @Test func modesChangeBetweenEntries() throws {
    let writer = try writer()
    let modes: [GraphArchiveSeries.Writer.Sharing] = [
      .differences(), .differences(), .blocks, .differences(), .none, .differences(), .differences(),
    ]
    let found = try modes.enumerated().map { step, mode in
      writer.sharing = mode
      let cloud = Cloud(step)
      try encoder().append(cloud, to: writer, step: step, time: 0)
      let entry = try #require(writer.series.last)
      try check(entry, cloud, encoder())
      return try !differences(of: entry).isEmpty
    }
    #expect(found[...2] == [false, true, false] && found[6])
    // Nothing to compress with.
    try encoder(.none).append(Cloud(9), to: writer, step: 9, time: 0)
    #expect(try differences(of: #require(writer.series.last)).isEmpty)
    try check(#require(writer.series.last), Cloud(9), encoder(.none))
  }

  @Test func statesOfBeforeAreFoundAgain() throws {
    let writer = try writer()
    let states = try append(0..<3, encoder(), to: writer)
    for index in [1, 0, 2] {
      try encoder().append(states[index], to: writer, step: 0, time: 0)
      let entry = try #require(writer.series.last)
      #expect(entry.storedByteCount < 5_000)
      try check(entry, states[index], encoder())
    }
  }

  @Test func copiedEntriesKeepTheirDifferences() throws {
    let source = try writer(keyInterval: 4)
    let states = try append(0..<6, encoder(), to: source)
    for (number, chosen) in [[0, 1, 2, 3, 4, 5], [5], [3, 1], [2, 2, 5]].enumerated() {
      let copied = place.folder.file("copy \(number)")
      _ = try GraphArchiveSeries.write(chosen.map { source.series[$0] }, to: copied, nil)
      let copy = try GraphArchiveSeries(copied)
      try GraphDecoder().verify(copy)
      for (entry, index) in zip(copy, chosen) { try check(entry, states[index], encoder()) }
      #expect(copy.byteCount < source.series.byteCount * 21 / 20)
    }
    try source.retain { $0.step != 4 && $0.step != 0 }
    for (entry, index) in zip(source.series, [1, 2, 3, 5]) { try check(entry, states[index], encoder()) }
    // What was kept is no key entry any more.
    let next = try append(6..<8, encoder(), to: source)
    #expect(try differences(of: source.series[4]).isEmpty)
    try check(source.series[5], next[1], encoder())
  }

  @Test func damageOfAKeyEntryOrOfDifferencesIsFound() throws {
    let writer = try writer()
    _ = try append(0..<3, encoder(), to: writer)
    let blocks = try differences(of: writer.series[2])
    let whole = try place.bytes()
    for (run, damaged) in blocks.flatMap({ zip($0.runs, [[0, 1, 2], [2]]) }) {
      var bytes = whole
      bytes[Int(run.offset + run.byteCount / 2)] ^= 4
      try place.setBytes(bytes)
      for (number, entry) in try GraphArchiveSeries(url).enumerated() {
        guard damaged.contains(number) else {
          try GraphDecoder().verify(entry)
          continue
        }
        let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(entry) }
        #expect(error?.code == .damaged || error?.code == .malformed)
        #expect(throws: GCodableError.self) { try GraphDecoder().read(Cloud.self, from: entry) }
        try #expect(!GraphArchive(entry).damage().isEmpty)
      }
    }
  }

  /// A graph stream that changed since the last key entry and not since then is found where it is.
  @Test func streamsThatStayAreSharedByKeyEntries() throws {
    let writer = try writer(keyInterval: 2)
    var names = (0..<60_000).map { "name \($0)" }
    var states: [[String]] = []
    for step in 0..<6 {
      if step == 1 || step == 3 {
        for index in stride(from: 0, to: names.count, by: 5_000) { names[index] = "n\(step)me \(index)" }
      }
      try encoder().append(names, to: writer, step: step, time: 0)
      states.append(names)
    }
    for (entry, state) in zip(writer.series, states) {
      try #expect(GraphDecoder().read([String].self, from: entry) == state)
    }
    try GraphDecoder().verify(writer.series)
  }

  @Test func errorsHaveTheOffsetOfTheBlockInTheArchive() throws {
    let writer = try writer()
    _ = try append(0..<2, encoder(), to: writer)
    let extent = try #require(writer.series[1].pieces()?.table.extents.first { $0.derived != nil })
    var bytes = try place.bytes()
    bytes[Int(try #require(extent.derived?.runs.last).offset) + 40] ^= 1
    try place.setBytes(bytes)
    let entry = try GraphArchiveSeries(url)[1]
    let verified = #expect(throws: GCodableError.self) { try GraphDecoder().verify(entry) }
    let read = #expect(throws: GCodableError.self) { try GraphDecoder().read(Cloud.self, from: entry) }
    #expect(verified?.byteOffset == extent.offset && read?.byteOffset == extent.offset)
    try #expect(GraphArchive(entry).damage().blocks.first?.error.byteOffset == extent.offset)
  }

  /// Checksums do not protect what was forged: a table is refused, or its blocks are, and nothing traps.
  @Test func noTableTraps() throws {
    let writer = try writer()
    _ = try append(0..<2, encoder(), to: writer)
    let table = try #require(try writer.series[1].pieces()).table
    let bytes = table.bytes
    var random = SplitMix64(seed: 11)
    for _ in 0..<3_000 {
      var forged = bytes
      for _ in 0...random.below(2) { forged[random.below(bytes.count)] = UInt8(random.below(256)) }
      if random.below(4) == 0 { forged.removeLast(random.below(forged.count)) }
      do {
        _ = try forged.withUnsafeBytes {
          try ExtentTable(
            parsing: $0, table.features, start: table.start, tableOffset: table.ownEnd,
            byteCount: table.byteCount)
        }
      } catch is GCodableError {}
    }
    let again = try bytes.withUnsafeBytes {
      try ExtentTable(
        parsing: $0, table.features, start: table.start, tableOffset: table.ownEnd, byteCount: table.byteCount
      )
    }
    #expect(again == table)
  }
}
