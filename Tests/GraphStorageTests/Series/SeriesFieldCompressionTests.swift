import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphReading
@testable import _GraphStorage

/// Differences of arrays that are compressed in another way than the encoder's.
@Suite("Series: compression of fields") struct SeriesFieldCompressionTests {
  /// Whether the second of two entries has an array as differences to that of the first.
  private func hasDifferences(
    _ compression: GraphEncoder.Compression, of encoder: GraphEncoder.Compression
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.gcseries"))
    writer.sharing = .differences(keyInterval: 4)
    let settings = GraphEncoder()
    settings.compression = encoder
    var random = SplitMix64(seed: 6)
    let numbers = (0..<20_000).map { _ in Int32(random.below(1 << 28)) }
    for step in 0..<2 {
      let moved = numbers.map { $0 + Int32(step) }
      let script = Script { encoder in
        try encoder.withCompression(compression) { try encoder.encode(moved) }
        try encoder.encode(numbers)
      }
      try settings.append(script, to: writer, step: step, time: 0)
    }
    let entry = writer.series[1]
    try GraphDecoder().verify(entry)
    return try #require(try entry.pieces()).table.features.contains(.extentsOfDifferences)
  }

  @Test func arraysThatAreNotCompressedHaveNoDifferences() throws {
    #expect(try hasDifferences(.lz4, of: .lz4))
    #expect(try hasDifferences(.lz4hc(level: 4), of: .lz4))
    #expect(try !hasDifferences(.none, of: .lz4))
    #expect(try !hasDifferences(.lz4, of: .none))
  }
}
