import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Nothing that lives only while it is encoded is taken for something else at the same address.
@Suite("Identity cannot alias")
struct AliasTests {
  static let count = Effort.of(30_000, thorough: 100_000)

  /// Encodes and decodes what `make` makes for each number, and checks each copy.
  private func check<Value: GCodable>(
    count: Int = AliasTests.count, make: @escaping (Int) -> Value, isCopy: @escaping (Value, Int) -> Bool
  ) throws {
    let bytes = try script { encoder in
      for number in 0..<count { try encoder.encode(make(number)) }
    }
    var wrongCount = 0
    try Reading.decode(bytes) { decoder in
      for number in 0..<count where !isCopy(try decoder.decode(Value.self), number) { wrongCount += 1 }
      #expect(decoder.unkeyedCount == 0)
    }
    #expect(wrongCount == 0)
  }

  /// Objects of several classes and sizes, so that one's memory is used for another's.
  @Test func temporaryObjectsOfSeveralClassesStayApart() throws {
    try check(
      make: { number -> Base in
        number % 3 == 0 ? Derived(name: "\(number)", size: number) : Base(name: "\(number)")
      },
      isCopy: { copy, number in
        copy.name == "\(number)" && (copy as? Derived)?.size == (number % 3 == 0 ? number : nil)
      })
  }

  /// A getter that makes a new object at each call.
  @Test func temporaryObjectsInsideTemporaryObjectsStayApart() throws {
    try check(count: Self.count / 2) {
      Maker($0)
    } isCopy: { copy, number in
      copy.number == number && copy.made.map(\.name) == ["\(number)", "\(number)", "\(-number)"]
        && copy.made[0] !== copy.made[1]
    }
  }

  /// An address is used again while only a conditional reference to its first object has been written.
  @Test func temporaryObjectsThatAreEncodedConditionallyStayApart() throws {
    let bytes = try script { encoder in
      for number in 0..<Self.count {
        try encoder.encodeConditional(Base(name: "gone \(number)"))
        try encoder.encode(Base(name: "\(number)"))
      }
    }
    var wrongCount = 0
    try Reading.decode(bytes) { decoder in
      for number in 0..<Self.count {
        if try decoder.decode(Base?.self) != nil { wrongCount += 1 }
        if try decoder.decode(Base.self).name != "\(number)" { wrongCount += 1 }
      }
    }
    #expect(wrongCount == 0)
  }

  /// The identity is an object that only the value holds, or the address of one.
  @Test func temporaryIdentitiesStayApart() throws {
    try check(make: { Tokened($0, TokenID()) }, isCopy: { $0.number == $1 })
    try check(make: { Tokened($0, AddressID()) }, isCopy: { $0.number == $1 })
    try check(make: { TokenedClass($0) }, isCopy: { $0.number == $1 })
  }

  /// As above with values whose copies share their storage.
  @Test func temporaryBoxesStayApart() throws {
    try check(
      make: { number -> Both<SharedArray<Int>, SharedArray<Int>> in
        let shared = SharedArray([number])
        return Both(shared, shared)
      },
      isCopy: { $0.first.box.value == [$1] && $0.first.box === $0.second.box })
  }

  /// One array whose elements are replaced and dropped after it has been encoded, whole and in parts.
  @Test func elementsOfAnArrayThatChangesStayApart() throws {
    var objects = [Base(name: ""), Derived(name: "", size: 0)]
    let bytes = try script { encoder in
      for number in 0..<Self.count / 4 {
        objects[0] = Base(name: "\(number)")
        objects.withUnsafeMutableBufferPointer { $0[1] = Derived(name: "\(-number)", size: number) }
        try encoder.encode(objects)
        objects.swapAt(0, 1)
        try encoder.encode(objects[1...])
        objects.removeAll(keepingCapacity: true)
        objects += [Base(name: "other"), Derived(name: "other", size: 0)]
        try encoder.encode(ContiguousArray(objects.reversed()))
      }
    }
    var wrongCount = 0
    try Reading.decode(bytes) { decoder in
      for number in 0..<Self.count / 4 {
        let both = try decoder.decode([Base].self)
        let first = try decoder.decode(ArraySlice<Base>.self)
        let others = try decoder.decode(ContiguousArray<Base>.self)
        let isRight =
          both.map(\.name) == ["\(number)", "\(-number)"] && (both[1] as? Derived)?.size == number
          && first.count == 1 && first.first === both[0] && others.map(\.name) == ["other", "other"]
          && others[0] is Derived
        if !isRight { wrongCount += 1 }
      }
    }
    #expect(wrongCount == 0)
  }

  /// The bytes of large arrays are read from where the array lies when the archive is written.
  @Test func temporaryArraysKeepTheirBytes() throws {
    try check(
      count: 2000, make: { number in [Int](repeating: number, count: 2100) },
      isCopy: { $0 == [Int](repeating: $1, count: 2100) })
    try check(
      count: 500, make: { number in Data(repeating: UInt8(truncatingIfNeeded: number), count: 20_000) },
      isCopy: { $0 == Data(repeating: UInt8(truncatingIfNeeded: $1), count: 20_000) })
  }

