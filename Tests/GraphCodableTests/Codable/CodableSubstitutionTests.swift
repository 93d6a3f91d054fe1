import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Values that are decoded as other types than they were encoded as, in comparison with JSON.
@Suite("Codable in archives: as another type")
struct CodableSubstitutionTests {
  /// Each as every other one: whatever JSON refuses is refused with a `DecodingError`, and whatever JSON accepts is the same or
  /// refused.
  @Test func whatJSONRefusesIsRefused() throws {
    let samples = Self.samples
    for stored in samples {
      for wanted in samples where !Self.isKnown(stored, wanted) { try wanted.check(stored) }
    }
  }

  /// A single value of another type is that value, wherever it stands.
  @Test func wrappersAreSeenThroughInContainers() throws {
    let numbers = [1, 2].map(Number.init)
    #expect(try codableCopy(numbers, as: [Int].self) == [1, 2])
    #expect(try codableCopy(numbers, as: Set<Int8>.self) == [1, 2])
    #expect(try codableCopy(numbers, as: ContiguousArray<Int?>.self) == [1, 2])
    #expect(try codableCopy([1, 2], as: [Number].self) == numbers)
    #expect(try codableCopy([numbers], as: [[Int]].self) == [[1, 2]])
    #expect(try codableCopy([numbers[0], nil], as: [Int?].self) == [1, nil])
    #expect(try codableCopy(["a": numbers[0]], as: [String: Int].self) == ["a": 1])
    #expect(try codableCopy(["a": numbers[0]], as: [String: Int?].self) == ["a": 1])
    #expect(try codableCopy([Name(rawValue: "a"): 1], as: [Name: Number].self).values.first == numbers[0])
    #expect(try codableCopy([Listed([1]), Listed([])], as: [[Int]].self) == [[1], []])
    #expect(try codableCopy([Listed([1, 2])], as: [[Number]].self) == [numbers])
    #expect(try codableCopy(numbers, as: Listed.self) == Listed([1, 2]))
    #expect(try codableCopy([Price(rawValue: 2)], as: [[String: Decimal]].self) == [["rawValue": 2]])
    #expect(throws: DecodingError.self) { try codableCopy(numbers, as: [[Int]].self) }
    #expect(throws: DecodingError.self) { try codableCopy(["a": numbers[0]], as: [String: [Int]].self) }
    #expect(throws: DecodingError.self) { try codableCopy([Empty()], as: [[Int]].self) }
  }

  @Test func wrappersAreSeenThroughInFields() throws {
    struct Wrapped: Codable { var a: Number, b: Number?, c: Number?, d: Link, e: Span }
    struct Plain: Codable, Equatable { var a: Int, b: Int?, c: Int?, d: URL, e: Range<Int> }
    let url = try #require(URL(string: "https://example.org"))
    let plain = Plain(a: 1, b: 2, c: nil, d: url, e: 3..<5)
    let wrapped = Wrapped(
      a: Number(rawValue: 1), b: Number(rawValue: 2), c: nil, d: Link(url), e: Span(3..<5))
    #expect(try codableCopy(wrapped, as: Plain.self) == plain)
    #expect(try codableCopy([wrapped, wrapped], as: [Plain].self) == [plain, plain])
    #expect(try codableCopy([plain], as: [Wrapped].self)[0].b == wrapped.b)
    struct Strict: Codable { var b: Int }
    #expect(try codableCopy(wrapped, as: Strict.self).b == 2)
  }

  @Test func aWrapperOfNilIsNil() throws {
    struct Wrapped: Codable { var a = Maybe(nil), b: Maybe? = Maybe(nil), list = [Maybe(nil), Maybe(1)] }
    struct Plain: Decodable { var a: Int?, b: Int?, list: [Int?] }
    let plain = try codableCopy(Wrapped(), as: Plain.self)
    #expect(plain.a == nil && plain.b == nil && plain.list == [nil, 1])
    try Scripted.copy { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(Maybe(nil), forKey: .a)
    } _: { decoder in
      let container = try decoder.container(keyedBy: Key.self)
      #expect(try container.decodeNil(forKey: .a))
    }
  }

  @Test func objectsAreSeenThroughTheirWrappers() throws {
    let object = Derived()
    let copies = try codableCopy([Holder(object), Holder(object)], as: [Object].self)
    #expect(copies[0] === copies[1] && copies[0] is Derived)
  }

  @Test func objectsAreReadAsDictionariesAndListsOnRequest() throws {
    let object = Object()
    #expect(try codableCopy([object, object], as: [[String: Int]].self) == [["number": 3], ["number": 3]])
    #expect(try codableCopy(["a": Elements()], as: [String: [Int]].self) == ["a": [1, 2]])
    #expect(throws: DecodingError.self) { try codableCopy([object], as: [[Int]].self) }
  }

