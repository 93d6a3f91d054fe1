import GraphCodable
import GraphCodableTestSupport
import Testing

/// Records with more fields than a shape has, and more variants than a type has shapes.
@Suite("Overflow fields")
struct OverflowFieldTests {
  /// A record of unkeyed numbers, as a collection of the user's would be.
  private struct Numbers: GCodable, Equatable {
    var values: [Int]
    init(_ values: [Int]) { self.values = values }
    init(from decoder: GDecoder) throws {
      values = []
      while decoder.unkeyedCount > 0 { values.append(try decoder.decode()) }
    }
    func encode(to encoder: GEncoder) throws { for value in values { try encoder.encode(value) } }
  }

  @Test(arguments: [0, 1, 255, 256, 257, 258, 512, 2000])
  func aLoopOfUnkeyedValuesComesBack(count: Int) throws {
    let numbers = Numbers((0..<count).map { $0 * $0 - 1000 })
    try #expect(roundTrip(numbers) == numbers)
  }

  @Test func loopsOfEveryLengthComeBackFromOneArchive() throws {
    var random = SplitMix64(seed: 3)
    let all = (0..<400).map { _ in Numbers((0..<random.below(2000)).map { _ in random.below(1 << 40) }) }
    try #expect(roundTrip(all) == all)
    let rising = (0..<600).map { Numbers(Array(0..<$0)) }
    try #expect(roundTrip(rising) == rising)
  }

  @Test(arguments: [0, 1, 200, 256, 300, 1000])
  func keysAndOverflowFieldsAndNestedOnesComeBack(count: Int) throws {
    let inner = Script { encoder in
      for index in 0..<count { try encoder.encode("inner \(index)") }
      try encoder.encode(count, for: NameKey("count"))
    }
    let bytes = try script { encoder in
      try encoder.encode("first", for: Letter.a)
      for index in 0..<count {
        try encoder.encode(index)
        try encoder.encode(index * 2, for: NameKey("k\(index)"))
        if index % 100 == 99 { try encoder.encode(inner, for: NameKey("inner\(index)")) }
      }
      try encoder.encode("last", for: Letter.b)
      try encoder.encode(inner)
    }
    let readInner: (GDecoder) throws -> Void = { decoder in
      try #expect(decoder.decode(Int.self, for: NameKey("count")) == count)
      #expect(decoder.unkeyedCount == count)
      for index in 0..<count { try #expect(decoder.decode(String.self) == "inner \(index)") }
    }
    // Forward.
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(String.self, for: Letter.a) == "first")
      for index in 0..<count {
        try #expect(decoder.decode(Int.self) == index)
        try #expect(decoder.decode(Int.self, for: NameKey("k\(index)")) == index * 2)
        if index % 100 == 99 {
          try Reading.nested(decoder, readInner) {
            _ = try decoder.decode(Reading.self, for: NameKey("inner\(index)"))
          }
        }
      }
      try #expect(decoder.decode(String.self, for: Letter.b) == "last")
      try Reading.nested(decoder, readInner) { _ = try decoder.decode(Reading.self) }
      #expect(decoder.unkeyedCount == 0)
    }
    // Keys from the last to the first, then what has no key.
    try Reading.decode(bytes) { decoder in
      #expect(decoder.unkeyedCount == count + 1)
      try #expect(decoder.decode(String.self, for: Letter.b) == "last")
      for index in (0..<count).reversed() {
        try #expect(decoder.decode(Int.self, for: NameKey("k\(index)")) == index * 2)
        if index % 100 == 99, index % 200 != 99 {
          try Reading.nested(decoder, readInner) {
            _ = try decoder.decode(Reading.self, for: NameKey("inner\(index)"))
          }
        }
      }
      try #expect(decoder.decode(String.self, for: Letter.a) == "first")
      for index in 0..<count { try #expect(decoder.decode(Int.self) == index) }
      #expect(decoder.unkeyedCount == 1)
      try Reading.nested(decoder, readInner) { _ = try decoder.decode(Reading.self) }
    }
    // Not at all.
    try Reading.decode(bytes) { _ in }
  }

  @Test func aRecordAfterOneWithOverflowFieldsComesBack() throws {
    let long = Script { for index in 0..<1000 { try $0.encode(index, for: NameKey("k\(index)")) } }
    let bytes = try script {
      try $0.encode(long, for: Letter.a)
      try $0.encode(7, for: Letter.b)
      try $0.encode([long, long], for: Letter.c)
      try $0.encode("end", for: Letter.d)
    }
    try Reading.decode(bytes) { decoder in
      try Reading.nested(decoder, { try #expect($0.decode(Int.self, for: NameKey("k999")) == 999) }) {
        _ = try decoder.decode(Reading.self, for: Letter.a)
        try #expect(decoder.decode(Int.self, for: Letter.b) == 7)
        try #expect(decoder.decode([Reading].self, for: Letter.c).count == 2)
      }
      try #expect(decoder.decode(String.self, for: Letter.d) == "end")
    }
  }

  @Test func objectsInOverflowFieldsAreShared() throws {
    let shared = Base(name: "shared")
    let all = Array(repeating: shared, count: 700) + [Derived(name: "other", size: 1)]
    let bytes = try script { for object in all { try $0.encode(object) } }
    try Reading.decode(bytes) { decoder in
      var copies: [Base] = []
      while decoder.unkeyedCount > 0 { copies.append(try decoder.decode()) }
      #expect(copies.count == 701)
      #expect(copies.prefix(700).allSatisfy { $0 === copies[0] })
      #expect(copies[700] is Derived)
    }
  }

  @Test func optionalAndMissingOverflowFieldsAreDistinguished() throws {
    let bytes = try script { encoder in
      for index in 0..<600 {
        try encoder.encodeIfPresent(index.isMultiple(of: 2) ? index : nil, for: NameKey("k\(index)"))
      }
      try encoder.encode(Int?.none)
    }
    try Reading.decode(bytes) { decoder in
      for index in (0..<600).reversed() {
        try #expect(decoder.contains(NameKey("k\(index)")) == index.isMultiple(of: 2))
      }
      for index in 0..<600 {
        let value = try decoder.decodeIfPresent(Int.self, for: NameKey("k\(index)"))
        #expect(value == (index.isMultiple(of: 2) ? index : nil))
      }
      try #expect(!decoder.contains(NameKey("k2")))
      try #expect(decoder.decode(Int?.self) == nil)
    }
  }
}
