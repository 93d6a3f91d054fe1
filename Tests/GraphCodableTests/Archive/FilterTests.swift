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

/// Which filters arrays get, and that they come back.
@Suite("Filters")
struct FilterTests {
  static func segments(_ bytes: Bytes) throws -> [Segment] {
    try bytes.withUnsafeBytes { buffer in
      try ArchiveReader(ArchiveSource(buffer)).contents.bulk.map(\.segment)
    }
  }

  private func filters(_ value: some GEncodable, _ compression: GraphEncoder.Compression = .lz4) throws
    -> [Segment.Filter]
  {
    try #require(Self.segments(encoded(value, compression: compression)).first).filters
  }

  @Test func smoothNumbersAreStoredAsDifferences() throws {
    let field = BlockTests.smoothField(count: 300_000)
    try #expect(filters(field).first == .delta(width: 8, lag: 1))
    try #expect(roundTrip(field) == field)
    let counted = (0..<100_000).map { Int32($0 * 3 + $0 % 7) }
    try #expect(filters(counted).first == .delta(width: 4, lag: 1))
    try #expect(roundTrip(counted) == counted)
    let vectors = counted.map { SIMD3(Float($0), Float($0 / 2), -1) }
    try #expect(filters(vectors).first == .delta(width: 4, lag: 3))
    try #expect(roundTrip(vectors) == vectors)
  }

