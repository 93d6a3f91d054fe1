import DocumentTestSupport
import Testing

/// Models that are isolated to the main actor: by the default isolation of their module, or one by one.
@Suite("Isolated models")
struct IsolationTests {
  private static let byDefault = ["-default-isolation", "MainActor"]

  private func expect(
    _ program: String, _ arguments: [String], prints expected: [String]
  ) async throws {
    let outcomes = try await ExampleRunner.outcomes(
      of: [program], languageMode: .swift6, compilerArguments: arguments)
    switch try #require(outcomes.first) {
    case .prints(let output): #expect(output.split(separator: "\n").map(String.init) == expected)
    case .doesNotCompile(let diagnostics): Issue.record("does not compile:\n\(diagnostics)")
    case .fails(let exitStatus, let output, let diagnostics):
      Issue.record("ends with status \(exitStatus) after printing:\n\(output)\n\(diagnostics)")
    }
  }

  @Test func sharedObjectsAndCyclesComeBackUnderDefaultIsolation() async throws {
    try await expect(Self.cycles(isolation: ""), Self.byDefault, prints: Self.cyclesOutput)
  }

  @Test func sharedObjectsAndCyclesOfIsolatedClassesComeBack() async throws {
    try await expect(Self.cycles(isolation: "@MainActor"), [], prints: Self.cyclesOutput)
  }

  private static let cyclesOutput = ["true true", "2 true", "2 true true", "1"]

  /// What the READMEs show, with all that stores `Codable` values.
  private static func cycles(isolation: String) -> String {
    """
    import CyclicCoding
    import Foundation
    import GraphCodable

    \(isolation) class Helper: \(isolation) Codable {
      init() {}
    }
    \(isolation) struct Thing: \(isolation) Codable {
      var helper: Helper
    }
    \(isolation) struct Action: \(isolation) Codable {
      var queue = WeakCycleBreaker<ActionQueue>()
    }
    \(isolation) class ActionQueue: \(isolation) Codable {
      var actions: [Action] = []
      init() {}
      func add(action: Action) {
        var action = action
        action.queue[] = self
        actions.append(action)
      }
    }
    \(isolation) final class Leg: \(isolation) Codable, \(isolation) Hashable {
      var table: UnownedCycleBreaker<Table>
      init(_ table: Table) { self.table = UnownedCycleBreaker(table) }
      static func == (one: Leg, other: Leg) -> Bool { one.table[].number == other.table[].number }
      func hash(into hasher: inout Hasher) { hasher.combine(table[].number) }
    }
    \(isolation) final class Table: \(isolation) Codable {
      var legs: Set<Leg> = []
      var number = 4
      init() {}
    }

    let helper = Helper()
    let flattened = try CyclicEncoder().flatten([Thing(helper: helper), Thing(helper: Helper()), Thing(helper: helper)])
    let data = try JSONEncoder().encode(flattened)
    let decoded = try JSONDecoder().decode(FlattenedContainer.self, from: data)
    let things = try CyclicDecoder().decode([Thing].self, from: decoded)
    print(things[0].helper === things[2].helper, things[0].helper !== things[1].helper)

    let queue = ActionQueue()
    queue.add(action: Action())
    queue.add(action: Action())
    let copy = try CyclicDecoder().decode(ActionQueue.self, from: CyclicEncoder().flatten(queue))
    print(copy.actions.count, copy.actions[0].queue[] === copy)
    let other = try GraphDecoder().decode(
      codable: ActionQueue.self, from: GraphEncoder().encode(codable: queue) as Bytes)
    print(other.actions.count, other.actions[0].queue[] === other, other.actions[1].queue[] === other)

    let table = Table()
    table.legs = [Leg(table)]
    print(try CyclicDecoder().decode(Table.self, from: CyclicEncoder().flatten(table)).legs.count)
    """
  }

  /// A subclass of a class that is not isolated cannot be isolated.
  @Test func polymorphicHierarchiesAreNotIsolatedUnderDefaultIsolation() async throws {
    try await expect(
      """
      import Foundation
      import PolyCodable

      nonisolated enum AnimalType: String, PolymorphicClassTable {
        case dog, cat
        var polymorphicClass: any PolyCodable.Type {
          switch self {
          case .dog: Dog.self
          case .cat: Cat.self
          }
        }
      }
      nonisolated final class Dog: DefaultKeyedPolymorphicClass<AnimalType> {
        init() { super.init(.dog) }
        required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
      }
      nonisolated final class Cat: DefaultKeyedPolymorphicClass<AnimalType> {
        init() { super.init(.cat) }
        required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
      }
      struct Household: Codable {
        @Polymorphic var pets: [DefaultKeyedPolymorphicClass<AnimalType>]
        @Polymorphic var favourite: DefaultKeyedPolymorphicClass<AnimalType>?
      }
      let data = try JSONEncoder().encode(Household(pets: [Dog(), Cat()], favourite: Cat()))
      let copy = try JSONDecoder().decode(Household.self, from: data)
      print(copy.pets.map { type(of: $0) }, type(of: copy.favourite!))
      """, Self.byDefault, prints: ["[Example.Dog, Example.Cat] Cat"])
  }

  @Test(arguments: ["", "@MainActor"])
  func polymorphicClassesOfUsersMayBeIsolated(isolation: String) async throws {
    try await expect(
      """
      import CyclicCoding
      import Foundation
      import PolyCodable

      \(isolation) enum ShapeType: String, \(isolation) PolymorphicClassTable {
        case circle, square
        var polymorphicClass: any PolyCodable.Type {
          switch self {
          case .circle: Circle.self
          case .square: Square.self
          }
        }
      }
      \(isolation) class Shape: \(isolation) PolyCodable {
        typealias DiscriminatorKey = TypeDiscriminatorCodingKey
        var name: String
        var classType: ShapeType { .circle }
        enum CodingKeys: CodingKey { case name }
        init(_ name: String) { self.name = name }
        required init(from decoder: any Decoder) throws {
          name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
        func encode(to encoder: any Encoder) throws {
          try encodeDiscriminator(to: encoder)
          var container = encoder.container(keyedBy: CodingKeys.self)
          try container.encode(name, forKey: .name)
        }
      }
      \(isolation) final class Circle: Shape {}
      \(isolation) final class Square: Shape { override var classType: ShapeType { .square } }
      \(isolation) struct Drawing: \(isolation) Codable {
        @Polymorphic var shapes: [Shape]
        @Polymorphic var frame: Shape?
      }
      let drawing = Drawing(shapes: [Circle("c"), Square("s")], frame: Square("f"))
      let copy = try JSONDecoder().decode(Drawing.self, from: JSONEncoder().encode(drawing))
      print(copy.shapes.map { "\\(type(of: $0)) \\($0.name)" }, type(of: copy.frame!))
      let other = try CyclicDecoder().decode(Drawing.self, from: CyclicEncoder().flatten(drawing))
      print(other.shapes.map { "\\(type(of: $0)) \\($0.name)" })
      """, isolation.isEmpty ? Self.byDefault : [],
      prints: [#"["Circle c", "Square s"] Square"#, #"["Circle c", "Square s"]"#])
  }
}
