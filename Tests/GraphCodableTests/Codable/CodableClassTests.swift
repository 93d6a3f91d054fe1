import GraphCodable
import CyclicCoding
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Identity, classes and cycles of `Codable` models.
@Suite("Codable in archives: classes")
struct CodableClassTests {
  class Animal: Codable {
    var name: String
    init(_ name: String) { self.name = name }
  }

  final class Dog: Animal {
    var tricks: [String] = []

    private enum CodingKeys: CodingKey { case tricks, base }

    init(_ name: String, tricks: [String]) {
      self.tricks = tricks
      super.init(name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      try super.init(from: container.superDecoder(forKey: .base))
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: container.superEncoder(forKey: .base))
      try container.encode(tricks, forKey: .tricks)
    }
  }

  /// Shares the record with its base class.
  final class Cat: Animal {
    var lives = 9

    private enum CodingKeys: CodingKey { case lives }

    override init(_ name: String) { super.init(name) }

    required init(from decoder: any Decoder) throws {
      lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(lives, forKey: .lives)
    }
  }

  /// Adds nothing to its base class, and the key `super`.
  final class Puppy: Animal {
    private enum CodingKeys: CodingKey { case weeks }
    var weeks = 3

    override init(_ name: String) { super.init(name) }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      weeks = try container.decode(Int.self, forKey: .weeks)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(weeks, forKey: .weeks)
      try super.encode(to: container.superEncoder())
    }
  }

  struct Zoo: Codable {
    var animals: [Animal]
    var favourite: Animal?
    var byName: [String: Animal]
  }

  @Test(arguments: [GraphEncoder.Options(), .canonicalOrder, .tryHashableIdentityAtLast])
  func subclassesAndIdentityAreKept(_ options: GraphEncoder.Options) throws {
    let dog = Dog("Rex", tricks: ["sit", "roll"])
    let cat = Cat("Tom")
    cat.lives = 7
    let puppy = Puppy("Bo")
    let zoo = Zoo(
      animals: [dog, cat, puppy, Animal("x"), dog, Cat("Jerry")], favourite: dog,
      byName: ["a": cat, "b": dog])
    let copy = try codableCopy(zoo, options)
    let dogCopy = try #require(copy.animals[0] as? Dog)
    #expect(dogCopy.tricks == ["sit", "roll"] && dogCopy.name == "Rex")
    #expect(copy.animals[4] === dogCopy && copy.favourite === dogCopy && copy.byName["b"] === dogCopy)
    let catCopy = try #require(copy.animals[1] as? Cat)
    #expect(catCopy.lives == 7 && catCopy.name == "Tom" && copy.byName["a"] === catCopy)
    #expect((copy.animals[2] as? Puppy)?.weeks == 3 && copy.animals[2].name == "Bo")
    #expect(type(of: copy.animals[3]) == Animal.self && copy.animals.count == 6)
  }

  @Test func withoutIdentityAndInheritanceItIsAsCodableHasIt() throws {
    let dog = Dog("Rex", tricks: [])
    let copy = try codableCopy([Animal("x"), Animal("y")], .mimicSwiftCodable)
    #expect(copy.map(\.name) == ["x", "y"])
    let dogs = try codableCopy([dog, dog], .disableIdentity)
    #expect(dogs[0] !== dogs[1] && dogs[1].name == "Rex")
  }

  // MARK: Cycles

  final class Section: Codable {
    var title: String
    var parent = WeakCycleBreaker<Section>()
    var top: UnownedCycleBreaker<Section>?
    var sections: [Section] = []

    init(_ title: String, _ sections: [Section] = []) {
      self.title = title
      self.sections = sections
      for section in sections {
        section.parent[] = self
        section.top = UnownedCycleBreaker(self)
      }
    }
  }

  @Test func cycleBreakersAreSetWhenAllIsDecoded() throws {
    let book = Section("book", [Section("a", [Section("b")]), Section("c")])
    let copy = try codableCopy(book)
    #expect(copy.sections[0].parent[] === copy && copy.sections[1].top?[] === copy)
    #expect(copy.sections[0].sections[0].parent[] === copy.sections[0])
    #expect(copy.parent[] == nil && copy.top == nil)
  }

  @Test func anObjectThatOnlyBreakersLeadToIsNotStored() throws {
    let book = Section("book", [Section("a")])
    book.sections[0].top = nil
    let copy = try codableCopy(book.sections[0])
    #expect(copy.title == "a" && copy.parent[] == nil)

    book.sections[0].top = UnownedCycleBreaker(book)
    let error = #expect(throws: DecodingError.self) { try codableCopy(book.sections[0]) }
    #expect(error.map(description)?.hasPrefix("valueNotFound at") == true)
  }

  struct Halves: Codable {
    var breaker: UnownedCycleBreaker<Section>
    /// Encoded, and not kept when it is decoded.
    var section: Section?

    private enum CodingKeys: CodingKey { case breaker, section }

    init(_ section: Section) {
      self.section = section
      breaker = UnownedCycleBreaker(section)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      breaker = try container.decode(UnownedCycleBreaker<Section>.self, forKey: .breaker)
      _ = try container.decode(Section.self, forKey: .section)
    }
  }

  @Test func anUnownedReferenceToAnUnretainedObjectIsAnError() throws {
    let error = #expect(throws: DecodingError.self) { try codableCopy(Halves(Section("a"))) }
    #expect(error.map(description) == "valueNotFound at breaker")
  }

  /// A root that is `GCodable`.
  struct Envelope: GCodable {
    var halves: Halves
    private enum Key: String { case halves }
    init(_ halves: Halves) { self.halves = halves }
    init(from decoder: GDecoder) throws { halves = try decoder.decode(codable: Halves.self, for: Key.halves) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(codable: halves, for: Key.halves) }
  }

  @Test func unownedReferencesAreCheckedInAnyRoot() throws {
    let bytes = try GraphEncoder().encode(Envelope(Halves(Section("a")))) as Bytes
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    for _ in 0..<2 {
      let error = #expect(throws: DecodingError.self) {
        try GraphDecoder().decode(Envelope.self, from: bytes)
      }
      #expect(error.map(description) == "valueNotFound at halves.breaker")
      #expect(throws: DecodingError.self) { try GraphDecoder().read(Envelope.self, from: url) }
    }
    let book = Section("book", [Section("a")])
    let copies = try codableCopy([book, book])
    #expect(copies[0].sections[0].top?[] === copies[1])
  }

  /// They are refused at once: what has been made of a packed array is gone when breakers are decoded.
  @Test(arguments: [3, 5_000]) func numbersAreNoBreakers(_ count: Int) throws {
    let error = #expect(throws: DecodingError.self) {
      try codableCopy(Array(0..<count), as: [WeakCycleBreaker<Section>].self)
    }
    #expect(error.map(description)?.contains("[0]") == true)
  }

  final class Ring: Codable {
    var next: Ring?
  }

  @Test func aCycleWithoutBreakerIsNamed() throws {
    let ring = Ring()
    ring.next = Ring()
    ring.next?.next = ring
    defer { ring.next = nil }
    let error = #expect(throws: GCodableError.self) { try codableCopy(ring) }
    #expect(error?.code == .cycle && error?.description.contains("Ring.next → Ring.next → Ring") == true)
  }

  // MARK: Chains

  @Test func aChainOf100_000ObjectsNeedsNoLargeStack() throws {
    var last: Ring?
    for _ in 0..<100_000 {
      let ring = Ring()
      ring.next = last
      last = ring
    }
    var copy: Ring? = try last.map { try codableCopy($0) }
    var count = 0
    while let ring = copy {
      count += 1
      copy = ring.next
      // One after the other: Swift releases a chain recursively.
      ring.next = nil
    }
    while let ring = last {
      last = ring.next
      ring.next = nil
    }
    #expect(count == 100_000)
  }

  struct Onion: Codable {
    var inner: [Onion]
  }

  @Test func valuesNestAsDeepAsThoseThatAreGCodable() throws {
    // Swift releases such a value recursively.
    let (depth, refused) = try onThread(stackByteCount: 512 << 20) {
      func onion(_ depth: Int) -> Onion {
        (0..<depth).reduce(Onion(inner: [])) { inner, _ in Onion(inner: [inner]) }
      }
      var copy: Onion? = try codableCopy(onion(10_000), depth: .max)
      var depth = 0
      while let inner = copy?.inner.first {
        depth += 1
        copy = inner
      }
      let refused = Result { try codableCopy(onion(70_000), depth: .max) }
      return (depth, refused)
    }
    #expect(depth == 10_000)
    let error = #expect(throws: GCodableError.self) { try refused.get() }
    #expect(error?.code == .limitExceeded)
  }
}
