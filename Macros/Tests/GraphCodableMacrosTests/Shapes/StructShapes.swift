import Foundation
import GraphCodableMacros
import Testing

/// Structs that the macro codes.
enum Written {
  @GCodable struct Empty: Equatable {}

  @GCodable struct One: Equatable { var value: Int }

  @GCodable struct Row: Equatable {
    var id: Int
    let name: String
    var x, y, z: Double
    private(set) var flag: Bool
  }

  @GCodable struct Optionals: Equatable {
    var text: String?
    let number: Int?
    var unwrapped: Double!
    var long: Optional<Int>
  }

  @GCodable struct Containers: Equatable {
    var rows: [One]
    var names: [String: Int]
    var values: Set<Int>
    var nested: [[Double]]
    var position: SIMD3<Double>
  }

  @GCodable struct Initial: Equatable {
    var count = 3
    var names: [String] = ["a"]
    var maybe: Int? = 5
    var none: Int? = nil
  }

  @GCodable struct Members: Equatable {
    static let shared = 5
    static var counter: Int { 0 }
    let constant = 7
    var stored: Int
    var computed: Int { stored + 1 }
    var twice: Int {
      get { stored * 2 }
      set { stored = newValue / 2 }
    }
    var observed: Int = 0 { didSet { stored += 100 } }
    var before: Int { willSet {} }
  }

  @GCodable struct Lazy {
    var stored: Int
    lazy var later: Int = stored + 1
  }

  @GCodable struct Names: Equatable {
    var `class`: Int
    var `default`: String
    var encoder: Int
    var decoder: Int
    var name: String
    var hashValue_: Int
    var größe: Int
  }

  @GCodable struct Conditions: Equatable {
    var always: Int
    #if DEBUG
      var debug: Int
    #else
      var release: Int
    #endif
    #if NEVER_DEFINED
      var never: Unknown
    #elseif !ALSO_NEVER_DEFINED
      var otherwise: String
      #if os(Linux)
        var linux = 1
      #endif
    #endif
  }

  @GCodable struct OnlyConditions: Equatable {
    #if NEVER_DEFINED
      var never: Int
    #endif
  }

  @GCodable struct Keys: Equatable {
    @GKey("identifier") var id: Int
    @GKey("a name, with \"quotes\"") var name: String
  }

  @GCodable struct OlderKeys: Equatable {
    @GKey(was: "length", "len") var count: Int
    @GKey("title", was: "name") var text: String?
    @GKey(was: "factor") var scale = 1.5
    @GKey(was: "kind") @GDefault(9) var sort: Int
  }

  @GCodable struct Ignored: Equatable {
    var kept: Int
    @GIgnored var cache: [Int] = []
    @GIgnored var action: Action?
    struct Action: Equatable {}
  }

  @GCodable struct Defaults: Equatable {
    @GDefault(2) let level: Int
    @GDefault([]) var tags: [String]
    @GDefault("none") var text: String?
  }

  @GCodable struct Rounded: Equatable {
    @GPrecision(.absolute(0.5)) var values: [Double]
    @GPrecision(.absolute(0.5)) var value = 0.0
    var exact: Double
  }

  @GCodable struct Described: Equatable {
    @GAttributes(["units": "nm", "cutoff": 1.5]) var values: [Double]
    @GPrecision(.absolute(0.5)) @GAttributes(.init(unit: "K", dimensions: ["time", "x"])) var rows:
      [[Double]]?
  }

  @GCodable struct Tree: Equatable {
    var value: Int
    var children: [Tree]
  }

  struct Outer: Equatable {
    @GCodable struct Inner: Equatable { var value: Int }
  }

  @GCodable struct Conforming: Equatable, Hashable, CustomStringConvertible, Identifiable, GIdentifiable {
    var id: Int
    var description: String { "\(id)" }
  }

  @GCodable struct Plain: Codable, Equatable {
    var id: Int
    var name: String
  }

