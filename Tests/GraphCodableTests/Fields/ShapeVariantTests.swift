import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Records that do not look like the one before")
struct ShapeVariantTests {
  /// A record that has field `n` if bit `n` is set, and one without a key between them.
  private struct Variant: GCodable, Equatable {
    var bits: UInt32
    static let count = 12

    init(bits: UInt32) { self.bits = bits }

    func encode(to encoder: GEncoder) throws {
      for index in 0..<Self.count {
        if index == Self.count / 2 { try encoder.encode(bits) }
        if bits & 1 << UInt32(index) != 0 { try encoder.encode(index, for: Letter.allCases[index]) }
      }
    }

    init(from decoder: GDecoder) throws {
      var found: UInt32 = 0
      for index in (0..<Self.count).reversed() where try decoder.contains(Letter.allCases[index]) {
        guard try decoder.decode(Int.self, for: Letter.allCases[index]) == index else { continue }
        found |= 1 << UInt32(index)
      }
      bits = found
      guard try decoder.decode(UInt32.self) == found else {
        throw GCodableError(.invalidValue, "the unkeyed value does not agree")
      }
    }
  }

  @Test func everySubsetOfFieldsComesBack() throws {
    var bits = (0..<(1 << UInt32(Variant.count))).map(Variant.init(bits:))
    try #expect(roundTrip(bits) == bits)
    var random = SplitMix64(seed: 1)
    bits.shuffle(using: &random)
    try #expect(roundTrip(bits) == bits)
  }

  @Test func optionalFieldsMakeNoNewShape() throws {
    struct Sparse: GCodable {
      var bits: Int
      init(bits: Int) { self.bits = bits }
      init(from decoder: GDecoder) throws {
        bits = 0
        for index in 0..<8 where try decoder.decodeIfPresent(Int.self, for: Letter.allCases[index]) != nil {
          bits |= 1 << index
        }
      }
      func encode(to encoder: GEncoder) throws {
        for index in 0..<8 {
          try encoder.encodeIfPresent(bits & 1 << index != 0 ? 1 : nil, for: Letter.allCases[index])
        }
      }
    }
    let values = (0..<256).map(Sparse.init(bits:))
    let one = try encoded([values[0]], compression: .none).count
    let all = try encoded(values, compression: .none).count
    // A byte for the shape and one for each field, two where there is a value.
    #expect(all - one <= 256 * (1 + 8 + 4) + 300)
    try #expect(roundTrip(values).map(\.bits) == Array(0..<256))
  }

  @Test func aRecordInsideOneOfItsOwnTypeWithAnotherShapeComesBack() throws {
    struct Tree: GCodable, Equatable {
      var value: Int
      var children: [Tree]
      init(_ value: Int, _ children: [Tree] = []) { (self.value, self.children) = (value, children) }
      init(from decoder: GDecoder) throws {
        children = try decoder.contains(Letter.b) ? decoder.decode(for: Letter.b) : []
        value = try decoder.decode(for: Letter.a)
      }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(value, for: Letter.a)
        if !children.isEmpty { try encoder.encode(children, for: Letter.b) }
        if value % 3 == 0 { try encode(extraTo: encoder) }
      }
      private func encode(extraTo encoder: GEncoder) throws { try encoder.encode("x", for: Letter.c) }
    }
    var random = SplitMix64(seed: 2)
    func tree(_ depth: Int) -> Tree {
      Tree(random.below(1000), (0..<(depth == 0 ? 0 : random.below(5))).map { _ in tree(depth - 1) })
    }
    for _ in 0..<20 {
      let value = tree(5)
      try #expect(roundTrip(value) == value)
    }
  }

  @Test func aFieldWhoseTypeChangesFromRecordToRecordComesBack() throws {
    struct Mixed: GCodable, Equatable {
      var number: Int
      init(_ number: Int) { self.number = number }
      init(from decoder: GDecoder) throws {
        switch try decoder.decode(Int.self, for: Letter.a) {
        case 0: number = try decoder.decode(for: Letter.b)
        case 1: number = Int(try decoder.decode(String.self, for: Letter.b)) ?? -1
        case 2: number = Int(try decoder.decode(Double.self, for: Letter.b))
        default: number = try decoder.decode([Int].self, for: Letter.b).count
        }
      }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(number % 4, for: Letter.a)
        switch number % 4 {
        case 0: try encoder.encode(number, for: Letter.b)
        case 1: try encoder.encode("\(number)", for: Letter.b)
        case 2: try encoder.encode(Double(number), for: Letter.b)
        default: try encoder.encode(Array(repeating: 0, count: number), for: Letter.b)
        }
      }
    }
    let values = (0..<200).map(Mixed.init)
    try #expect(roundTrip(values) == values)
  }
}
