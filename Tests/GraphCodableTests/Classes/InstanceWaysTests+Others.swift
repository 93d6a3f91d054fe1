import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles

/// Instances inside containers, of values, and ways on which none is made.
extension InstanceWaysTests {
  static let otherWays: [Way] = [
    inRows(), anElementOfASet(), aKey(), aConditionalReference(), anElementThatDecodesItself(), aBound(),
    inADataUnitAsAValue(), codableByItsOwnFields(), codableInALazyValue(), codableAsAKey(),
  ]

  private static func inRows() -> Way {
    Way("in rows", [Animal.self], as: [[Animal]].self) { try encoded([[Animal(1)], [Animal(2)]]) }
  }

  private static func anElementOfASet() -> Way {
    Way("an element of a set", [Ways.Mark.self], as: Set<Ways.Mark>.self) { try encoded(Set([Ways.Mark(1)])) }
  }

  private static func aKey() -> Way {
    Way("a key", [Ways.Mark.self], as: [Ways.Mark: Int].self) { try encoded([Ways.Mark(1): 1]) }
  }

  private static func aConditionalReference() -> Way {
    Way("a conditional reference", [Animal.self], as: Ways.Weak.self) { try encoded(Ways.Weak(Animal(1))) }
  }

  private static func anElementThatDecodesItself() -> Way {
    Way("an element of an array that decodes itself", [Animal.self], as: Ways.Herd.self) {
      try encoded(Ways.Herd([Animal(1)]))
    }
  }

  private static func aBound() -> Way {
    Way("a bound of a range", [Ways.Mark.self], as: ClosedRange<Ways.Mark>.self) {
      try encoded(Ways.Mark(1)...Ways.Mark(2))
    }
  }

  private static func inADataUnitAsAValue() -> Way {
    Way("in a data unit, as a value of a dictionary", [Ways.Unit.self], as: Ways.Table.self) {
      try encoded(Ways.Table([1: Ways.Unit(1)]))
    }.unnamed
  }

  private static func codableByItsOwnFields() -> Way {
    Way(
      "Codable, of the fields of the value around it", [Ways.Point.self],
      { try GraphEncoder().encode(codable: [Ways.Around(point: Ways.Point())]) },
      { _ = try $0.decode(codable: [Ways.Around].self, from: $1) }
    ).unnamed
  }

  private static func codableInALazyValue() -> Way {
    Way(
      "Codable, in a lazy value", [Ways.Point.self],
      { try GraphEncoder().encode(codable: [GLazy(Ways.Point())]) },
      { _ = try $0.decode(codable: [GLazy<Ways.Point>].self, from: $1) }
    ).unnamed
  }

  private static func codableAsAKey() -> Way {
    Way(
      "Codable, as an element of a set", [Ways.Flag.self],
      { try GraphEncoder().encode(codable: Set([Ways.Flag(1)])) },
      { _ = try $0.decode(codable: Set<Ways.Flag>.self, from: $1) })
  }

  /// Nothing is made of what is described: the class traps.
  @Test func nothingIsMadeToDescribeAnArchive() throws {
    let archive = try GraphArchive(encoded([Ways.Trap(), Ways.Trap()]))
    #expect(throws: GCodableError.self) {
      try archive.decode([Ways.Trap].self, using: GraphDecoder(allowing: []))
    }
    try archive.verify()
    #expect(try archive.dump().contains("Trap"))
    #expect(try archive.items(at: [], in: 0..<2).count == 2)
    #expect(archive.classes.count == 1)
    _ = archive.resolvedClasses()
    _ = try archive.info
  }

  /// A value with fields is no instance of a class that decodes its own.
  @Test func noInstanceIsMadeOfAValue() throws {
    let bytes = try encoded([Ways.Lone(1)], .disableIdentity)
    let records = try encoded([HonestText.Tag(rawValue: "a")])
    for bytes in [bytes, records] {
      #expect(throws: GCodableError.self) {
        try GraphDecoder(allowing: []).decode([Animal].self, from: bytes)
      }
    }
  }
}

extension Ways {
  final class Mark: GCodable, Hashable, Comparable {
    private let number: Int
    init(_ number: Int) { self.number = number }
    init(from decoder: GDecoder) throws { number = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
    static func == (one: Mark, other: Mark) -> Bool { one.number == other.number }
    static func < (one: Mark, other: Mark) -> Bool { one.number < other.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  final class Flag: Codable, Hashable {
    private let number: Int
    init(_ number: Int) { self.number = number }
    static func == (one: Flag, other: Flag) -> Bool { one.number == other.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  struct Weak: GCodable {
    private enum Key: String { case some, same }
    private let some: Animal
    private weak var same: Animal?
    init(_ animal: Animal) { (some, same) = (animal, animal) }
    init(from decoder: GDecoder) throws {
      // The conditional reference comes first.
      same = try decoder.decode(for: Key.same)
      some = try decoder.decode(for: Key.some)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encodeConditional(same, for: Key.same)
      try encoder.encode(some, for: Key.some)
    }
  }

  /// An array as a record of its elements.
  struct Herd: GCodable {
    private let animals: [Animal]
    init(_ animals: [Animal]) { self.animals = animals }
    init(from decoder: GDecoder) throws { animals = try [Animal](from: decoder) }
    func encode(to encoder: GEncoder) throws { try animals.encode(to: encoder) }
  }

  struct Table: GBinaryCodable {
    private let units: [Int: Unit]
    init(_ units: [Int: Unit]) { self.units = units }
    init(from rbuffer: inout BinaryReadBuffer) throws { units = try [Int: Unit](from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try units.write(to: &wbuffer) }
  }

  /// Encodes the fields of its point as its own.
  struct Around: Codable {
    private let point: Point
    init(point: Point) { self.point = point }
    init(from decoder: any Decoder) throws { point = try decoder.singleValueContainer().decode(Point.self) }
    func encode(to encoder: any Encoder) throws { try point.encode(to: encoder) }
  }

  final class Trap: GCodable {
    init() {}
    init(from decoder: GDecoder) throws { preconditionFailure("an instance is made") }
    func encode(to encoder: GEncoder) throws {}
  }
}
