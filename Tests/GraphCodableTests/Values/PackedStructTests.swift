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

/// Structs of numbers in arrays: their bytes, their checks, and what cannot be one.
@Suite("Packed structs")
struct PackedStructTests {
  struct Particle: GPackedStruct, Equatable {
    var position: SIMD4<Double>
    var charge: Float
    var id: UInt32
    var isFixed: Bool
    var flags: (UInt8, UInt8, UInt8) = (1, 2, 3)
    var rest: UInt32 = 7
    var mass: Double
    var time: Int64 = -1
    var more: (Int64, Int64) = (2, 3)

    static let packedLayout = PackedLayout<Self>(
      \.position, \.charge, \.id, \.isFixed, \.flags.0, \.flags.1, \.flags.2, \.rest, \.mass, \.time,
      \.more.0,
      \.more.1)

    init(_ index: Int) {
      position = SIMD4(Double(index), 0.5, -Double(index), 1)
      charge = Float(index) / 3
      id = UInt32(index)
      isFixed = index.isMultiple(of: 3)
      mass = 1 / Double(index + 1)
    }

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.position == rhs.position && lhs.charge == rhs.charge && lhs.id == rhs.id
        && lhs.isFixed == rhs.isFixed && lhs.flags == rhs.flags && lhs.rest == rhs.rest
        && lhs.mass == rhs.mass && lhs.time == rhs.time && lhs.more == rhs.more
    }
  }

  struct Pair: GPackedStruct, Equatable {
    var first: Int32
    var second: Float
    static let packedLayout = PackedLayout<Self>(\.first, \.second)
  }

  struct OtherPair: GPackedStruct {
    var first: UInt32
    var second: Float
    static let packedLayout = PackedLayout<Self>(\.first, \.second)
  }

  static func particles(_ count: Int) -> [Particle] { (0..<count).map(Particle.init) }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 2)])
  func arraysOfAnySizeComeBack(compression: GraphEncoder.Compression) throws {
    for count in [0, 1, 3, 204, 205, 30_000] {
      let particles = Self.particles(count)
      try #expect(roundTrip(particles, compression: compression) == particles)
      let bytes = try encoded(particles, compression: compression)
      try #expect(decoded(ContiguousArray<Particle>.self, from: bytes) == ContiguousArray(particles))
      try #expect(encoded(ContiguousArray(particles), compression: compression) == bytes)
      try #expect(encoded(particles[...], compression: compression) == bytes)
      #expect(try Forge(bytes).contents.bulk.count == (count >= 205 ? 1 : 0))
    }
  }

  @Test func singleValuesAndThoseInsideOthersComeBack() throws {
    let pair = Pair(first: -4, second: 2.5)
    try #expect(roundTrip(pair) == pair)
    let nested = ["a": [Pair?.some(pair), nil], "b": []]
    try #expect(roundTrip(nested) == nested)
    let inside = [1: Self.particles(1000), 2: Self.particles(2)]
    try #expect(roundTrip(inside) == inside)
    let keys = [pair.first: pair]
    try #expect(roundTrip(keys) == keys)
  }

  @Test func theBytesAreThoseOfTheMemory() throws {
    let bytes = try encoded([Pair(first: 1, second: 2)], compression: .none)
    let stream = try Forge(bytes).stream()
    #expect(stream == [0x0E, 0x03, 0x05, 1, 0, 0, 0, 0, 0, 0, 0x40])
  }

  @Test func compressionShufflesTheBytesOfWholeStructs() throws {
    let particles = Self.particles(20_000)
    let bytes = try encoded(particles)
    #expect(bytes.count < particles.count * MemoryLayout<Particle>.stride / 2)
    let size = try bytes.withUnsafeBytes { buffer in
      let reader = try ArchiveReader(ArchiveSource(buffer))
      return try reader.open(reader.contents.bulk[0]).segment.filters.first?.parameter
    }
    #expect(size.map { Int($0) } == MemoryLayout<Particle>.stride)
  }

  @Test func anotherLayoutIsATypeMismatch() throws {
    let bytes = try encoded([Pair(first: 1, second: 2)])
    let error = #expect(throws: GCodableError.self) { try decoded([OtherPair].self, from: bytes) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.description.contains("(int32, float32)") == true)
    #expect(throws: GCodableError.self) { try decoded([Double].self, from: bytes) }
    #expect(throws: GCodableError.self) { try decoded([Pair].self, from: encoded([1.0])) }
  }

  @Test func bytesThatAreNoValueAreRefused() throws {
    let particles = Self.particles(1000)
    let forge = try Forge(encoded(particles, compression: .none))
    let placed = forge.contents.bulk[0]
    let blocks = Int(placed.offset) + placed.segment.paddedHeaderByteCount
    let place = try #require(MemoryLayout<Particle>.offset(of: \.isFixed))
    let bytes = try #require(
      try forge.changingSegmentByte(at: blocks + 500 * MemoryLayout<Particle>.stride + place) { $0 = 2 })
    let error = #expect(throws: GCodableError.self) { try decoded([Particle].self, from: bytes) }
    #expect(error?.code == .invalidValue)
    #expect(error?.description.contains("[500]") == true)
  }

  @Test(arguments: [false, true]) func boolsAreCheckedBlockByBlock(areInRows: Bool) throws {
    let particles = Self.particles(30_000)
    let rows = (0..<100).map { Array(particles[($0 * 300)..<(($0 + 1) * 300)]) }
    let archive = try GraphArchive(areInRows ? encoded(rows) : encoded(particles))
    let segment = try #require(archive.contents.bulk.first?.segment)
    #expect(segment.blocks.count > 2)
    let counts = BlockCounts()
    try archive.withReader { reader in
      var check = try GraphCheck(
        ArchiveReader(reader.source, reader.header, reader.contents, threadCount: 1, counts: counts))
      try check.run()
    }
    #expect(counts.expanded == segment.blocks.count)
  }

  @Test func headsThatNoWriterMakesAreRefused() throws {
    let forge = try Forge(encoded([Pair(first: 1, second: 2)]))
    for stream in [
      // Layouts 0 and 2, of which there is one; more elements than bytes; a segment that is not there; a forged count.
      [0x0E, 0x01, 0x05, 0, 0, 0, 0, 0, 0, 0, 0], [0x0E, 0x05, 0x05, 0, 0, 0, 0, 0, 0, 0, 0],
      [0x0E, 0x03, 0x09, 1, 0, 0, 0, 0, 0, 0, 0x40], [0x0E, 0x03, 0x07, 0x01],
      [0x0E, 0x03, 0x00] + Bytes(repeating: 0xFF, count: 8),
    ] as [Bytes] {
      let error = #expect(throws: GCodableError.self) {
        try decoded([Pair].self, from: forge.replacingStream(with: stream))
      }
      #expect(error?.code == .malformed, "\(stream)")
    }
  }

  @Test func layoutsThatNoStructCanHaveAreRefused() throws {
    let forge = try Forge(encoded([Pair(first: 1, second: 2)]))
    // 1,025 vectors of 1,024 bytes.
    let field = Contents.Layout.Field(keyNumber: 0, format: PackedFormat(.int128, lanes: 64))
    for fields in [[], Array(repeating: field, count: 1025)] {
      let bytes = try forge.changingContents { $0.layouts = [Contents.Layout(fields: fields)] }
      let error = #expect(throws: GCodableError.self) { try decoded([Pair].self, from: bytes) }
      #expect(error?.code == .malformed)
    }
  }

  @Test func aDumpSaysTheFields() throws {
    let small = try GraphDecoder().dump(from: encoded([Pair(first: 1, second: 2)]))
    #expect(small.contains("{ 1 × (int32, float32), 8 bytes }"))
    let large = try GraphDecoder().dump(from: encoded(Self.particles(1000)))
    #expect(large.contains("{ 1000 × (float64 × 4, float32, uint32, bool,"))
  }

  struct Inner: BitwiseCopyable { var a: Int32 = 0, b: Int16 = 0 }

  struct Gaps: GPackedStruct {
    var small: Int32 = 0
    var large: Double = 0
    var tail: Int32 = 0
    var vector: SIMD3<Float> = .zero
    var computed: Int { 1 }
    static var packedLayout: PackedLayout<Self> { PackedLayout(\.small, \.large, \.tail, \.vector) }
  }

  @Test func paddingAndWhatIsNotNamedEndTheProgram() async {
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Gaps>(\.small, \.large) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Gaps>(\.large) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Pair>(\.first) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Pair>(\.second, \.first) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<SIMD3<Float>>(\.self) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Inner>(\.a, \.b) }
    await #expect(processExitsWith: .failure) { _ = PackedLayout<Int>(\.littleEndian) }
    await #expect(processExitsWith: .failure) { _ = try encoded([Gaps()]) }
    await #expect(processExitsWith: .success) { _ = PackedLayout<Pair>(\.first, \.second) }
  }
}
