import Foundation
import Testing

@testable import GraphCodable

/// What has been encoded is not held any longer.
@Suite("Codable in archives: lifetimes")
struct CodableReleaseTests {
  class Base: Codable {
    var number = 1
    init() {}
  }

  /// Encodes its base class by an encoder of its own, then a nested container, and the same beside them.
  final class Derived: Base {
    private enum CodingKeys: CodingKey { case inner, beside }
    var inner: Base?

    init(_ inner: Base?) {
      self.inner = inner
      super.init()
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      inner = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner).decode(
        Base?.self, forKey: .inner)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder())
      var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
      try nested.encode(inner, forKey: .inner)
      try container.encodeIfPresent(inner, forKey: .beside)
      if let inner, inner.number < 0 { throw Failure() }
    }
  }

  struct Failure: Error {}

  indirect enum Choice: Codable {
    case one(Base)
    case many([Choice])
  }

  struct Lists: Encodable {
    var bases: [Base]

    init(_ bases: [Base]) { self.bases = bases }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for base in bases {
        var list = container.nestedUnkeyedContainer()
        try list.encode(base)
        try container.encode(base)
      }
    }
  }

  @Test(arguments: [false, true]) func encodedObjectsAreReleased(_ fails: Bool) throws {
    func make(_ number: Int) -> Base {
      let base = Base()
      base.number = number
      return base
    }
    weak var first: Base?
    weak var second: Base?
    weak var third: Base?
    do {
      let (one, two, three) = (make(1), make(2), make(fails ? -1 : 3))
      (first, second, third) = (one, two, three)
      func encode<Value: Encodable>(_ value: Value) throws {
        _ = try GraphEncoder().encode(codable: value) as Bytes
      }
      try encode([Choice.one(one), .many([.one(two), .many([])])])
      try encode(Lists([one, two, three]))
      if fails {
        #expect(throws: Failure.self) { try encode([Derived(one), Derived(two), Derived(three)]) }
        #expect(throws: Failure.self) { try encode(Lists([Derived(three)])) }
      } else {
        try encode([Derived(one), Derived(two), Derived(three), Derived(Derived(one))])
      }
    }
    #expect(first == nil && second == nil && third == nil)
  }

  @Test func decodedObjectsAreReleased() throws {
    weak var base: Base?
    weak var inner: Base?
    do {
      let copy = try codableCopy([Derived(Base())])
      (base, inner) = (copy[0], copy[0].inner)
      #expect(base != nil && inner != nil)
    }
    #expect(base == nil && inner == nil)
  }
}
