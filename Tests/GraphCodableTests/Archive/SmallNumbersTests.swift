import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// `compression = .small`: what is written comes back bit for bit, by whole arrays, parts, views and lazy arrays.
@Suite("Small numbers") struct SmallNumbersTests {
  /// Arrays of that many elements have a segment of their own, of one byte each or of more.
  private static let count = 70_000

  private func walk<Number: FixedWidthInteger>(
    _ type: Number.Type, _ seed: UInt64, _ count: Int = count
  ) -> [Number] {
    var random = SplitMix64(seed: seed)
    var place = Number.zero
    return (0..<count).map { _ in
      place &+= Number(truncatingIfNeeded: random.next() % 7) &- 3
      return place
    }
  }

  /// What an archive has of its arrays.
  private func bulk(_ archive: Bytes) throws -> [GraphArchive.Segment] {
    try GraphArchive(archive).info.segments.filter { $0.kind == .bulk }
  }

  /// The same bits come back, which `==` does not tell of NaN.
  ///
  /// - Parameter isSmall: whether arrays have the codec; nil where that is not what the test is about.
  private func check<Root: GCodable>(
    _ root: Root, isSmall: Bool? = true, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let archive = try encoded(root, compression: .small)
    let back: Root = try decoded(from: archive)
    let isSame = try encoded(back, compression: .none) == encoded(root, compression: .none)
    #expect(isSame, sourceLocation: location)
    let segments = try bulk(archive)
    let areAll =
      isSmall.map { wanted in segments.allSatisfy { ($0.numbersBlockCount > 0) == wanted } } ?? true
    #expect(areAll && (isSmall == nil || !segments.isEmpty), sourceLocation: location)
    try GraphArchive(archive).verify()
  }

  @Test func integersOfAllTypes() throws {
    try check(walk(Int8.self, 1))
    try check(walk(Int16.self, 2))
    try check(walk(Int32.self, 3))
    try check(walk(Int64.self, 4))
    try check(walk(UInt8.self, 5))
    try check(walk(UInt16.self, 6))
    try check(walk(UInt32.self, 7))
    try check(walk(UInt64.self, 8))
    try check(walk(Int.self, 9))
    try check(walk(UInt.self, 10))
  }

