import CodableTestSupport
import Foundation
import PolyCodable
import Testing

/// A hierarchy may store its discriminators in its own way.
@Suite("PolyCodable: coding schemes")
struct SchemeTests {
  // MARK: Names, and a place inside another container

  enum PlantType: String, PolymorphicClassTable {
    case tree, moss, other

    static let fallbackDiscriminator: PlantType? = .other

    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .tree: Tree.self
      case .moss: Moss.self
      case .other: OtherPlant.self
      }
    }
  }

  /// Stores `{"@": {"class": "plants/tree"}}`, and knows an old name of moss.
  enum HeaderScheme: PolymorphicCodingScheme {
    typealias ClassType = PlantType

    enum DiscriminatorKey: String, PolyCompatibleCodingKey {
      case header = "@"
      case name = "class"

      static var discriminatorKey: Self { .name }
    }

    static func name(of discriminator: PlantType) -> String { "plants/" + discriminator.rawValue }

    static func discriminator(named name: String) -> PlantType? {
      guard name != "Bryophyte" else { return .moss }
      return name.hasPrefix("plants/") ? PlantType(rawValue: String(name.dropFirst(7))) : nil
    }

    static func encodeName(_ name: String, to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: DiscriminatorKey.self)
      var header = container.nestedContainer(keyedBy: DiscriminatorKey.self, forKey: .header)
      try header.encode(name, forKey: .name)
    }

    static func decodeName(from decoder: any Decoder) throws -> String {
      let container = try decoder.container(keyedBy: DiscriminatorKey.self)
      let header = try container.nestedContainer(keyedBy: DiscriminatorKey.self, forKey: .header)
      return try header.decode(String.self, forKey: .name)
    }
  }

  typealias Plant = PolymorphicClass<HeaderScheme>

  final class Tree: Plant {
    let height: Double

    init(height: Double) {
      self.height = height
      super.init(.tree)
    }

    private enum CodingKeys: CodingKey { case height }

    required init(from decoder: any Decoder) throws {
      height = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .height)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(height, forKey: .height)
    }
  }

  final class Moss: Plant {
    init() { super.init(.moss) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class OtherPlant: Plant {
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  private struct Garden: Codable {
    @Polymorphic var plants: [Plant]
    @Polymorphic var best: Plant?
  }

  private func json<Value: Encodable>(_ value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  // The strict decoder takes each container once, and the name is read twice.
  @Test(arguments: AnyCoder.allCases.filter { $0 != .strict })
  func classesComeBack(coder: AnyCoder) throws {
    let garden = Garden(plants: [Tree(height: 1.5), Moss()], best: Tree(height: 2))
    let copy = try coder.copy(garden, as: Garden.self)
    #expect((copy.plants[0] as? Tree)?.height == 1.5)
    #expect(copy.plants[1] is Moss)
    #expect((copy.best as? Tree)?.height == 2)
    #expect(try coder.copy(["a": [Moss(), nil]] as [String: [Plant?]])["a"]?[0] is Moss)
  }

  @Test func schemeSaysWhatIsStored() throws {
    #expect(try json([Tree(height: 1)]) == #"[{"@":{"class":"plants/tree"},"height":1}]"#)
    let naked = Data(#"{"@": {"class": "plants/tree"}, "height": 3}"#.utf8)
    #expect((try JSONDecoder().decodePolymorphic(Plant.self, from: naked) as? Tree)?.height == 3)
  }

  @Test func otherNamesOfADiscriminatorAreStoredUnderItsOwn() throws {
    let old = Data(#"[{"@": {"class": "Bryophyte"}}]"#.utf8)
    let plants = try JSONDecoder().decodePolymorphic([Plant].self, from: old)
    #expect(plants[0] is Moss)
    #expect(try json(plants) == #"[{"@":{"class":"plants/moss"}}]"#)
  }

  @Test func nameOfAnUnknownClassIsKept() throws {
    let fern = #"[{"@":{"class":"plants/fern"}}]"#
    let plants = try JSONDecoder().decodePolymorphic([Plant].self, from: Data(fern.utf8))
    #expect(plants[0] is OtherPlant && plants[0].classType == .other)
    #expect(try json(plants) == fern)
  }

  @Test func unknownNameIsAnErrorThatListsTheNames() throws {
    let fern = Data(#"[{"@": {"class": "plants/fern"}}]"#.utf8)
    let error = try #require(
      #expect(throws: DecodingError.self) { try JSONDecoder().decodePolymorphic([Tree].self, from: fern) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "class"])
    #expect(
      context.debugDescription
        == "'plants/fern' is not a discriminator of PlantType; expected one of 'plants/tree', 'plants/moss', 'plants/other'."
    )
  }

  // MARK: The name around the properties, in a base class of its own

  enum ToolType: String, PolymorphicClassTable {
    case hammer, saw

    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .hammer: Hammer.self
      case .saw: Saw.self
      }
    }
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    init(_ text: String) { stringValue = text }
    var intValue: Int? { nil }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// Stores `{"hammer": {…}}`: the name is the only key.
  enum WrapperScheme: PolymorphicCodingScheme {
    typealias ClassType = ToolType

    static func encodeName(_ name: String, to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(name))
    }

    static func decodeName(from decoder: any Decoder) throws -> String {
      let keys = try decoder.container(keyedBy: AnyKey.self).allKeys
      guard let key = keys.first, keys.count == 1 else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "One key was expected."))
      }
      return key.stringValue
    }
  }

  class Tool: PolyCodable {
    typealias CodingScheme = WrapperScheme

    let weight: Int

    init(weight: Int) { self.weight = weight }

    var classType: ToolType { preconditionFailure("Tool is abstract") }

    private enum CodingKeys: CodingKey { case weight }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let name = try CodingScheme.decodeName(from: decoder)
      weight = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: AnyKey(name))
        .decode(Int.self, forKey: .weight)
    }

    func encode(to encoder: any Encoder) throws {
      try encodeDiscriminator(to: encoder)
      var container = encoder.container(keyedBy: AnyKey.self)
      var properties = container.nestedContainer(
        keyedBy: CodingKeys.self, forKey: AnyKey(CodingScheme.name(of: classType)))
      try properties.encode(weight, forKey: .weight)
    }
  }

  final class Hammer: Tool {
    override var classType: ToolType { .hammer }
  }

  final class Saw: Tool {
    override var classType: ToolType { .saw }
  }

  @Test func nameMayStandAroundTheProperties() throws {
    let tools: [Tool] = [Saw(weight: 1), Hammer(weight: 2)]
    let text = #"[{"saw":{"weight":1}},{"hammer":{"weight":2}}]"#
    #expect(try json(tools) == text)
    let copies = try JSONDecoder().decodePolymorphic([Tool].self, from: Data(text.utf8))
    #expect(copies[0] is Saw && copies[1] is Hammer && copies.map(\.weight) == [1, 2])
    #expect(try AnyCoder.binaryPropertyList.copy(tools).map(\.weight) == [1, 2])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decodePolymorphic([Tool].self, from: Data(#"[{"axe":{}}]"#.utf8))
    }
  }

  // MARK: Only another key

  enum PingType: String, PolymorphicClassTable {
    case ping

    var polymorphicClass: any PolyCodable.Type { Ping.self }
  }

  enum KeyScheme: PolymorphicCodingScheme {
    typealias ClassType = PingType
    typealias DiscriminatorKey = FallbackTests.EventKey
  }

  final class Ping: PolymorphicClass<KeyScheme> {
    init() { super.init(.ping) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  @Test(arguments: AnyCoder.allCases)
  func schemeReplacesOnlyWhatItSays(coder: AnyCoder) throws {
    #expect(try json(Ping()) == #"{"kind":"ping"}"#)
    #expect(try coder.copy([Ping() as PolymorphicClass<KeyScheme>])[0] is Ping)
  }
}
