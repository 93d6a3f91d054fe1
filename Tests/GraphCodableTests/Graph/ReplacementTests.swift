import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Versions and replaced classes")
struct ReplacementTests {
  @Test func theVersionOfAClassIsSeenWhenItIsDecoded() throws {
    let copy = try roundTrip([Versioned(), VersionedMore(), Versioned()])
    #expect(copy.map(\.seen) == [7, .max, 7])
  }

  @Test func aValueHasNoVersion() throws {
    let bytes = try script { try $0.encode(1) }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { _ = try $0.encodedTypeVersion }
    }
    #expect(error?.code == .valueNotFound)
    let anonymous = try roundTrip([Versioned()], .disableInheritance)
    #expect(anonymous[0].seen == nil)
  }

  @Test func theVersionIsThatOfTheObjectAroundAValue() throws {
    // A struct inside an object sees what the object sees.
    let copy = try roundTrip(VersionedOuter())
    #expect(copy.seen == [3, 7, 3])
  }

  @Test func aReplacedClassIsMadeAsItsSuccessor() throws {
    let bytes = try encoded([OldName("a"), OldestName("b")] as [OldBase])
    let copy = try decoded([NewName].self, from: bytes)
    #expect(copy.map(\.text) == ["a", "b"])
    #expect(copy[0].replaced == ObjectIdentifier(OldName.self))
    #expect(copy[1].replaced == ObjectIdentifier(OldestName.self))
    #expect(try roundTrip([NewName("c")])[0].replaced == nil)
  }

  @Test func aGenericClassReplacesItsArguments() throws {
    let bytes = try encoded(Holder(OldName("x")))
    #expect(try decoded(Holder<NewName>.self, from: bytes).value.text == "x")
  }

  @Test func anObsoleteTypeIsNeitherMadeNorEncoded() throws {
    let error = #expect(throws: GCodableError.self) { try encoded(Obsolete()) }
    #expect(error?.description.contains("replacementType") == true)
  }

  @Test func aClassIsSetForItsQualifiedOrMangledName() throws {
    let bytes = try encoded([Derived(name: "d", size: 5)])
    for name in [
      ClassName.qualifiedName(_typeName(Derived.self, qualified: true)),
      .mangledName(try #require(_mangledTypeName(Derived.self))),
    ] {
      let decoder = GraphDecoder()
      decoder.setClass(NameOnly.self, for: name)
      #expect(try decoder.decode([NameOnly].self, from: bytes)[0].name == "d")
      let error = #expect(throws: GCodableError.self) { try decoder.decode([Derived].self, from: bytes) }
      #expect(error?.code == .typeMismatch)
    }
  }

  @Test func aClassThatIsGoneThrowsAndNamesItself() throws {
    let bytes = try forgedClassName(in: encoded([Derived(name: "d", size: 5)], compression: .none))
    let error = #expect(throws: GCodableError.self) { try decoded([Base].self, from: bytes) }
    #expect(error?.code == .classNotFound)
    #expect(error?.description.contains("setClass") == true)
    #expect(error?.keyPathDescription == "[0]")
  }

  @Test func aMissingClassIsNoErrorUnlessItsObjectsAreRequested() throws {
    let bytes = try forgedClassName(
      in: script {
        try $0.encode(Derived(name: "d", size: 5), for: Letter.a)
        try $0.encode([Derived(name: "e", size: 6)], for: Letter.b)
        try $0.encode(Base(name: "b"), for: Letter.c)
      })
    try Reading.decode(bytes) { try #expect($0.decode(Base.self, for: Letter.c).name == "b") }
    try Reading.decode(bytes) { decoder in
      #expect(throws: GCodableError.self) { try decoder.decode(Base.self, for: Letter.a) }
      try #expect(decoder.decode(Base.self, for: Letter.c).name == "b")
    }
  }

  /// Renames `Derived` in an archive to a class that does not exist.
  private func forgedClassName(in bytes: Bytes) throws -> Bytes {
    try Forge(bytes).changingContents { contents in
      contents.classes = contents.classes.map { stored in
        var stored = stored
        if stored.qualifiedName.hasSuffix("Derived") {
          stored.mangledName = stored.mangledName.replacing("Derived", with: "Deleted")
          stored.qualifiedName = stored.qualifiedName.replacing("Derived", with: "Deleted")
        }
        return stored
      }
    }
  }
}

class Versioned: GCodable {
  let seen: UInt32?
  init() { seen = nil }
  class var typeVersion: UInt32 { 7 }
  required init(from decoder: GDecoder) throws { seen = try? decoder.encodedTypeVersion }
  func encode(to encoder: GEncoder) throws {}
}

final class VersionedMore: Versioned {
  override class var typeVersion: UInt32 { .max }
}

final class VersionedOuter: GCodable {
  struct Part: GCodable {
    var seen: UInt32
    init() { seen = 0 }
    init(from decoder: GDecoder) throws { seen = try decoder.encodedTypeVersion }
    func encode(to encoder: GEncoder) throws {}
  }

  let seen: [UInt32]
  init() { seen = [] }
  static var typeVersion: UInt32 { 3 }
  init(from decoder: GDecoder) throws {
    let before = try decoder.encodedTypeVersion
    let inner: Versioned = try decoder.decode()
    let part: Part = try decoder.decode()
    seen = [before, inner.seen ?? 0, part.seen]
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(Versioned())
    try encoder.encode(Part())
  }
}

class OldBase: GCodable {
  let text: String
  init(_ text: String) { self.text = text }
  required init(from decoder: GDecoder) throws { text = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
  class var replacementType: any GDecodable.Type { Self.self }
}

final class OldName: OldBase {
  override class var replacementType: any GDecodable.Type { NewName.replacementType }
}

final class OldestName: OldBase {
  override class var replacementType: any GDecodable.Type { OldName.replacementType }
}

final class NewName: GCodable {
  let text: String
  let replaced: ObjectIdentifier?
  init(_ text: String) { (self.text, replaced) = (text, nil) }
  init(from decoder: GDecoder) throws {
    text = try decoder.decode()
    replaced = try decoder.replacedType.map { ObjectIdentifier($0) }
  }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
}

final class Holder<Value: GCodable>: GCodable {
  let value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: GDecoder) throws { value = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(value) }
  static var replacementType: any GDecodable.Type {
    func holder<New: GCodable>(_ type: New.Type) -> any GDecodable.Type { Holder<New>.self }
    guard let replacement = Value.replacementType as? any GCodable.Type else { return Self.self }
    return holder(replacement)
  }
}

final class Obsolete: GObsolete {
  static var replacementType: any GDecodable.Type { NewName.replacementType }
  init() {}
}

final class NameOnly: GCodable {
  let name: String
  init(from decoder: GDecoder) throws { name = try decoder.decode(for: BaseNameKey.name) }
  func encode(to encoder: GEncoder) throws {}
  private enum BaseNameKey: String { case name }
}
