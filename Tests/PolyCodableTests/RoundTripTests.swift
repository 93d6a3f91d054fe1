import CodableTestSupport
import Foundation
import PolyCodable
import Testing

/// Instances come back as what they were, wherever they stand.
@Suite("PolyCodable: round trips")
struct RoundTripTests {
  @Test(arguments: AnyCoder.allCases)
  func nakedValueKeepsItsClass(coder: AnyCoder) throws {
    for animal in [Animal].some {
      #expect(try coder.copy(animal).text == animal.text)
    }
  }

  @Test(arguments: AnyCoder.allCases)
  func nakedArrayKeepsTheClasses(coder: AnyCoder) throws {
    #expect(try coder.copy([Animal].some).map(\.text) == [Animal].some.map(\.text))
    #expect(try coder.copy([Animal]()).isEmpty)
  }

  @Test(arguments: AnyCoder.allCases)
  func containersInContainersKeepTheClasses(coder: AnyCoder) throws {
    let some = [Animal].some
    let value: [String: [[Animal?]?]] = ["a": [[some[0], nil], nil, []], "b": [], "c": [[some[2]]]]
    let copy = try coder.copy(value)
    #expect(
      copy.mapValues { $0.map { $0?.map { $0?.text } } }
        == value.mapValues { $0.map { $0?.map { $0?.text } } })
  }

  @Test(arguments: AnyCoder.allCases)
  func dictionariesMayHaveAnyKeys(coder: AnyCoder) throws {
    let some = [Animal].some
    #expect(
      try coder.copy([-1: some[0], 7: some[1]]).mapValues(\.text) == [-1: some[0].text, 7: some[1].text])
    let byDate = [Date(timeIntervalSinceReferenceDate: 5): some[2]]
    #expect(try coder.copy(byDate).mapValues(\.text) == byDate.mapValues(\.text))
    let byType = [AnimalType.cat: some[1]]
    #expect(try coder.copy(byType).mapValues(\.text) == byType.mapValues(\.text))
  }

  /// The compiler writes all of its coding.
  private struct Zoo: Codable {
    @Polymorphic var first: Animal
    @Polymorphic var best: Dog?
    @Polymorphic var all: [Animal]
    @Polymorphic var cages: [String: Animal]
    var cat: Cat

    var text: String {
      "\(first.text) \(best?.text ?? "none") \(all.map(\.text)) \(cages.mapValues(\.text)) \(cat.text)"
    }
  }

  @Test(arguments: AnyCoder.allCases)
  func wrappedPropertiesNeedNoCode(coder: AnyCoder) throws {
    let some = [Animal].some
    let zoo = Zoo(
      first: some[2], best: Puppy(name: "Pep", mother: Dog(name: "Mo"), friends: some), all: some,
      cages: ["x": some[4]], cat: Cat(name: "Felix"))
    #expect(try coder.copy(zoo, as: Zoo.self).text == zoo.text)
    let empty = Zoo(first: some[3], best: nil, all: [], cages: [:], cat: Cat(name: "Felix"))
    #expect(try coder.copy(empty, as: Zoo.self).text == empty.text)
  }

  @Test func nilInAWrappedPropertyIsNotWritten() throws {
    struct Holder: Codable { @Polymorphic var animal: Animal? }
    let json = try JSONEncoder().encode(Holder(animal: nil))
    #expect(String(decoding: json, as: UTF8.self) == "{}")
    #expect(try JSONDecoder().decode(Holder.self, from: Data("{\"animal\":null}".utf8)).animal == nil)
  }

  @Test func decodersOfFoundationDecodeNakedValues() throws {
    let some = [Animal].some
    let json = try JSONEncoder().encode(some)
    #expect(try JSONDecoder().decodePolymorphic([Animal].self, from: json).map(\.text) == some.map(\.text))
    let one = try JSONEncoder().encode(some[2])
    #expect(try JSONDecoder().decodePolymorphic(Animal.self, from: one).text == some[2].text)
    #expect(try JSONDecoder().decodePolymorphic(Animal?.self, from: one)?.text == some[2].text)
    let list = try PropertyListEncoder().encode(some)
    #expect(
      try PropertyListDecoder().decodePolymorphic([Animal].self, from: list).map(\.text) == some.map(\.text))
  }

  @Test(arguments: AnyCoder.allCases)
  func ownBaseClassesAndHandWrittenMethodsWork(coder: AnyCoder) throws {
    let shapes: [Shape] = [Circle(x: 1), Square(x: -0.5)]
    let copies = try coder.copy(shapes)
    #expect(copies[0] is Circle && copies[1] is Square)
    #expect(copies.map(\.x) == [1, -0.5])
    #expect(try coder.copy(["a": shapes[1]])["a"] is Square)
  }

  @Test func handWrittenMethodForJSONIsUsedForNakedValues() throws {
    let json = try JSONEncoder().encode(Square(x: 2))
    #expect(try JSONDecoder().decodePolymorphic(Shape.self, from: json) is Square)
  }

  @Test func discriminatorStandsBesideTheProperties() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let dog = try encoder.encode(Dog(name: "Rex"))
    #expect(String(decoding: dog, as: UTF8.self) == #"{"name":"Rex","toys":[],"typeDescriminator":"dog"}"#)
    let circle = try encoder.encode(Circle(x: 1))
    #expect(String(decoding: circle, as: UTF8.self) == #"{"typeDiscriminator":"circle","x":1}"#)
  }

  /// Decodes by hand, in each kind of container.
  private struct ByHand: Decodable {
    var texts: [String?] = []

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      texts.append(try container.decodePolymorphic(Animal.self).text)
      texts.append(try container.decodePolymorphicIfPresent(Animal.self)?.text)
      texts.append(try container.decodePolymorphicIfPresent(Animal.self)?.text)
      texts.append(try container.superDecoder().singleValueContainer().decodePolymorphic(Animal.self).text)
      texts.append(try container.decodePolymorphicIfPresent(Animal.self)?.text)
    }
  }

  @Test(arguments: AnyCoder.allCases)
  func allContainersDecodePolymorphicValues(coder: AnyCoder) throws {
    let some = [Animal].some
    let stored: [Animal?] = [some[0], nil, some[1], some[2]]
    #expect(
      try coder.copy(stored, as: ByHand.self).texts == [some[0].text, nil, some[1].text, some[2].text, nil])
  }
}
