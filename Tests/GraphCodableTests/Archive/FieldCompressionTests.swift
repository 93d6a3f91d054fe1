import GraphCodable
import GraphCodableTestSupport
import Testing

/// Arrays that are compressed in another way than the encoder's.
@Suite("Compression of fields") struct FieldCompressionTests {
  /// Numbers that each method makes smaller.
  static let numbers: [Double] = {
    var random = SplitMix64(seed: 5)
    return (0..<4_000).map { _ in Double(random.below(1_000)) * 0.01 }
  }()

  final class Child: GCodable {
    var numbers = FieldCompressionTests.numbers
    init() {}
    init(from decoder: GDecoder) throws { numbers = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(numbers) }
  }

  private struct Failure: Error {}

  /// What each array of an archive has, in their order.
  private func methods(_ archive: Bytes) throws -> [String] {
    try GraphArchive(archive).info.segments.filter { $0.kind == .bulk }.map {
      $0.numbersBlockCount > 0 ? "numbers" : $0.lz4BlockCount > 0 ? "LZ4" : "none"
    }
  }

  private func methods(_ compression: GraphEncoder.Compression, _ write: @escaping (GEncoder) throws -> Void)
    throws
    -> [String]
  {
    let archive = try encoded(Script(write), compression: compression)
    try GraphArchive(archive).verify()
    return try methods(archive)
  }

  @Test func anArrayHasItsOwn() throws {
    let numbers = Self.numbers
    for (compression, name) in [(GraphEncoder.Compression.none, "none"), (.lz4, "LZ4"), (.small, "numbers")] {
      let found = try methods(compression) { encoder in
        try encoder.encode(numbers)
        try encoder.withCompression(.small) { try encoder.encode(numbers.map { $0 + 1 }) }
        try encoder.withCompression(.lz4hc(level: 4)) { try encoder.encode([numbers, numbers]) }
        try encoder.withCompression(.none) { try encoder.encode(GArray(numbers, shape: [2, 2_000])) }
        try encoder.encode(numbers.reversed() as [Double])
      }
      #expect(found == [name, "numbers", "LZ4", "none", name])
    }
  }

  @Test func anInnerOneHoldsForItsCalls() throws {
    let numbers = Self.numbers
    let found = try methods(.none) { encoder in
      try encoder.withCompression(.small) {
        try encoder.encode(numbers)
        try? encoder.withCompression(.lz4) {
          try encoder.encode(numbers)
          throw Failure()
        }
        try encoder.encode(["a": numbers])
      }
      try encoder.encode(numbers)
    }
    #expect(found == ["numbers", "LZ4", "numbers", "none"])
  }

  /// As the precision, it is not that of objects.
  @Test func objectsHaveThatOfTheEncoder() throws {
    let numbers = Self.numbers
    let found = try methods(.none) { encoder in
      try encoder.withCompression(.small) {
        try encoder.encode(Child())
        try encoder.encode(numbers)
      }
    }
    #expect(found == ["numbers", "none"])
  }

  @Test func itGoesWithAPrecision() throws {
    let numbers = Self.numbers.map { $0 + 0.001_234 }
    let encoder = GraphEncoder()
    let archive: Bytes = try encoder.encode(
      Script { encoder in
        try encoder.withCompression(.small) { try encoder.encode(numbers, precision: .absolute(0.05)) }
      })
    let segment = try #require(try GraphArchive(archive).info.segments.first { $0.kind == .bulk })
    #expect(segment.numbersBlockCount > 0 && segment.precision == .absolute(0.05))
    // The next graph of the same encoder has nothing of it.
    try #expect(methods(encoder.encode(numbers)) == ["LZ4"])
  }

  /// A writer of a series knows arrays by what they are compressed with.
  @Test func seriesKeepIt() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.gcseries"))
    let (encoder, numbers) = (GraphEncoder(), Self.numbers)
    for step in 0..<4 {
      let script = Script { encoder in
        try encoder.withCompression(step % 2 == 0 ? .small : .lz4) { try encoder.encode(numbers) }
        try encoder.encode(numbers)
      }
      try encoder.append(script, to: writer, step: step, time: 0)
    }
    for entry in writer.series {
      try GraphDecoder().verify(entry)
      try #expect(methods(Bytes(entry.archive())) == [entry.step % 2 == 0 ? "numbers" : "LZ4", "LZ4"])
    }
  }
}