  // MARK: Equal identities

  @Test func equalIdentitiesOfDifferentTypesStayApart() throws {
    let numbers = 0..<100
    let values = numbers.map { number in
      Both(
        Both(Identified<Int, Int>(number, number), Identified<Int, String>(number, "\(number)")),
        Both(
          Both(IdentifiedClass(number, "class \(number)"), IdentifiedSubclass(number, "subclass \(number)")),
          Both(Named("\(number)", number), Named("\(number)", "named \(number)"))))
    }
    // Twice, so that each is found by its identity, too.
    let copies = try roundTrip(values + values)
    for (index, copy) in copies.enumerated() {
      let number = index % 100
      #expect(copy.first.first.content == number && copy.first.second.content == "\(number)")
      #expect(type(of: copy.second.first.first) == IdentifiedClass.self)
      #expect(copy.second.first.first.text == "class \(number)")
      #expect(copy.second.first.second.text == "subclass \(number)")
      #expect(
        copy.second.second.first.value == number && copy.second.second.second.value == "named \(number)")
      #expect(copy.second.first.first === copies[number].second.first.first)
      #expect(copy.second.first.second === copies[number].second.first.second)
    }
  }

  /// The identities are the addresses of objects of the same graph, as every type that can hold one.
  @Test func addressesOfObjectsAsIdentitiesOfOthersStayApart() throws {
    let objects = (0..<1000).map { Base(name: "\($0)") }
    let values = objects.enumerated().map { number, object in
      Both(
        Both(object, Identified(ObjectIdentifier(object), number)),
        Both(
          Identified(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), number),
          AddressedClass(object, number)))
    }
    let copies = try roundTrip(values + values.reversed())
    for (index, copy) in copies.enumerated() {
      let number = index < 1000 ? index : 1999 - index
      #expect(copy.first.first.name == "\(number)" && copy.first.second.content == number)
      #expect(copy.second.first.content == number && copy.second.second.number == number)
      #expect(copy.first.first === copies[number].first.first)
      #expect(copy.second.second === copies[number].second.second)
    }
  }
}

// MARK: - Models

/// Holds objects that exist only while it is encoded.
private final class Maker: GCodable, GInheritance {
  let number: Int
  private let decoded: [Base]
  var disableInheritance: Bool { true }
  var made: [Base] {
    decoded.isEmpty ? [Base(name: "\(number)"), Base(name: "\(number)"), Base(name: "\(-number)")] : decoded
  }
  init(_ number: Int) { (self.number, decoded) = (number, []) }
  init(from decoder: GDecoder) throws {
    (number, decoded) = (try decoder.decode(for: Letter.n), try decoder.decode(for: Letter.m))
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.n)
    try encoder.encode(made, for: Letter.m)
  }
}

/// Something to be identified by.
private protocol Token: Hashable { init() }

/// An object as identity: it is held as long as the identity is.
private final class TokenID: Token {
  static func == (lhs: TokenID, rhs: TokenID) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The address of an object that is held by nothing but the value.
private struct AddressID: Token {
  private final class Target {}
  private let target = Target()
  static func == (lhs: AddressID, rhs: AddressID) -> Bool { lhs.target === rhs.target }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(target)) }
}

private struct Tokened<ID: Token>: GCodable, GIdentifiable {
  let number: Int
  let token: ID
  var gcodableID: ID? { token }
  init(_ number: Int, _ token: ID) { (self.number, self.token) = (number, token) }
  init(from decoder: GDecoder) throws { (number, token) = (try decoder.decode(), ID()) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}

private final class TokenedClass: GCodable, GIdentifiable, GInheritance {
  private final class Target {}
  let number: Int
  private let target = Target()
  var gcodableID: ObjectIdentifier? { ObjectIdentifier(target) }
  var disableInheritance: Bool { true }
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}

/// A value with an identity of any type, which is not encoded.
private struct Identified<ID: Hashable, Content: GCodable>: GCodable, GIdentifiable {
  let gcodableID: ID?
  let content: Content
  init(_ id: ID, _ content: Content) { (gcodableID, self.content) = (id, content) }
  init(from decoder: GDecoder) throws { (gcodableID, content) = (nil, try decoder.decode()) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(content) }
}

class IdentifiedClass: GCodable, GIdentifiable {
  let gcodableID: Int?
  let text: String
  init(_ id: Int, _ text: String) { (gcodableID, self.text) = (id, text) }
  required init(from decoder: GDecoder) throws { (gcodableID, text) = (nil, try decoder.decode()) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
}

final class IdentifiedSubclass: IdentifiedClass {}

/// Identified by the address of another object.
final class AddressedClass: GCodable, GIdentifiable {
  let gcodableID: ObjectIdentifier?
  let number: Int
  init(_ object: AnyObject, _ number: Int) { (gcodableID, self.number) = (ObjectIdentifier(object), number) }
  init(from decoder: GDecoder) throws { (gcodableID, number) = (nil, try decoder.decode()) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}
