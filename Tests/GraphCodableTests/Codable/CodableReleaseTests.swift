import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Encoded objects are no longer retained.
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

  // MARK: Containers that are used again

  /// Some values keep their containers; others may use those of values before them.
  struct Keeping: Codable {
    final class Containers {
      var encoding: [KeyedEncodingContainer<Key>] = []
      var decoding: [KeyedDecodingContainer<Key>] = []
      var areUsed = false
    }

    static let key = CodingUserInfoKey(rawValue: "containers")!
    var number: Int

    init(number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let containers = decoder.userInfo[Self.key] as? Containers
      for kept in containers?.decoding ?? [] {
        #expect(throws: DecodingError.self) { try kept.decode(Int.self, forKey: .a) }
        #expect(kept.allKeys.isEmpty)
      }
      number = try container.decode(Int.self, forKey: .a)
      if number % 3 == 0 { containers?.decoding.append(container) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      let containers = encoder.userInfo[Self.key] as? Containers
      if containers?.areUsed == true, var kept = containers?.encoding.last {
        // In the first pass it makes the graph be encoded again; then it is an `EncodingError`.
        #expect(throws: (any Error).self) { try kept.encode(1, forKey: .b) }
      }
      try container.encode(number, forKey: .a)
      if number % 3 == 0 { containers?.encoding.append(container) }
    }
  }

  @Test func containersThatAreKeptAreNotThoseOfOtherValues() throws {
    let values = (0..<8).map(Keeping.init)
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    let containers = Keeping.Containers()
    encoder.userInfo[Keeping.key] = containers
    decoder.userInfo[Keeping.key] = containers
    let copies = try decoder.decode(
      codable: [Keeping].self, from: encoder.encode(codable: values) as Bytes)
    #expect(copies.map(\.number) == Array(0..<8))
    #expect(containers.encoding.count == 3 && containers.decoding.count == 3)
    containers.areUsed = true
    #expect(throws: EncodingError.self) { try encoder.encode(codable: values) as Bytes }
  }

  @Test func codersAreReleasedWithTheContainersThatTheyKeep() throws {
    let bytes = try GraphEncoder().encode(codable: [Base(), Base()]) as Bytes
    weak var writer: CodableWriter?
    let encoder = GEncoder(options: [], userInfo: [:], binaryIOVersion: 0)
    _ = try encoder.encodeGraph {
      writer = $0.codable
      try $0.writeRoot(codable: [Base(), Base()])
      #expect(writer != nil)
    }
    #expect(writer == nil)
    weak var reader: CodableReader?
    try bytes.withUnsafeBytes { buffer in
      let decoder = try GraphDecoder().makeDecoder(buffer)
      reader = decoder.codable
      #expect(reader != nil)
      #expect(try decoder.readGraph(codable: [Base].self).count == 2)
    }
    #expect(reader == nil)
  }
}
