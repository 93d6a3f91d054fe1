import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Nested containers, each of which claims all remaining bytes as its elements.
@Suite("Forged nested containers", .serialized)
struct NestedClaimTests {
  struct Arrays: GCodable {
    var inside: [Arrays]
    enum Key: String { case inside }
    init(_ inside: [Arrays]) { self.inside = inside }
    init(from decoder: GDecoder) throws { inside = try decoder.decode(for: Key.inside) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(inside, for: Key.inside) }
  }

  struct Sets: GCodable, Hashable {
    var inside: Set<Sets>
    enum Key: String { case inside }
    init(_ inside: Set<Sets>) { self.inside = inside }
    init(from decoder: GDecoder) throws { inside = try decoder.decode(for: Key.inside) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(inside, for: Key.inside) }
  }

  struct Dictionaries: GCodable {
    var inside: [Int: Dictionaries]
    enum Key: String { case inside }
    init(_ inside: [Int: Dictionaries]) { self.inside = inside }
    init(from decoder: GDecoder) throws { inside = try decoder.decode(for: Key.inside) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(inside, for: Key.inside) }
  }

  /// An archive like that of `sample`, in which a container in a container in a container claims what is left.
  ///
  /// - Parameter head: what stands in front of the count of each.
  private func forged(_ sample: some GEncodable, head: Bytes, depth: Int, divisor: Int) throws -> Bytes {
    let levelByteCount = head.count + 4
    var stream: Bytes = [GraphKind.record.rawValue]
    for level in 0..<depth {
      let left = (depth - level - 1) * levelByteCount / divisor
      // A varint of four bytes.
      let count = (UInt32(left) << 1 | 1) << 3
      stream += head + withUnsafeBytes(of: count.littleEndian) { Bytes($0) }
    }
    return try Forge(encoded(sample, compression: .none)).replacingStream(with: stream)
  }

  /// 20,000 levels of 120 KB would claim some 10 GB and more.
  @Test func theyTakeNoMoreMemoryThanTheirBytesMayNeed() throws {
    let depth = 20_000
    // Shape 1, then the kind of the elements.
    let record: Bytes = [3, GraphKind.record.rawValue]
    #expect(throws: GCodableError.self) {
      try decoded(
        Arrays.self, from: forged(Arrays([Arrays([])]), head: record, depth: depth, divisor: 1), depth: .max)
    }
    #expect(throws: GCodableError.self) {
      try decoded(
        Sets.self, from: forged(Sets([Sets([])]), head: record, depth: depth, divisor: 1), depth: .max)
    }
    #expect(throws: GCodableError.self) {
      try decoded(
        Dictionaries.self,
        from: forged(Dictionaries([1: Dictionaries([:])]), head: record, depth: depth, divisor: 2),
        depth: .max)
    }
  }

  /// The memory of elements is counted over all containers.
  @Test func theRoomForContainersIsThatOfTheWholeStream() throws {
    try Reading.decode(script { encoder in for _ in 0..<10 { try encoder.encode([1, 2, 3]) } }) { decoder in
      let stride = 1 << 20
      for _ in 0..<64 { try decoder.takeRoom(1, stride: stride) }
      let error = #expect(throws: GCodableError.self) { try decoder.takeRoom(1, stride: stride) }
      #expect(error?.code == .limitExceeded && error?.description.contains("elementByteRatio") == true)
      try #expect(decoder.decode([Int].self) == [1, 2, 3])
    }
  }
}
