import Foundation
import PolyCodable
import Testing

/// What cannot be decoded as it was is an error that says so.
@Suite("PolyCodable: refusals")
struct RefusalTests {
  private struct Holder<Value: PolymorphicValue>: Decodable {
    @Polymorphic var held: Value
  }

  /// The context of the error of decoding `json`, as an array in `held`.
  private func context<Value: PolymorphicValue>(
    of json: String, as type: Value.Type = [Animal].self
  ) throws -> DecodingError.Context {
    let error = try #require(
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Holder<Value>.self, from: Data("{\"held\": \(json)}".utf8))
      })
    switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      return context
    @unknown default: throw error
    }
  }

  @Test func unknownDiscriminatorIsNamedWithItsPathAndTheKnownOnes() throws {
    let context = try context(
      of: #"[{"typeDescriminator": "cat", "name": ""}, {"typeDescriminator": "cow"}]"#)
    #expect(context.codingPath.map(\.stringValue) == ["held", "Index 1", "typeDescriminator"])
    #expect(
      context.debugDescription
        == "'cow' is not a discriminator of AnimalType; expected one of 'animal', 'dog', 'puppy', 'cat'.")
  }

  @Test func unknownDiscriminatorOfTypesThatCannotBeListedIsNamed() throws {
    let context = try context(of: #"{"typeDiscriminator": "star"}"#, as: Shape.self)
    #expect(context.codingPath.map(\.stringValue) == ["held", "typeDiscriminator"])
    #expect(context.debugDescription == "'star' is not a discriminator of ShapeType.")
  }

  @Test func missingDiscriminatorIsAMissingKey() throws {
    let context = try context(of: #"{"name": "Rex"}"#, as: Animal.self)
    #expect(context.codingPath.map(\.stringValue) == ["held"])
    #expect(context.debugDescription.contains("typeDescriminator"))
  }

  @Test func discriminatorOfAnUnrelatedClassIsAMismatch() throws {
    let context = try context(of: #"[{"typeDescriminator": "cat", "name": ""}]"#, as: [Dog].self)
    #expect(context.codingPath.map(\.stringValue) == ["held", "Index 0"])
    #expect(context.debugDescription == "The discriminator 'cat' stands for Cat, which is not a Dog.")
  }

  @Test func nakedValueIsCheckedLikeOthers() {
    let json = Data(#"{"typeDescriminator": "cat", "name": ""}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decodePolymorphic(Dog.self, from: json) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decodePolymorphic(Dog.self, from: Data(#"{"typeDescriminator": "cow"}"#.utf8))
    }
  }

  @Test func staticTypeDoesNotCutOffASubclass() throws {
    let puppy = try JSONEncoder().encode(Puppy(name: "", mother: Dog(name: ""), friends: []))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Dog.self, from: puppy) }
  }

  @Test func encodingAClassUnderTheDiscriminatorOfAnotherThrows() throws {
    let wolf = Dog(.cat, name: "in sheep's clothing")
    let error = try #require(#expect(throws: EncodingError.self) { try JSONEncoder().encode([wolf]) })
    guard case .invalidValue(let value, let context) = error else { throw error }
    #expect(value as? Dog === wolf)
    #expect(context.codingPath.map(\.stringValue) == ["Index 0"])
    #expect(context.debugDescription == "The discriminator 'cat' stands for Cat, not for Dog.")
  }

  @Test func errorsInsideInstancesNameTheirPath() throws {
    let puppy =
      #"{"typeDescriminator": "puppy", "name": "", "toys": [], "mother": {"typeDescriminator": "dog"}}"#
    let context = try context(of: puppy, as: Animal.self)
    #expect(context.codingPath.map(\.stringValue) == ["held", "mother"])
  }
}
