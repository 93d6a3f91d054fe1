import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// A flattened container can be compared, and shows its root and the objects that it refers to.
@Suite("CyclicCoding: contents")
struct ContentsTests {
  typealias Value = FlattenedContainer.Value

  final class Helper: Codable {
    var name: String
    init(_ name: String) { self.name = name }
  }

  struct Thing: Codable { var helper: Helper }

  private func things(_ first: String, _ second: String) throws -> FlattenedContainer {
    let (one, other) = (Helper(first), Helper(second))
    return try CyclicEncoder().flatten([Thing(helper: one), Thing(helper: other), Thing(helper: one)])
  }

  @Test func sharedObjectsStandBesideTheRoot() throws {
    let flattened = try things("Helga", "Helen")
    #expect(flattened.referenced == [.keyed(["name": .string("Helga")])])
    #expect(
      flattened.root
        == .unkeyed([
          .keyed(["helper": .reference(0)]), .keyed(["helper": .keyed(["name": .string("Helen")])]),
          .keyed(["helper": .reference(0)]),
        ]))
  }

  @Test func cycleIsAReferenceToItsObject() throws {
    final class Ring: Codable { var next = WeakCycleBreaker<Ring>() }
    let ring = Ring()
    ring.next[] = ring
    let flattened = try CyclicEncoder().flatten(ring)
    #expect(flattened.root == .reference(0))
    #expect(flattened.referenced == [.keyed(["next": .reference(0)])])
  }

  @Test func eachScalarIsShownAsWhatItIs() throws {
    func root<Encoded: Encodable>(_ value: Encoded) throws -> Value {
      try CyclicEncoder().flatten(value).root
    }
    #expect(try root(Int?.none) == .null)
    #expect(try root(true) == .bool(true))
    #expect(try root(Int8(-5)) == .int(-5))
    #expect(try root(UInt64.max) == .uint(.max))
    #expect(try root(Int128.min) == .wideInteger("-170141183460469231731687303715884105728"))
    #expect(try root(Float(0.5)) == .float(0.5))
    #expect(try root(0.5) == .double(0.5))
    #expect(try root("a") == .string("a"))
    #expect(try root(Data([1])) == .data(Data([1])))
  }

  @Test(arguments: AnyCoder.allCases)
  func storedContainerIsEqual(coder: AnyCoder) throws {
    let flattened = try things("Helga", "Helen")
    let copy = try coder.copy(flattened, as: FlattenedContainer.self)
    #expect(copy == flattened)
    #expect(copy.root == flattened.root && copy.referenced == flattened.referenced)
  }

  @Test func graphsThatDifferAreUnequal() throws {
    let flattened = try things("Helga", "Helen")
    #expect(try flattened == things("Helga", "Helen"))
    #expect(try flattened != things("Helga", "Hella"))
    #expect(try flattened != things("Hella", "Helen"))
    let apart = try CyclicEncoder().flatten(["Helga", "Helen", "Helga"].map { Thing(helper: Helper($0)) })
    #expect(flattened != apart)
    let scalars: [any Encodable] = [1, 1.0, Float(1), true, "1", Data([1]), [1], [1: 1], Int?.none]
    for (index, one) in scalars.enumerated() {
      for (otherIndex, other) in scalars.enumerated() {
        let areEqual = try CyclicEncoder().flatten(one) == CyclicEncoder().flatten(other)
        #expect(areEqual == (index == otherIndex))
      }
    }
  }

  @Test func orderOfKeysDoesNotMatterAndThatOfElementsDoes() throws {
    struct Record: Encodable {
      let names: [String]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CoderTests.AnyKey.self)
        for name in names { try container.encode(name, forKey: .init(name)) }
      }
    }
    let ordered = try CyclicEncoder().flatten(Record(names: ["a", "b"]))
    #expect(try ordered == CyclicEncoder().flatten(Record(names: ["b", "a"])))
    #expect(try ordered != CyclicEncoder().flatten(Record(names: ["a", "c"])))
    #expect(try ordered != CyclicEncoder().flatten(Record(names: ["a"])))
    #expect(try CyclicEncoder().flatten(["a", "b"]) != CyclicEncoder().flatten(["b", "a"]))
  }

  @Test func deepValuesCanBeShownAndCompared() throws {
    let deep = DepthTests.Nested(depth: 5_000)
    let flattened = try CyclicEncoder().flatten(deep)
    #expect(try flattened == CyclicEncoder().flatten(deep))
    #expect(try flattened != CyclicEncoder().flatten(DepthTests.Nested(depth: 4_999)))
    #expect(flattened.referenced.count > 50)
  }
}
