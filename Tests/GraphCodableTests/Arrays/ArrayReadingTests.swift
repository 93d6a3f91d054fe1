import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// `GraphArrayView.read(_:into:)`.
@Suite("Arrays: reading into memory that is there") struct ArrayReadingTests {
  /// A smooth field with noise in its last bits, which differences and a bit shuffle suit; of more than 16 MiB.
  private static let field: [Double] = {
    var random = SplitMix64(seed: 5)
    return (0..<2_100_003).map { (place: Int) -> Double in
      let noise = Double(random.next() >> 44) * 1e-12
      return 2.5 + Double(place % 4000) / 4000 + noise
    }
  }()

  private func address(_ elements: [Double]) -> UInt? {
    elements.withUnsafeBufferPointer { $0.baseAddress.map(UInt.init(bitPattern:)) }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 3)])
  func memoryIsUsedAgain(_ compression: GraphEncoder.Compression) throws {
    let view = try GraphArchive.encoding(Self.field, compression).array(Double.self)
    var elements = [Double](repeating: -1, count: Self.field.count)
    let start = address(elements)
    try view.read(into: &elements)
    #expect(elements == Self.field)
    #expect(address(elements) == start)
    try view.read(70_001..<2_000_000, into: &elements, threadCount: 1)
    #expect(elements == Array(Self.field[70_001..<2_000_000]))
    #expect(address(elements) == start)
    try view.read(5..<5, into: &elements)
    #expect(elements.isEmpty)
    try view.read(into: &elements)
    #expect(elements == Self.field)
  }

  @Test func anArrayThatSharesItsMemoryIsLeftAlone() throws {
    let view = try GraphArchive.encoding(Self.field).array(Double.self)
    let old = [Double](repeating: -1, count: Self.field.count)
    var elements = old
    try view.read(into: &elements)
    #expect(elements == Self.field)
    #expect(old.allSatisfy { $0 == -1 })
  }

  @Test func spansArePartsOfOtherMemory() throws {
    let view = try GraphArchive.encoding(Self.field).array(Double.self)
    for offset in [0, 1, 3] {
      var memory = [Double](repeating: -1, count: 2_100_010)
      try memory.withUnsafeMutableBufferPointer {
        var part = UnsafeMutableBufferPointer(rebasing: $0[offset..<(offset + 1_500_000)]).mutableSpan
        try view.read(100_000..<1_600_000, into: &part)
      }
      #expect(memory[..<offset].allSatisfy { $0 == -1 })
      #expect(memory[offset..<(offset + 1_500_000)] == Self.field[100_000..<1_600_000])
      #expect(memory[(offset + 1_500_000)...].allSatisfy { $0 == -1 })
    }
  }

  @Test func aSpanOfAnotherLengthIsRefused() throws {
    let view = try GraphArchive.encoding(Self.field).array(Double.self)
    var memory = [Double](repeating: -1, count: 10)
    do {
      var span = memory.mutableSpan
      for places in [0..<9, 0..<11, nil] {
        let error = #expect(throws: GCodableError.self) { try view.read(places, into: &span) }
        #expect(error?.code == .invalidValue)
      }
      try view.read(3..<13, into: &span)
    }
    #expect(memory == Array(Self.field[3..<13]))
  }

  @Test func placesThatAreNotThereLeaveTheElementsAlone() throws {
    let view = try GraphArchive.encoding(Self.field).array(Double.self)
    var elements: [Double] = [1, 2, 3]
    for places in [0..<2_100_004, -1..<2] {
      let error = #expect(throws: GCodableError.self) { try view.read(places, into: &elements) }
      #expect(error?.code == .valueNotFound)
    }
    #expect(elements == [1, 2, 3])
  }

  @Test func anArrayOfSeveralDimensionsGetsTheShape() throws {
    let matrix = GArray((0..<600_000).map { Float($0) }, shape: [600, 1000])
    let view = try GraphArchive.encoding(matrix).array(Float.self)
    var read = GArray(repeating: Float(-1), shape: [700_000])
    try view.read(into: &read)
    #expect(read == matrix)
    let row = try GraphArchive.encoding(matrix).array(Float.self, at: "[7]")
    try row.read(into: &read)
    #expect(read == GArray(Array(matrix.row(7)), shape: [1000]))
  }

  @Test func paddingIsLeftOutAndOtherTypesAreConverted() throws {
    let vectors = (0..<100_000).map { SIMD3<Float>(Float($0), 1, -Float($0)) }
    var read = [SIMD3<Float>](repeating: .zero, count: vectors.count)
    try GraphArchive.encoding(vectors).array(SIMD3<Float>.self).read(into: &read)
    #expect(read == vectors)

    let integers = (0..<100_000).map { Int16($0 % 1000) }
    let view = try GraphArchive.encoding(integers).array(Int.self)
    var wide = [Int](repeating: 0, count: 200_000)
    try view.read(into: &wide)
    #expect(wide == integers.map(Int.init))
    var memory = [Int](repeating: 0, count: 10)
    do {
      var span = memory.mutableSpan
      try view.read(500..<510, into: &span)
    }
    #expect(memory == Array(500..<510))

    let bools = (0..<70_000).map { $0 % 3 == 0 }
    var flags = [Bool](repeating: false, count: 70_000)
    try GraphArchive.encoding(bools).array(Bool.self).read(into: &flags)
    #expect(flags == bools)
  }

  @Test func shortArraysAreInTheStream() throws {
    let view = try GraphArchive.encoding(["a": [1.5, 2.5, 3.5]]).array(Double.self, at: "a")
    var elements = [Double](repeating: 0, count: 3)
    try view.read(into: &elements)
    #expect(elements == [1.5, 2.5, 3.5])
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func damageIsFound(_ compression: GraphEncoder.Compression) throws {
    let encoder = GraphEncoder()
    encoder.compression = compression
    var bytes = try encoder.encode(Self.field) as [UInt8]
    bytes[bytes.count / 2] ^= 1
    let view = try GraphArchive(bytes).array(Double.self)
    var elements = [Double](repeating: -1, count: Self.field.count)
    let error = #expect(throws: GCodableError.self) { try view.read(into: &elements) }
    #expect(error?.code == .damaged)
    #expect(elements.count == Self.field.count)
    // Other blocks are read.
    try view.read(0..<1000, into: &elements)
    #expect(elements == Array(Self.field[..<1000]))
  }
}
