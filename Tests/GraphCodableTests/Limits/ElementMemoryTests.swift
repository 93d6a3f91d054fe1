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

/// Elements that are a byte in the archive and hundreds in memory.
@Suite("Limit of elements' memory")
struct ElementMemoryTests {
  private struct Empty: GCodable, Codable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  private func expectLimit(_ body: () throws -> Void) {
    let error = #expect(throws: GCodableError.self, performing: body)
    #expect(error?.code == .limitExceeded)
    #expect(error?.description.contains("elementByteRatio") == true)
  }

  /// 300 KB that would decode to 300 MB and more.
  private let nils = [Int8?](repeating: nil, count: 300_000)

  @Test func optionalsThatAreNilTakeTheirMemoryFromABudget() throws {
    let bytes = try encoded(nils)
    expectLimit { _ = try decoded([SIMD64<Double>?].self, from: bytes) }
    expectLimit { _ = try decoded(ContiguousArray<SIMD64<Double>?>.self, from: bytes) }
    expectLimit { _ = try decoded(Set<SIMD64<Double>?>.self, from: bytes) }
    expectLimit { _ = try GraphDecoder().decode(codable: [SIMD64<Double>?].self, from: bytes) }
  }

  @Test func emptyRecordsTakeTheirMemoryFromABudget() throws {
    let bytes = try encoded([Empty](repeating: Empty(), count: 300_000))
    expectLimit { _ = try decoded([DateComponents].self, from: bytes) }
    try #expect(decoded([Empty].self, from: bytes).count == 300_000)
  }

  /// The budget is one for all containers.
  @Test func manyContainersAreCountedTogether() throws {
    let bytes = try encoded(nils.map { [[$0]] })
    expectLimit { _ = try decoded([[[SIMD64<Double>?]]].self, from: bytes) }
  }

  @Test func dictionariesTakeTheirMemoryFromABudget() throws {
    let pairs = Dictionary(uniqueKeysWithValues: (0..<200_000).map { ($0, nil as Int8?) })
    let bytes = try encoded(pairs)
    expectLimit { _ = try decoded([Int: SIMD64<Double>?].self, from: bytes) }
    expectLimit { _ = try GraphDecoder().decode(codable: [Int: SIMD64<Double>?].self, from: bytes) }
  }

  private struct Unit<Element: BinaryIOType>: GBinaryCodable {
    var elements: [Element]
    init(_ elements: [Element]) { self.elements = elements }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try elements.write(to: &wbuffer) }
    init(from rbuffer: inout BinaryReadBuffer) throws { elements = try [Element](from: &rbuffer) }
  }

  @Test func dataUnitsTakeTheirMemoryFromABudget() throws {
    let bytes = try encoded(Unit(nils))
    expectLimit { _ = try decoded(Unit<SIMD64<Double>?>.self, from: bytes) }
    try #expect(decoded(Unit<Int8?>.self, from: bytes).elements.count == nils.count)
  }

  private struct Nothing: BinaryIOType {
    init() {}
    func write(to wbuffer: inout BinaryWriteBuffer) {}
    init(from rbuffer: inout BinaryReadBuffer) {}
  }

  /// Elements of no bytes take time, in each of 1,000 units that claim a million of them.
  @Test func emptyElementsAreCountedOverAllUnits() throws {
    let most = Unit([Nothing](repeating: Nothing(), count: 1 << 20))
    try #expect(decoded([Unit<Nothing>].self, from: encoded([most])).count == 1)
    let bytes = try encoded([most, Unit([Nothing()])])
    let error = #expect(throws: GCodableError.self) { try decoded([Unit<Nothing>].self, from: bytes) }
    #expect(error?.code == .malformed)
  }

  /// Whatever an archive expands to, and however many objects it says to have.
  @Test func storedBytesBoundWhatValuesTake() {
    let limits = GraphDecoder.Limits()
    for stored in [100, 16_000, 120_000, 250_000, 10_000_000] as [UInt64] {
      for expansion in [1, 10, 255] as [UInt64] {
        for objectCount in [0, Int(stored), 8 * Int(stored)] {
          let room = limits.room(of: stored * expansion, storedAs: stored, objectCount: objectCount)
          #expect(room.all <= max(64 << 20 + 16 * Int(stored), 528 * Int(stored)))
          #expect(room.elements <= room.all)
          // So much is there for graphs of small parts in any case.
          #expect(room.all >= 528 * Int(stored) && room.all >= 40 << 20)
        }
      }
    }
  }

  @Test func theLimitCanBeRaised() throws {
    let bytes = try encoded([Int8?](repeating: nil, count: 140_000))
    let decoder = GraphDecoder()
    expectLimit { _ = try decoder.decode([SIMD64<Double>?].self, from: bytes) }
    decoder.limits.elementByteRatio = 2_000
    try #expect(decoder.decode([SIMD64<Double>?].self, from: bytes).count == 140_000)
  }

  /// What an array takes of the budget.
  private struct Taken<Element: GDecodable>: GDecodable {
    let byteCount: Int
    init(from decoder: GDecoder) throws {
      let before = decoder.state.pointee.roomByteCount
      let array: [Element] = try decoder.decode()
      byteCount = before - decoder.state.pointee.roomByteCount
      withExtendedLifetime(array) {}
    }
  }

  private func expectTaken<Element: GCodable>(
    _ array: [Element], elements byteCount: Int, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let taken = try decoded(Taken<Element>.self, from: script { try $0.encode(array) }).byteCount
    #expect(taken == byteCount + (array.isEmpty ? 0 : GDecoder.arrayHeadByteCount), sourceLocation: location)
  }

  /// However an array is stored: one by one, packed, with a bit for each element, as strings.
  @Test func eachArrayThatIsNotEmptyHasAHead() throws {
    for count in [0, 1, 2, 20, 300] {
      try expectTaken([Int](repeating: 7, count: count), elements: 0)
      try expectTaken([String](repeating: "text", count: count), elements: 16 * count)
      try expectTaken([Int?](repeating: nil, count: count), elements: 16 * count)
      try expectTaken((0..<count).map { $0 % 3 == 0 ? nil : $0 } as [Int?], elements: 16 * count)
      try expectTaken([String?](repeating: nil, count: count), elements: 16 * count)
      try expectTaken((0..<count).map { $0 % 3 == 1 ? nil : "text" } as [String?], elements: 16 * count)
      try expectTaken([Int128?](repeating: nil, count: count), elements: 32 * count)
    }
  }

  /// Types that try what a value may be do not use up the budget by what they discard.
  @Test func whatIsDiscardedIsNotCounted() throws {
    let bytes = try script { encoder in
      for _ in 0..<100 { try encoder.encode([Int8?](repeating: nil, count: 2_000) + [1]) }
    }
    try Reading.decode(bytes) { decoder in
      for _ in 0..<100 {
        #expect(throws: GCodableError.self) { try decoder.decode([SIMD64<Double>?].self) }
      }
    }
  }

  @Test func anArrayThatMakesItselfOfFieldsIsCounted() throws {
    struct Own: GDecodable {
      init(from decoder: GDecoder) throws { _ = try [SIMD64<Double>?](from: decoder) }
    }
    let bytes = try script { for _ in 0..<150_000 { try $0.encode(nil as Int8?) } }
    expectLimit { _ = try decoded(Own.self, from: bytes) }
  }
}