  @Test func dataOfGCodableTypesIsStillBytes() throws {
    let data = Data([1, 2, 3])
    let bytes = try GraphEncoder().encode(data) as Bytes
    #expect(try GraphDecoder().decode([UInt8].self, from: bytes) == [1, 2, 3])
    #expect(
      try GraphDecoder().decode(Data.self, from: GraphEncoder().encode([1, 2, 3] as [UInt8]) as Bytes) == data
    )
    let large = Data(repeating: 7, count: 100_000)
    let archive = try GraphEncoder().encode(large) as Bytes
    #expect(try GraphDecoder().decode([UInt8].self, from: archive) == [UInt8](large))
    #expect(try codableCopy(["a": large]) == ["a": large])
  }

  // MARK: Samples

  struct Number: RawRepresentable, Codable, Hashable { var rawValue: Int }
  struct Name: RawRepresentable, Codable, Hashable { var rawValue: String }
  struct Price: RawRepresentable, Codable, Hashable { var rawValue: Decimal }
  struct Point: Codable, Hashable { var x = 1, y = 2 }
  struct Empty: Codable, Hashable {}
  enum Event: Codable, Hashable { case start, level(Int), at(x: Int) }
  typealias Listed = Wrapper<[Int]>
  typealias Maybe = Wrapper<Int?>
  typealias Link = Wrapper<URL>
  typealias Span = Wrapper<Range<Int>>
  typealias Holder = Wrapper<Object>

  struct Wrapper<Value: Codable & Hashable>: Codable, Hashable {
    var value: Value
    init(_ value: Value) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  class Object: Codable, Hashable {
    var number = 3
    init() {}
    static func == (one: Object, other: Object) -> Bool { one.number == other.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  final class Derived: Object {}

  final class Elements: Codable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(contentsOf: [1, 2])
    }
  }

  private static var samples: [any AnySample] {
    [
      Sample(5), Sample(UInt8(5)), Sample(true), Sample(1.5), Sample(Float(1.5)), Sample("a"),
      Sample(Int?.some(3)), Sample(Number(rawValue: 3)), Sample(Number?.some(Number(rawValue: 3))),
      Sample(Name(rawValue: "n")), Sample(Price(rawValue: 3)), Sample(Listed([1])), Sample(Maybe(3)),
      Sample(Point()), Sample(Empty()), Sample(Event.start), Sample(Event.level(1)), Sample(Event.at(x: 1)),
      Sample(Object()), Sample(Holder(Object())),
      Sample([1, 2]), Sample([Int]()), Sample([1, 2] as [UInt8]), Sample([1.5]), Sample(["a"]),
      Sample([1, nil]),
      Sample([[1], []]), Sample([["a"]]), Sample([Number(rawValue: 1)]), Sample([Name(rawValue: "a")]),
      Sample([Number(rawValue: 1), nil]), Sample([Listed([1])]), Sample([Point()]), Sample([Empty()]),
      Sample([Object()]), Sample([Event.start]), Sample([1] as [Int]?), Sample(Set([1])),
      Sample(Set([Number(rawValue: 1)])),
      Sample(["a": 1]), Sample(["a": Number(rawValue: 1)]), Sample([1: "a"]),
      Sample([Number(rawValue: 1): 1]),
      Sample(["a": [1]]), Sample(["a": Point()]), Sample(["a": 1] as [String: Int?]),
      Sample(Date(timeIntervalSinceReferenceDate: 5)), Sample(Data([1, 2, 3])), Sample(Data()),
      Sample([Data([1])]), Sample(UUID()), Sample(URL(string: "http://a.b/c")!), Sample(Decimal(3)),
      Sample([Decimal(3)]), Sample(["a": Decimal(3)]), Sample([Price(rawValue: 3)]), Sample(1..<3),
      Sample(1...3), Sample(SIMD2<Double>(1, 2)), Sample(CGPoint(x: 1, y: 2)), Sample(Duration.seconds(1)),
      Sample(DateComponents(year: 2_000)), Sample(DateInterval(start: .distantPast, duration: 2)),
      Sample(Locale(identifier: "de")), Sample(TimeZone(identifier: "UTC")!), Sample(IndexSet([1, 2])),
      Sample(IndexPath(indexes: [1, 2])), Sample(CharacterSet(charactersIn: "ab")),
      Sample(Measurement(value: 1, unit: UnitLength.meters)), Sample(PersonNameComponents(givenName: "A")),
      Sample([1..<3]), Sample([Date(timeIntervalSinceReferenceDate: 5)]), Sample([UUID()]), Sample([true]),
      Sample([URL(string: "http://a.b/c")!]), Sample([DateComponents(year: 2_000)]),
    ]
  }

  /// What is stored as something else that it decodes as: see the documentation of Codable models.
  private static func isKnown(_ stored: any AnySample, _ wanted: any AnySample) -> Bool {
    let alike = ["IndexPath", "IndexSet", "CharacterSet"]
    // All keys are optional, which for JSON is no matter where it has keys at all.
    let lenient = ["DateComponents", "PersonNameComponents", "Array<DateComponents>"]
    return alike.contains(stored.typeName) || alike.contains(wanted.typeName)
      || lenient.contains(wanted.typeName)
      || (stored.typeName == "Array<Array<Int>>" && wanted.typeName == "Dictionary<Number, Int>")
  }
}

private protocol AnySample {
  var typeName: String { get }
  var json: Data { get throws }
  var archive: Bytes { get throws }
  func check(_ stored: any AnySample) throws
}

private struct Sample<Value: Codable & Equatable>: AnySample {
  struct Root: Codable { var value: Value }
  let value: Value

  init(_ value: Value) { self.value = value }

  var typeName: String { _typeName(Value.self, qualified: false) }
  var json: Data { get throws { try JSONEncoder().encode(Root(value: value)) } }
  var archive: Bytes { get throws { try GraphEncoder().encode(codable: Root(value: value)) } }

  func check(_ stored: any AnySample) throws {
    let (json, archive) = (try stored.json, try stored.archive)
    let expected = try? JSONDecoder().decode(Root.self, from: json).value
    do {
      let found = try GraphDecoder().decode(codable: Root.self, from: archive).value
      #expect(found == expected, "\(stored.typeName) as \(typeName)")
    } catch {
      #expect(error is DecodingError, "\(stored.typeName) as \(typeName)")
      #expect(stored.typeName != typeName || stored.typeName == "Event", "\(error)")
    }
  }
}
