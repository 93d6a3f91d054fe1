import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// An object that is never requested may be anything: it is not made, and its faults are not errors.
@Suite("Laziness")
struct LazinessTests {
  /// The possible faults of an object.
  enum Fault: CaseIterable {
    case itThrows, itsClassIsGone, itsClassIsNotDecodable
  }

  /// Encodes with a fault in each object of class `Faulty`.
  private func encode(_ fault: Fault, _ body: @escaping (GEncoder) throws -> Void) throws -> Bytes {
    let bytes = try script(body)
    let name =
      switch fault {
      case .itThrows: "Faulty"
      case .itsClassIsGone: "Flawed"
      case .itsClassIsNotDecodable: "Opaque"
      }
    return try Forge(bytes).changingContents { contents in
      for index in contents.classes.indices {
        contents.classes[index].mangledName.replace("Faulty", with: name)
        contents.classes[index].qualifiedName.replace("Faulty", with: name)
      }
    }
  }

  @Test(arguments: Fault.allCases) func anUnrequestedObjectIsNoError(fault: Fault) throws {
    let faulty = Faulty()
    let bytes = try encode(fault) {
      try $0.encode(faulty)
      try $0.encode(faulty, for: Letter.a)
      try $0.encode([[Optional(faulty)], []], for: Letter.b)
      try $0.encode(["x": faulty], for: Letter.c)
      try $0.encode(Both(1, faulty), for: Letter.d)
      try $0.encode(Generic([faulty]), for: Letter.e)
      try $0.encodeIfPresent(faulty, for: Letter.f)
      try $0.encodeConditional(faulty, for: Letter.g)
      try $0.encode(Named("n", faulty), for: Letter.h)
      try $0.encode("last", for: Letter.z)
    }
    try Reading.decode(bytes) { _ in }
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(String.self, for: Letter.z) == "last")
      // To know that it is there does not make it.
      for letter in [Letter.a, .b, .c, .d, .e, .f, .g, .h] { try #expect(decoder.contains(letter)) }
      #expect(decoder.unkeyedCount == 1)
    }
    #expect(throws: (any Error).self) { try Reading.decode(bytes) { _ = try $0.decode(Faulty.self) } }
    // A deferred field is asked for.
    #expect(throws: (any Error).self) {
      try Reading.decode(bytes) { try $0.deferDecode(Faulty.self, for: Letter.a) { _ in } }
    }
  }

  /// Their fields are among the overflow fields of a record, where each has its own key.
  @Test(arguments: Fault.allCases) func anUnrequestedObjectInATailIsNoError(fault: Fault) throws {
    let bytes = try encode(fault) { encoder in
      for number in 0..<600 { try encoder.encode(Faulty(), for: NameKey("key \(number)")) }
      try encoder.encode("last", for: Letter.z)
    }
    try Reading.decode(bytes) { try #expect($0.decode(String.self, for: Letter.z) == "last") }
  }

  /// Deep in a graph, objects are made ahead; an error is kept until the object is requested.
  @Test(arguments: Fault.allCases, [1, 130, 1000])
  func anUnrequestedObjectDeepInTheGraphIsNoError(fault: Fault, depth: Int) throws {
    let chain = (0..<depth).reduce(Careless(nil, Faulty())) { chain, _ in Careless(chain, Faulty()) }
    defer { chain.breakUp() }
    let bytes = try encode(fault) { try $0.encode(chain, for: Letter.a) }
    try Reading.decode(bytes) { decoder in
      let copy = try decoder.decode(Careless.self, for: Letter.a)
      defer { copy.breakUp() }
      #expect(sequence(first: copy, next: \.next).reduce(0) { count, _ in count + 1 } == depth + 1)
    }
    let decoder = GraphDecoder()
    decoder.userInfo[Careless.asks] = true
    #expect(throws: (any Error).self) { try decoder.decode(CarelessRoot.self, from: bytes) }
  }

  @Test func anUnrequestedObjectIsNotMade() throws {
    let bytes = try script {
      try $0.encode(Counted(), for: Letter.a)
      try $0.encode([Counted(), Counted()], for: Letter.b)
      try $0.encode(Counted(), for: Letter.c)
    }
    let counter = Counted.Counter()
    try Counted.$counter.withValue(counter) {
      try Reading.decode(bytes) { _ in }
      #expect(counter.count == 0)
      try Reading.decode(bytes) { _ = try $0.decode(Counted.self, for: Letter.c) }
      #expect(counter.count == 1)
      try Reading.decode(bytes) { _ = try $0.decode([Counted].self, for: Letter.b) }
      #expect(counter.count == 3)
    }
  }

  /// Whatever follows an object that cannot be made is decoded as if that had not been requested.
  @Test(arguments: Fault.allCases) func anErrorThatIsCaughtLeavesTheRest(fault: Fault) throws {
    let shared = Base(name: "shared")
    let bytes = try encode(fault) {
      try $0.encode(shared, for: Letter.a)
      try $0.encode(Faulty(holding: shared), for: Letter.b)
      try $0.encode(shared, for: Letter.c)
    }
    try Reading.decode(bytes) { decoder in
      #expect(throws: (any Error).self) { try decoder.decode(Faulty.self, for: Letter.b) }
      let copy = try decoder.decode(Base.self, for: Letter.c)
      try #expect(copy === decoder.decode(Base.self, for: Letter.a))
      #expect(copy.name == "shared")
    }
  }
}

// MARK: - Models

/// Can be encoded, but not decoded.
final class Faulty: GCodable {
  struct Failure: Error {}
  private let held: Base?
  init(holding held: Base? = nil) { self.held = held }
  init(from decoder: GDecoder) throws { throw Failure() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(held, for: Letter.h) }
}

/// A class of the program that does not adopt `GDecodable`; its name is as long as that of `Faulty`.
final class Opaque {}

/// A chain whose links hold something that they never ask for, unless they are told to.
final class Careless: GCodable {
  static let asks = CodingUserInfoKey(rawValue: "Careless")!

  private(set) var next: Careless?
  private let held: Faulty?

  init(_ next: Careless?, _ held: Faulty) { (self.next, self.held) = (next, held) }

  init(from decoder: GDecoder) throws {
    next = try decoder.decode(for: Letter.n)
    held = decoder.userInfo[Self.asks] == nil ? nil : try decoder.decode(for: Letter.h)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(held, for: Letter.h)
    try encoder.encode(next, for: Letter.n)
  }

  func breakUp() {
    var link: Careless? = self
    while let current = link { (link, current.next) = (current.next, nil) }
  }
}

private struct CarelessRoot: GDecodable {
  init(from decoder: GDecoder) throws { try decoder.decode(Careless.self, for: Letter.a).breakUp() }
}

/// Counts how often it is decoded.
final class Counted: GCodable {
  final class Counter: @unchecked Sendable { var count = 0 }
  @TaskLocal static var counter = Counter()

  init() {}
  init(from decoder: GDecoder) throws { Self.counter.count += 1 }
  func encode(to encoder: GEncoder) throws {}
}
