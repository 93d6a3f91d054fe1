import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Allowed classes")
struct AllowedClassesTests {
  @Test func onlyListedClassesAreMade() throws {
    let bytes = try encoded([Animal(1), Dog(2), Cat(3)])
    let all = GraphDecoder(allowing: [Animal.self, Dog.self, Cat.self])
    #expect(
      try all.decode([Animal].self, from: bytes).map { ObjectIdentifier(type(of: $0)) }
        == [Animal.self, Dog.self, Cat.self].map { ObjectIdentifier($0) })
    let some = GraphDecoder(allowing: [Animal.self, Dog.self])
    let error = #expect(throws: GCodableError.self) { try some.decode([Animal].self, from: bytes) }
    #expect(error?.code == .classNotFound)
    #expect(error?.typeName == "GraphCodableTests.Cat")
    #expect(error?.description.contains("not among the classes that the decoder allows") == true)
    // A decoder goes on, and can be allowed more.
    #expect(try some.decode([Dog].self, from: encoded([Dog(4)])).map(\.number) == [4])
    some.allowedClasses = .all
    #expect(try some.decode([Animal].self, from: bytes).map(\.number) == [1, 2, 3])
  }

  @Test func aSubclassOfAListedClassIsNotAllowed() throws {
    let decoder = GraphDecoder(allowing: [Animal.self])
    #expect(throws: GCodableError.self) { try decoder.decode([Animal].self, from: encoded([Dog(1)])) }
    #expect(throws: GCodableError.self) {
      try GraphDecoder(allowing: [Dog.self]).decode([Animal].self, from: encoded([Animal(1)]))
    }
    #expect(throws: GCodableError.self) {
      try GraphDecoder(allowing: []).decode([Animal].self, from: encoded([Animal(1)]))
    }
  }

  @Test func aGenericClassIsAllowedWithItsArguments() throws {
    let decoder = GraphDecoder(allowing: [Holder<Int>.self])
    #expect(try decoder.decode(Holder<Int>.self, from: encoded(Holder(1))).value == 1)
    #expect(throws: GCodableError.self) {
      try decoder.decode(Holder<String>.self, from: encoded(Holder("x")))
    }
  }

  @Test func listedClassesNeedNoRegistrationWhereTheyAreDecoded() throws {
    let bytes = try Forge(encoded([Animal(5)])).changingContents {
      $0.classes[0].mangledName = "17GraphCodableTests1$yXZ6SecretC"
    }
    #expect(throws: GCodableError.self) { try GraphDecoder().decode([Secret].self, from: bytes) }
    let decoder = GraphDecoder(allowing: [Secret.self])
    #expect(try decoder.decode([Secret].self, from: bytes).map(\.number) == [5])
  }

  @Test func registeredClassesAreAllowedAlone() throws {
    Cat.register()
    let decoder = GraphDecoder(allowing: .registeredOnly)
    #expect(try decoder.decode([Cat].self, from: encoded([Cat(1)])).map(\.number) == [1])
    let error = #expect(throws: GCodableError.self) {
      try decoder.decode([Animal].self, from: encoded([Dog(1)]))
    }
    #expect(error?.description.contains("registered classes only") == true)
    // Registered ones are not listed ones.
    #expect(throws: GCodableError.self) {
      try GraphDecoder(allowing: [Dog.self]).decode([Cat].self, from: encoded([Cat(1)]))
    }
  }

  @Test func whatIsSetOrReplacedIsAllowed() throws {
    let decoder = GraphDecoder(allowing: [])
    decoder.setClass(Dog.self, for: .qualifiedName("GraphCodableTests.Cat"))
    #expect(try decoder.decode([Dog].self, from: encoded([Cat(1)])).map(\.number) == [1])
    let replacing = GraphDecoder(allowing: [OldName.self])
    #expect(try replacing.decode([NewName].self, from: encoded([OldName("a")])).map(\.text) == ["a"])
    #expect(throws: GCodableError.self) {
      try replacing.decode([NewName].self, from: encoded([NewName("a")]))
    }
  }

  @Test func codableClassesAreListedLikeOthers() throws {
    let bytes = try GraphEncoder().encode(codable: [Plane(), Jet()]) as Bytes
    let decoder = GraphDecoder(allowing: [Plane.self, Jet.self])
    #expect(try decoder.decode(codable: [Plane].self, from: bytes).last is Jet)
    #expect(throws: GCodableError.self) {
      try GraphDecoder(allowing: [Plane.self]).decode(codable: [Plane].self, from: bytes)
    }
  }

  @Test func partsAreDecodedByTheSameRules() throws {
    let bytes = try encoded([Animal(1), Dog(2)])
    let decoder = GraphDecoder(allowing: [Animal.self])
    #expect(try GraphArchive(bytes).decode(Animal.self, at: "[0]", using: decoder).number == 1)
    #expect(throws: GCodableError.self) {
      try GraphArchive(bytes).decode(Animal.self, at: "[1]", using: decoder)
    }
  }
}

class Animal: GCodable {
  let number: Int
  init(_ number: Int) { self.number = number }
  required init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}

final class Dog: Animal {}
final class Cat: Animal {}
class Plane: Codable {}
final class Jet: Plane {}

private final class Secret: GCodable {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}