  @Test func differencesAreShuffledByBitsWhereThatSavesMore() throws {
    let field = BlockTests.smoothField(count: 300_000)
    for compression in [GraphEncoder.Compression.lz4, .lz4hc(level: 4)] {
      try #expect(
        filters(field, compression) == [.delta(width: 8, lag: 1), .bitShuffle(elementByteCount: 8)])
    }
    // For a short array, all ways are compared in turn, and bits alone must not get in the way of differences.
    var random = SplitMix64(seed: 6)
    var place = 0.0
    var walk: [Double] = []
    for _ in 0..<12_800 {
      place += Double.random(in: -1...1, using: &random)
      walk.append(place)
    }
    try #expect(filters(walk) == [.delta(width: 8, lag: 1), .bitShuffle(elementByteCount: 8)])
    // Differences from the row before are others, and save less here.
    let rows = (0..<400).map { row -> [Float] in
      (0..<64).map { column -> Float in
        let height: Double = sin(Double(column) * 0.05) * cos(Double(row) * 0.05)
        return Float(height + Double.random(in: -1e-6...1e-6, using: &random))
      }
    }
    try #expect(filters(rows) == [.delta(width: 4, lag: 1), .shuffle(elementByteCount: 4)])
  }

  @Test func numbersOfFewBitsAreShuffledByBits() throws {
    var random = SplitMix64(seed: 2)
    let levels = (0..<100_000).map { _ in UInt16(random.below(5)) << 3 }
    try #expect(filters(levels) == [.bitShuffle(elementByteCount: 2)])
    try #expect(roundTrip(levels) == levels)
    try #expect(encoded(levels).count < 100_000 * 4 / 8)
    let flags = (0..<100_000).map { _ in random.once(in: 3) }
    try #expect(roundTrip(flags) == flags)
  }

  @Test(arguments: [16_384, 20_001, 70_003]) func integersOfEachWidthComeBack(count: Int) throws {
    func check<Number: FixedWidthInteger & GCodable>(_ type: Number.Type) throws {
      let numbers = (0..<count).map { Number(truncatingIfNeeded: $0 / 3 + $0 % 5 &* 40) }
      for compression in [GraphEncoder.Compression.lz4, .lz4hc(level: 4)] {
        try #expect(roundTrip(numbers, compression: compression) == numbers)
      }
    }
    try check(UInt8.self)
    try check(Int16.self)
    try check(UInt32.self)
    try check(Int64.self)
  }

  /// Rows whose numbers resemble only those of neighbouring rows.
  @Test func rowsAreStoredAsDifferencesFromEachOther() throws {
    var random = SplitMix64(seed: 3)
    var row = (0..<3_000).map { _ in Int32.random(in: -1_000_000...1_000_000, using: &random) }
    var numbers: [Int32] = []
    for _ in 0..<100 {
      for index in row.indices { row[index] += Int32(random.below(20)) - 10 }
      numbers += row
    }
    let array = BulkArray(
      byteCount: numbers.count * 4, elementByteCount: 4, format: PackedFormat(.int32), rowElementCount: 3_000,
      owner: PackedCollection(elements: numbers, elementByteCount: 4))
    var memory = Bytes(repeating: 0, count: numbers.count * 4 + 1000)
    let placed = try memory.withUnsafeMutableBytes {
      try SegmentWriter([.init(array)], compression: .lz4, threadCount: 1, sink: MemorySink($0)).write(
        from: 64)
    }
    let segment = placed[0].segment
    #expect(
      segment.filters == [.delta(width: 4, lag: 3_000, startLag: 1), .bitShuffle(elementByteCount: 4)])
    #expect(segment.byteCount < UInt64(numbers.count))
    var result = [Int32](repeating: 0, count: numbers.count)
    try result.withUnsafeMutableBytes { result in
      try memory.withUnsafeBytes { memory in
        let reader = ArchiveReader(
          ArchiveSource(memory),
          ArchiveHeader(contentsByteCount: 1, byteCount: UInt64(memory.count), contentsHash: 0), Contents(),
          threadCount: 1)
        try reader.expand(reader.open(placed[0]), into: PackedRoom(result))
      }
    }
    #expect(result == numbers)
  }

  /// The dimension in the middle is the one whose parts resemble each other.
  @Test func differencesAreThoseOfTheDimensionThatTheDataConfirm() throws {
    var random = SplitMix64(seed: 11)
    var numbers: [Int32] = []
    for _ in 0..<20 {
      var row = (0..<150).map { _ in Int32.random(in: -1_000_000...1_000_000, using: &random) }
      for _ in 0..<100 {
        for index in row.indices { row[index] += Int32(random.below(20)) - 10 }
        numbers += row
      }
    }
    let array = GArray(numbers, shape: [20, 100, 150])
    let nested = (0..<20).map { slab in
      (0..<100).map { line in Array(numbers[((slab * 100 + line) * 150)...].prefix(150)) }
    }
    let expected: [Segment.Filter] = [
      .delta(width: 4, lag: 150, startLag: 1), .bitShuffle(elementByteCount: 4),
    ]
    try #expect(filters(array) == expected)
    try #expect(filters(nested) == expected)
    try #expect(roundTrip(array) == array)
    try #expect(roundTrip(nested) == nested)
  }

  /// Vectors as the last dimension are as small as vectors.
  @Test(arguments: [[20, 3_000, 3], [60_000, 3], [1, 60_000, 3]], [1, 3])
  func vectorsMayBeTheLastDimension(shape: [Int], sites: Int) throws {
    let frames = walk(frames: 20, atoms: 3_000, sites: sites)
    let flat = frames.flatMap { $0.flatMap { [$0.x, $0.y, $0.z] } }
    let nested = shape[0] == 20 ? frames : [Array(frames.joined())]
    let array = GArray(flat, shape: shape)
    let (vectors, numbers) = try (rounded(nested, to: 0.01).count, rounded(array, to: 0.01).count)
    #expect(Double(numbers) < Double(vectors) * 1.01)
  }

  /// Of four sites in each molecule, three follow the first one at a fixed distance.
  @Test(arguments: [3, 4, 5]) func atomsAtTheSamePlaceInMoleculesAreStoredTogether(sites: Int) throws {
    let frames = walk(frames: 1, atoms: 12_000, sites: sites)
    let bytes = try rounded(frames, to: 0.005)
    let segment = try #require(GraphArchive(bytes).info.segments.first)
    #expect(segment.filters.last?.description == "bit shuffle \(12 * sites)")
    let result = try GraphDecoder().decode([[SIMD3<Float>]].self, from: bytes)
    for (left, right) in zip(frames.joined(), result.joined()) {
      #expect(
        abs(left.x - right.x) <= 0.005 && abs(left.y - right.y) <= 0.005 && abs(left.z - right.z) <= 0.005)
    }
  }

  private func rounded<Value: GEncodable>(_ value: Value, to bound: Double) throws -> Bytes {
    let encoder = GraphEncoder()
    encoder.precision = .absolute(bound)
    return try encoder.encode(value)
  }

  /// Molecules in places of their own, whose sites lie close to each other.
  private func walk(frames: Int, atoms: Int, sites: Int) -> [[SIMD3<Float>]] {
    var random = SplitMix64(seed: 12)
    func vector(_ size: Float) -> SIMD3<Float> {
      SIMD3(
        .random(in: -size...size, using: &random), .random(in: -size...size, using: &random),
        .random(in: -size...size, using: &random))
    }
    let places = (0..<(atoms / sites)).map { _ in vector(30) }
    return (0..<frames).map { _ in
      places.flatMap { place in
        [place] + (1..<max(sites, 2)).prefix(sites - 1).map { _ in place + vector(0.2) }
      }
    }
  }

  @Test func infoShowsFiltersAndPrecision() throws {
    let encoder = GraphEncoder()
    encoder.precision = .absolute(0.01)
    let bytes = try encoder.encode(BlockTests.smoothField(count: 100_000)) as Bytes
    let segment = try #require(GraphArchive(bytes).info.segments.first)
    #expect(segment.precision == .absolute(0.01))
    #expect(segment.filters.first?.description == "quantised 0.01")
    #expect(segment.ratio > 8)
    let exact = try #require(GraphArchive(encoded((0..<40_000).map { $0 })).info.segments.first)
    #expect(exact.precision == nil && exact.filters.map(\.description).contains("delta 1"))
  }
}