  @GCodable struct OwnEncode: Equatable {
    var value: Int
    func encode(to encoder: GEncoder) throws { try encoder.encode(value + 1, for: Key.value) }
    enum Key: String { case value }
  }

  @GCodable struct Declared: GCodable, Equatable { var value: Int }
}

extension Written {
  @GCodable struct InExtension: Equatable { var value: Int }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@GCodable public struct PublicShape: Equatable {
  public var value: Int
  var inner = 0
}

@GCodable package struct PackageShape: Equatable { package var value: Int }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public enum PublicSpace {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public extension PublicSpace {
  @GCodable struct Shape: Equatable { public var value: Int }
}

@GCodable private struct PrivateShape: Equatable { private(set) var value: Int }

@GCodable fileprivate struct FileprivateShape: Equatable { fileprivate var value: Int }

/// The same, by hand.
enum ByHand {
  struct Row: GCodable, Equatable {
    var id: Int
    var name: String
    var x, y, z: Double
    var flag: Bool
    private enum Key: String { case id, name, x, y, z, flag }

    init(_ row: Written.Row) { (id, name, x, y, z, flag) = (row.id, row.name, row.x, row.y, row.z, row.flag) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(id, for: Key.id)
      try encoder.encode(name, for: Key.name)
      try encoder.encode(x, for: Key.x)
      try encoder.encode(y, for: Key.y)
      try encoder.encode(z, for: Key.z)
      try encoder.encode(flag, for: Key.flag)
    }

    init(from decoder: GDecoder) throws {
      id = try decoder.decode(for: Key.id)
      name = try decoder.decode(for: Key.name)
      x = try decoder.decode(for: Key.x)
      y = try decoder.decode(for: Key.y)
      z = try decoder.decode(for: Key.z)
      flag = try decoder.decode(for: Key.flag)
    }
  }

  struct Optionals: GCodable, Equatable {
    var text: String?
    var number: Int?
    var unwrapped: Double?
    var long: Int?
    private enum Key: String { case text, number, unwrapped, long }

    init(_ other: Written.Optionals) {
      (text, number, unwrapped, long) = (other.text, other.number, other.unwrapped, other.long)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(text, for: Key.text)
      try encoder.encode(number, for: Key.number)
      try encoder.encode(unwrapped, for: Key.unwrapped)
      try encoder.encode(long, for: Key.long)
    }

    init(from decoder: GDecoder) throws {
      text = try decoder.decode(for: Key.text)
      number = try decoder.decode(for: Key.number)
      unwrapped = try decoder.decode(for: Key.unwrapped)
      long = try decoder.decode(for: Key.long)
    }
  }

  struct Containers: GCodable, Equatable {
    var rows: [Written.One]
    var names: [String: Int]
    var values: Set<Int>
    var nested: [[Double]]
    var position: SIMD3<Double>
    private enum Key: String { case rows, names, values, nested, position }

    init(_ other: Written.Containers) {
      (rows, names, values, nested, position) =
        (other.rows, other.names, other.values, other.nested, other.position)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(rows, for: Key.rows)
      try encoder.encode(names, for: Key.names)
      try encoder.encode(values, for: Key.values)
      try encoder.encode(nested, for: Key.nested)
      try encoder.encode(position, for: Key.position)
    }

    init(from decoder: GDecoder) throws {
      rows = try decoder.decode(for: Key.rows)
      names = try decoder.decode(for: Key.names)
      values = try decoder.decode(for: Key.values)
      nested = try decoder.decode(for: Key.nested)
      position = try decoder.decode(for: Key.position)
    }
  }

  struct Keys: GCodable, Equatable {
    var id: Int
    var name: String
    private enum Key: String {
      case id = "identifier"
      case name = "a name, with \"quotes\""
    }

    init(_ other: Written.Keys) { (id, name) = (other.id, other.name) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(id, for: Key.id)
      try encoder.encode(name, for: Key.name)
    }

    init(from decoder: GDecoder) throws {
      id = try decoder.decode(for: Key.id)
      name = try decoder.decode(for: Key.name)
    }
  }

  /// Fields under keys of older versions.
  struct Older: GEncodable {
    var fields: [(String, any GEncodable)]

    struct Key: RawRepresentable { var rawValue: String }

    func encode(to encoder: GEncoder) throws {
      for (key, value) in fields { try encoder.encode(value, for: Key(rawValue: key)) }
    }
  }
}

@Suite("@GCodable: structs")
struct StructShapeTests {
  private func decode<Value: GCodable>(_ type: Value.Type, _ fields: (String, any GEncodable)...) throws
    -> Value
  {
    try GraphDecoder().decode(type, from: bytes(ByHand.Older(fields: fields)))
  }

  @Test func structWithoutPropertiesRoundTrips() throws {
    #expect(try copy(Written.Empty()) == Written.Empty())
  }

  @Test func structWithOnePropertyRoundTrips() throws {
    #expect(try copy(Written.One(value: 3)) == Written.One(value: 3))
  }

  @Test func constantsAndPropertiesInOneDeclarationAreWrittenAsByHand() throws {
    let row = Written.Row(id: 1, name: "n", x: 1, y: 2, z: 3, flag: true)
    try expectTwins(row, ByHand.Row(row))
  }

  @Test func optionalsAreWrittenAsByHand() throws {
    for value in [
      Written.Optionals(text: "a", number: 2, unwrapped: 3, long: 4),
      Written.Optionals(text: nil, number: nil, unwrapped: nil, long: nil),
    ] {
      try expectTwins(value, ByHand.Optionals(value))
    }
  }

  @Test func optionalsMayBeMissing() throws {
    #expect(try decode(Written.Optionals.self) == .init(text: nil, number: nil, unwrapped: nil, long: nil))
  }

  @Test func containersAreWrittenAsByHand() throws {
    let value = Written.Containers(
      rows: [.init(value: 1)], names: ["a": 1], values: [2], nested: [[1], [2, 3]], position: [1, 2, 3])
    try expectTwins(value, ByHand.Containers(value))
  }

  @Test func propertiesWithInitialValuesMayBeMissing() throws {
    #expect(try decode(Written.Initial.self) == Written.Initial())
    let other = Written.Initial(count: 4, names: [], maybe: nil, none: 1)
    #expect(try copy(other) == other)
  }

  @Test func missingPropertiesWithoutInitialValuesThrow() throws {
    #expect { try decode(Written.One.self) } throws: { ($0 as? GCodableError)?.code == .keyNotFound }
  }

  @Test func onlyStoredVariablesAreStored() throws {
    var value = Written.Members(stored: 4, before: 6)
    value.observed = 8
    #expect(try copy(value) == value)
    #expect(try keys(value) == ["stored", "observed", "before"])
  }

  @Test func lazyPropertiesAreMadeAnew() throws {
    var value = Written.Lazy(stored: 4)
    _ = value.later
    var decoded = try copy(value)
    #expect(decoded.later == 5)
  }

  @Test func namesThatAreWordsOfSwiftAreKeys() throws {
    let value = Written.Names(
      class: 1, default: "d", encoder: 2, decoder: 3, name: "n", hashValue_: 4, größe: 5)
    #expect(try copy(value) == value)
    #expect(try keys(value).contains("class"))
  }

  @Test func propertiesUnderConditionsAreStoredWhereTheyAre() throws {
    let value = Written.Conditions(always: 1, debug: 2, otherwise: "o", linux: 4)
    #expect(try copy(value) == value)
    #expect(try copy(Written.OnlyConditions()) == Written.OnlyConditions())
  }

  @Test func keysOfTheirOwnAreWrittenAsByHand() throws {
    let value = Written.Keys(id: 1, name: "n")
    try expectTwins(value, ByHand.Keys(value))
  }

  @Test func olderKeysAreRead() throws {
    let expected = Written.OlderKeys(count: 1, text: "t", scale: 2, sort: 4)
    #expect(
      try decode(Written.OlderKeys.self, ("len", 1), ("name", "t"), ("factor", 2.0), ("kind", 4)) == expected)
    #expect(
      try decode(Written.OlderKeys.self, ("length", 1), ("title", "t"), ("scale", 2.0), ("sort", 4))
        == expected)
    #expect(
      try decode(Written.OlderKeys.self, ("count", 1)) == .init(count: 1, text: nil, scale: 1.5, sort: 9))
    #expect(try copy(expected) == expected)
    #expect { try decode(Written.OlderKeys.self) } throws: { "\($0)".contains("count") }
  }

  @Test func ignoredPropertiesHaveTheirInitialValue() throws {
    let value = Written.Ignored(kept: 1, cache: [2], action: .init())
    #expect(try copy(value) == Written.Ignored(kept: 1))
  }

  @Test func defaultsStandForMissingKeys() throws {
    #expect(try decode(Written.Defaults.self) == .init(level: 2, tags: [], text: "none"))
    let value = Written.Defaults(level: 3, tags: ["a"], text: nil)
    #expect(try copy(value) == value)
  }

  @Test func numbersAreStoredToTheirPrecision() throws {
    let value = Written.Rounded(values: [1.3, 2.1], value: 3.3, exact: 0.3)
    let decoded = try copy(value)
    let pairs = zip(decoded.values + [decoded.value], [1.3, 2.1, 3.3])
    #expect(pairs.allSatisfy { abs($0 - $1) <= 0.5 && $0 != $1 })
    #expect(decoded.exact == 0.3)
  }

  @Test func arraysHaveTheirAttributes() throws {
    let value = Written.Described(values: [1, 2], rows: [[0.25, 1]])
    let archive = try GraphArchive(try GraphEncoder().encode(value) as [UInt8])
    #expect(try archive.attributes(at: "values") == ["units": "nm", "cutoff": 1.5])
    #expect(try archive.attributes(at: "rows") == GAttributes(unit: "K", dimensions: ["time", "x"]))
    #expect(try copy(value).values == [1, 2])
    #expect(try copy(Written.Described(values: [], rows: nil)).rows == nil)
  }

  @Test func structsInThemselvesRoundTrip() throws {
    let tree = Written.Tree(
      value: 1, children: [.init(value: 2, children: []), .init(value: 3, children: [])])
    #expect(try copy(tree) == tree)
  }

  @Test func nestedStructsRoundTrip() throws {
    #expect(try copy(Written.Outer.Inner(value: 1)).value == 1)
    #expect(try copy(Written.InExtension(value: 1)).value == 1)
  }

  @Test func accessOfTheTypeIsThatOfItsCoding() throws {
    #expect(try copy(PublicShape(value: 1)) == PublicShape(value: 1))
    #expect(try copy(PackageShape(value: 1)).value == 1)
    #expect(try copy(PublicSpace.Shape(value: 1)).value == 1)
    #expect(try copy(PrivateShape(value: 1)) == PrivateShape(value: 1))
    #expect(try copy(FileprivateShape(value: 1)) == FileprivateShape(value: 1))
  }

  @Test func otherConformancesStay() throws {
    let value = Written.Conforming(id: 3)
    #expect(try copy([value, value]) == [value, value])
    #expect(try copy(Written.Declared(value: 1)).value == 1)
  }

  @Test func codableStaysAsItIs() throws {
    let value = Written.Plain(id: 1, name: "n")
    #expect(try copy(value) == value)
    #expect(try JSONDecoder().decode(Written.Plain.self, from: JSONEncoder().encode(value)) == value)
    let codable = try GraphEncoder().encode(codable: value) as [UInt8]
    #expect(try GraphDecoder().decode(codable: Written.Plain.self, from: codable) == value)
  }

  @Test func encodingByHandStays() throws { #expect(try copy(Written.OwnEncode(value: 1)).value == 2) }
}
