import Foundation
import GraphCodable
import Testing

@Suite("Structs coded by a list of fields")
struct FieldListTests {
  private let values = (0..<300).map(Listed.init)

  @Test func bytesAreThoseOfTheCodingByHand() throws {
    let canonical = GraphEncoder(.canonicalOrder)
    #expect(try canonical.encode(values) as Bytes == canonical.encode(values.map(ListedByHand.init)) as Bytes)
    #expect(try canonical.encode(values[7]) as Bytes == canonical.encode(ListedByHand(values[7])) as Bytes)
  }

  @Test func valuesComeBackEachByTheOther() throws {
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    #expect(try decoder.decode([Listed].self, from: encoder.encode(values) as Bytes) == values)
    #expect(
      try decoder.decode([Listed].self, from: encoder.encode(values.map(ListedByHand.init)) as Bytes)
        == values)
    #expect(
      try decoder.decode([ListedByHand].self, from: encoder.encode(values) as Bytes).map(\.value) == values)
  }

  @Test func encodersThatLookAtEachIdentityWriteThemToo() throws {
    for options: GraphEncoder.Options in [
      .tryHashableIdentityAtFirst, .tryHashableIdentityAtLast, .mimicSwiftCodable,
    ] {
      let bytes: Bytes = try GraphEncoder(options).encode(values)
      #expect(try GraphDecoder().decode([Listed].self, from: bytes) == values)
      let inners: Bytes = try GraphEncoder(options).encode(values.flatMap(\.inners))
      #expect(try GraphDecoder().decode([Listed.Inner].self, from: inners) == values.flatMap(\.inners))
    }
  }

  @Test func containersOfAllKindsHoldThem() throws {
    struct Containers: GCodable {
      var optional: Listed.Inner?
      var doubled: Listed.Inner??
      var slice: ArraySlice<Listed.Inner>
      var contiguous: ContiguousArray<Listed.Inner>
      var set: Set<Listed.Inner>
      var keys: [Listed.Inner: Listed.Inner]
      var nested: [[Listed.Inner]]
      var result: Result<Listed.Inner, Never>
      enum Key: String { case optional, doubled, slice, contiguous, set, keys, nested, result }

      init(_ inners: [Listed.Inner]) {
        (optional, doubled, slice, contiguous) = (inners[1], inners[2], inners[3...], .init(inners))
        (set, keys) = (Set(inners), Dictionary(inners.map { ($0, $0) }) { $1 })
        (nested, result) = ([[], inners, [inners[0]]], .success(inners[0]))
      }

      func encode(to encoder: GEncoder) throws {
        try encoder.encode(optional, for: Key.optional)
        try encoder.encode(doubled, for: Key.doubled)
        try encoder.encode(slice, for: Key.slice)
        try encoder.encode(contiguous, for: Key.contiguous)
        try encoder.encode(set, for: Key.set)
        try encoder.encode(keys, for: Key.keys)
        try encoder.encode(nested, for: Key.nested)
      }

      init(from decoder: GDecoder) throws {
        optional = try decoder.decode(for: Key.optional)
        doubled = try decoder.decode(for: Key.doubled)
        slice = try decoder.decode(for: Key.slice)
        contiguous = try decoder.decode(for: Key.contiguous)
        set = try decoder.decode(for: Key.set)
        keys = try decoder.decode(for: Key.keys)
        nested = try decoder.decode(for: Key.nested)
        result = .success(contiguous[0])
      }
    }
    let inners = (0..<10).map { Listed.Inner(x: Double($0), label: String(repeating: "l", count: $0 * 3)) }
    let value = Containers(inners)
    for options: GraphEncoder.Options in [[], .canonicalOrder] {
      let decoded = try GraphDecoder().decode(
        Containers.self, from: GraphEncoder(options).encode(value) as Bytes)
      #expect(decoded.optional == value.optional && decoded.doubled == value.doubled)
      #expect(decoded.slice == value.slice && decoded.contiguous == value.contiguous)
      #expect(decoded.set == value.set && decoded.keys == value.keys && decoded.nested == value.nested)
    }
  }

  @Test func valueThatIsEncodedAmongOthersIsAPartOfTheirRecord() throws {
    struct Outer: GCodable {
      var inner: Listed.Inner
      var more: Int
      enum Key: String { case more }

      func encode(to encoder: GEncoder) throws {
        try encoder.encode(more, for: Key.more)
        try inner.encode(to: encoder)
      }

      init(from decoder: GDecoder) throws {
        inner = try .init(from: decoder)
        more = try decoder.decode(for: Key.more)
      }

      init(_ number: Int) { (inner, more) = (.init(x: Double(number), label: "\(number)"), number) }
    }
    let decoded = try GraphDecoder().decode(
      [Outer].self, from: GraphEncoder().encode((0..<5).map(Outer.init)) as Bytes)
    #expect(decoded.map(\.more) == Array(0..<5) && decoded.map(\.inner.label) == (0..<5).map { "\($0)" })
  }

  @Test func valueWithAnIdentityIsStoredOnce() throws {
    struct Known: Fieldwise, Identifiable, GIdentifiable {
      var id: Int
      var name: String
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("id", \Self.id)
        list.add("name", \Self.name)
      }
    }
    let known = Known(id: 1, name: String(repeating: "n", count: 1000))
    let bytes: Bytes = try GraphEncoder().encode([known, known, known])
    #expect(bytes.count < 2000)
    #expect(try GraphDecoder().decode([Known].self, from: bytes).map(\.name.count) == [1000, 1000, 1000])
  }

  @Test func genericStructsHaveAListForEachTypeOfTheirs() throws {
    struct Pair<First: GCodable, Second: GCodable>: Fieldwise {
      var first: First
      var second: Second?
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("first", \Self.first)
        list.addOptional("second", \Self.second)
      }
    }
    let (one, two) = (Pair(first: UInt8(1), second: "two"), Pair(first: "one", second: [1.5, 2.5]))
    let pair = Pair(first: one, second: two)
    let decoded = try GraphDecoder().decode(type(of: pair), from: GraphEncoder().encode(pair) as Bytes)
    #expect(decoded.first.first == 1 && decoded.first.second == "two")
    #expect(decoded.second?.first == "one" && decoded.second?.second == [1.5, 2.5])
  }

  @Test func propertiesWithoutBytesMayStandAnywhere() throws {
    enum One: String, GCodable { case only }
    struct Nothing: GCodable {
      init() {}
      func encode(to encoder: GEncoder) throws {}
      init(from decoder: GDecoder) throws {}
    }
    struct Between: Fieldwise {
      var first = 1
      var one = One.only
      var second: UInt8 = 2
      var nothing = Nothing()
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("first", \Self.first)
        list.add("one", \Self.one)
        list.add("second", \Self.second)
        list.add("nothing", \Self.nothing)
      }
    }
    struct Front<Value: GCodable>: Fieldwise {
      var one = One.only
      var value: Value
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("one", \Self.one)
        list.add("value", \Self.value)
      }
    }
    struct Alone: Fieldwise {
      var one = One.only
      static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("one", \Self.one) }
    }
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    let between = try decoder.decode([Between].self, from: encoder.encode([Between(), Between()]) as Bytes)
    #expect(between.map(\.first) == [1, 1] && between.map(\.second) == [2, 2])
    let front = try decoder.decode(Front<String>.self, from: encoder.encode(Front(value: "v")) as Bytes)
    #expect(front.value == "v")
    #expect(try decoder.decode([Alone].self, from: encoder.encode([Alone(), Alone()]) as Bytes).count == 2)
  }

  @Test func valuesDeeperThanTheStackGoOnOnAnother() throws {
    struct Level: Fieldwise {
      var below: [Level]
      static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("below", \Self.below) }
    }
    var level = Level(below: [])
    for _ in 0..<400 { level = Level(below: [level]) }
    let bytes: Bytes = try GraphEncoder().encode(level)
    var depth = 0
    var next: Level? = try onSmallStack { try GraphDecoder().decode(Level.self, from: bytes) }
    while let level = next { (depth, next) = (depth + 1, level.below.first) }
    #expect(depth == 401)
    for _ in 0..<200 { level = Level(below: [level]) }  // A list counts as a level, too.
    let error = #expect(throws: GCodableError.self) { try GraphEncoder().encode(level) as Bytes }
    #expect(error?.code == .limitExceeded && error?.typeName?.hasSuffix("Level") == true)
  }

  private func onSmallStack<Result>(_ body: @escaping () throws -> Result) throws -> Result {
    nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
    nonisolated(unsafe) let body = body
    let thread = Thread { result = Swift.Result { try body() } }
    thread.stackSize = 128 << 10
    thread.start()
    while !thread.isFinished { usleep(1000) }
    return try #require(result).get()
  }
}