  /// What digits a measurement has besides its trend is noise.
  private func measured(_ seed: UInt64, _ count: Int = count) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { sin(Double($0) / 500) + Double.random(in: -1e-4...1e-4, using: &random) }
  }

  @Test func floatsOfAllTypes() throws {
    try check(measured(1))
    try check(measured(2).map { Float($0) })
    try check(walk(Int16.self, 10).map { Float16($0 / 16) })
    try check(walk(Int16.self, 11).map { Double($0) * 0.01 })
    try check(walk(Int16.self, 12).map { Float($0) * 0.25 })
    try check(measured(3).map { Date(timeIntervalSinceReferenceDate: $0 * 1_000) })
  }

  @Test func elementsOfSeveralNumbers() throws {
    let (x, y) = (measured(4).map { Float($0) }, measured(5).map { Float($0) })
    try check(zip(x, y).map { SIMD2($0, $1) })
    try check(zip(x, y).map { SIMD3($0, $1, -$0) })
    try check(zip(x, y).map { SIMD4(Double($0), Double($1), 0, 1) })
    try check(zip(walk(Int16.self, 6), walk(Int16.self, 16)).map { SIMD4($0, $1, -$0, 7) })
    try check(walk(Int.self, 7).map { $0..<($0 + 50) })
  }

  /// Elements that the codec does not take have others.
  @Test func elementsThatAreNoSuchNumbers() throws {
    var random = SplitMix64(seed: 8)
    try check(walk(Int128.self, 8), isSmall: false)
    try check((0..<Self.count).map { _ in random.next() % 5 == 0 }, isSmall: nil)
    try check((0..<Self.count).map { "text \($0 % 100)" }, isSmall: nil)
    try check(Data((0..<Self.count).map { UInt8(truncatingIfNeeded: $0 / 100) }), isSmall: false)
    let uuids = (0..<Self.count).map {
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8($0 >> 8 & 255), UInt8($0 & 255)))
    }
    try check(uuids, isSmall: false)
  }

  @Test func containersOfAllForms() throws {
    let walk = walk(Int32.self, 9)
    try check(Array(repeating: walk, count: 3), isSmall: nil)
    try check((0..<20).map { Array(walk[($0 * 3_000)..<($0 * 3_100 + 1_000)]) })
    try check(walk.map { $0 % 5 == 0 ? nil : $0 }, isSmall: nil)
    try check(ContiguousArray(walk))
    try check(GArray(walk, shape: [7, 100, 100]))
    // Their order is another one in each process.
    let (set, pairs) = (Set(walk), ["a": walk, "b": walk.reversed()])
    try #expect(roundTrip(set, compression: .small) == set)
    try #expect(roundTrip(pairs, compression: .small) == pairs)
    let sink = try encoded(KitchenSink.sample(), compression: .small)
    try #expect(GraphArchive(sink).dump() == GraphArchive(encoded(KitchenSink.sample())).dump())
  }

  /// Around the smallest arrays, those that get a segment, and the ends of blocks: of 2^17 numbers of eight bytes, and 2^20 of one.
  @Test(arguments: [
    0, 1, 2, 3, 100, 2_047, 2_048, 2_049, 66_047, 66_048, 131_071, 131_072, 131_073, 133_119, 133_120,
    262_144,
    262_145,
  ])
  func countsAroundTheEndsOfBlocks(_ count: Int) throws {
    try check(walk(Int64.self, UInt64(count), count), isSmall: count < 2_048 ? nil : true)
    try check(measured(UInt64(count), count), isSmall: nil)
    try check(walk(Int16.self, 1, count).map { Double($0) * 0.1 }, isSmall: count < 2_048 ? nil : true)
  }

  @Test(arguments: [(1 << 20) - 1, 1 << 20, (1 << 20) + 1]) func bytesAroundTheEndsOfBlocks(_ count: Int)
    throws
  {
    try check(walk(UInt8.self, 3, count))
  }

  /// An infinity here and there, NaN with any bits, denormal numbers and zeros with a sign.
  @Test func extremeNumbers() throws {
    var random = SplitMix64(seed: 11)
    try check((0..<Self.count).map { _ in random.once(in: 2) ? Int64.min : .max })
    let doubles: [Double] = [
      0, -0.0, .infinity, -.infinity, .nan, Double(nan: 0x123, signaling: false), -.nan,
      .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    var numbers = measured(12)
    for place in stride(from: 5, to: numbers.count, by: 97) {
      numbers[place] = doubles[random.below(doubles.count)]
    }
    try check(numbers)
    try check(numbers.map { Float($0) })
    try check(numbers.map { Float16($0) }, isSmall: nil)
    // Decimals have a base, of which these are no multiples.
    var decimals = walk(Int16.self, 13).map { Double($0) * 0.01 }
    for place in stride(from: 5, to: decimals.count, by: 97) {
      decimals[place] = doubles[random.below(doubles.count)]
    }
    try check(decimals)
    try check(decimals.map { Float($0) })
    try check((0..<Self.count).map { _ in doubles[random.below(doubles.count)] }, isSmall: nil)
    try check((0..<Self.count).map { _ in Double(bitPattern: random.next()) }, isSmall: false)
  }

  /// Noise is stored as it is, and what repeats has LZ4.
  @Test func otherNumbersHaveOtherMethods() throws {
    var random = SplitMix64(seed: 12)
    try check((0..<Self.count).map { _ in random.next() }, isSmall: false)
    let piece = (0..<1_000).map { _ in random.next() }
    let repeated = (0..<Self.count).map { piece[$0 % 1_000] }
    try check(repeated, isSmall: false)
    #expect(try bulk(encoded(repeated, compression: .small)).contains { $0.lz4BlockCount > 0 })
  }

  /// Planes of vectors that are all alike: LZ4 finds more in a block than in a piece of it.
  @Test(arguments: [20_000, 43_349, 70_000, 200_000]) func whatLZ4MakesSmallerHasLZ4(_ count: Int) throws {
    let walk = walk(Int16.self, 10, count)
    let vectors = walk.enumerated().map { SIMD3(Float($1), 1, Float($1) + Float($0) * 0.0137) }
    let (small, lz4) = (try encoded(vectors, compression: .small), try encoded(vectors))
    #expect(small.count <= lz4.count)
    // At most one block of numbers holds more vectors, and so becomes smaller.
    if count < 70_000 { #expect(try bulk(small).allSatisfy { $0.numbersBlockCount == 0 }) }
  }

  /// The last block of an array may have a few bytes, which say nothing of the others.
  @Test(arguments: [131_072, 131_073, 131_080, 262_145]) func theLastBlockDoesNotChoose(_ count: Int) throws {
    var random = SplitMix64(seed: 14)
    let piece = (0..<1_000).map { _ in Double(bitPattern: random.next() >> 2) }
    let repeated = (0..<count).map { piece[$0 % 1_000] }
    try #expect(encoded(repeated, compression: .small).count <= encoded(repeated).count)
    let noise = (0..<count).map { _ in random.next() }
    try #expect(bulk(encoded(noise, compression: .small)).allSatisfy { $0.numbersBlockCount == 0 })
  }

  /// What recurs from as far as LZ4 sees is a small part of a piece.
  @Test(arguments: [40, 48, 52], [3_000, 5_000, 7_500, 21_779])
  func whatRecursFromFarHasLZ4(_ bits: Int, _ period: Int) throws {
    let turns = (0..<160_000).map { Double($0 % period) / Double(period) }
    let waves = turns.map { Int64(sin(2 * .pi * $0) * Double(sign: .plus, exponent: bits, significand: 1)) }
    try #expect(encoded(waves, compression: .small).count <= encoded(waves).count)
    let decimals = waves.map { Double($0) / 1000 }
    try #expect(encoded(decimals, compression: .small).count <= encoded(decimals).count)
  }

  /// Decimals are integers, however they were rounded: parsed, or multiplied.
  @Test(arguments: [2, 3, 5, 8]) func decimalsTakeTheBitsOfIntegers(_ digits: Int) throws {
    var random = SplitMix64(seed: 15)
    let integers = (0..<Self.count).map { _ in Int(random.next() % 1_000_000) - 300_000 }
    let ten = pow(10, Double(digits))
    for decimals in [integers.map { Double($0) / ten }, integers.map { Double($0) * (1 / ten) }] {
      try check(decimals)
      // 20 bits.
      try #expect(encoded(decimals, compression: .small).count < Self.count * 21 / 8)
    }
  }

  @Test func isSmallerThanLZ4() throws {
    for array in [measured(20), walk(Int32.self, 21).map { Double($0) * 0.01 }] {
      try #expect(encoded(array, compression: .small).count < encoded(array).count)
    }
  }

  /// All cores make the same bytes.
  @Test func threadsMakeTheSameBytes() throws {
    let numbers = measured(22, 300_000)
    let encoder = GraphEncoder()
    encoder.compression = .small
    let archives = try [1, 2, 3].map { count in
      encoder.threadCount = count
      return try encoder.encode(numbers) as Bytes
    }
    #expect(archives[0] == archives[1] && archives[0] == archives[2])
  }

  @Test(arguments: [GPrecision.absolute(0.01), .relative(1e-4), .bits(12)])
  func precision(_ precision: GPrecision) throws {
    let encoder = GraphEncoder()
    (encoder.compression, encoder.precision) = (.small, precision)
    let frames = (0..<9).map { frame in
      walk(Int32.self, UInt64(frame / 3)).prefix(9_000).map { SIMD3(Float($0), Float(frame), 0.3) * 0.017 }
    }
    let archive: Bytes = try encoder.encode(frames)
    let back = try GraphDecoder().decode([[SIMD3<Float>]].self, from: archive)
    // As LZ4 rounds them, and what is rounded does not change again.
    encoder.compression = .lz4
    #expect(try GraphDecoder().decode([[SIMD3<Float>]].self, from: encoder.encode(frames) as Bytes) == back)
    encoder.compression = .small
    #expect(try encoder.encode(back) as Bytes == archive)
    let segment = try #require(try bulk(archive).first)
    #expect(segment.numbersBlockCount > 0 && segment.precision == precision)
  }

  /// Views and single elements read only their blocks.
  @Test func parts() throws {
    let numbers = measured(14) + measured(15)
    let archive = try GraphArchive(encoded(["a": numbers], compression: .small))
    #expect(try archive.decode(Double.self, at: "a[90000]") == numbers[90_000])
    #expect(
      try archive.decode([Double].self, at: ["a", .range(65_000..<65_050)]) == Array(numbers[65_000..<65_050])
    )
    let view = try archive.array(Double.self, at: "a")
    try #expect(view[60_000..<70_000] == Array(numbers[60_000..<70_000]))
    #expect(try archive.damage().isEmpty)
  }

  @Test func lazyArrays() throws {
    let rows = (0..<40).map { measured(UInt64($0), 3_000) }
    let archive = try encoded([GLazy(measured(16)), GLazy(measured(17))], compression: .small)
    #expect(try bulk(archive).allSatisfy { $0.numbersBlockCount > 0 })
    let lazy = try decoded([GLazy<[Double]>].self, from: archive)
    #expect(try lazy.map { try $0.get() } == [measured(16), measured(17)])
    let nested = try decoded(GLazy<[[Double]]>.self, from: encoded(GLazy(rows), compression: .small))
    #expect(try nested.get() == rows)
  }

  /// Written, and compared with what was to be written.
  @Test func files() throws {
    let folder = try TemporaryFolder()
    let encoder = GraphEncoder()
    encoder.compression = .small
    encoder.verifiesAfterWrite = true
    let numbers = measured(18, 200_000)
    try encoder.write(numbers, to: folder.file("a.gcodable"))
    #expect(try GraphDecoder().read([Double].self, from: folder.file("a.gcodable")) == numbers)
  }
}
