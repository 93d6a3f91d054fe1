import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Models as programs have them, `Codable` and nothing else.
@Suite("Codable in archives: models")
struct CodableModelTests {
  // MARK: Structs, enums, generics

  struct Tagged<Value: Codable & Equatable>: Codable, Equatable {
    var value: Value
    var tags: [String: Value?]
  }

  enum Event: Codable, Equatable {
    case start
    case move(x: Double, y: Double, by: String?)
    case pair(Int, Tagged<String>)
    case batch([Event])
    indirect case undo(Event)
  }

  @Test func enumsWithPayloadsAndNestedGenericsComeBack() throws {
    let events: [Event] = [
      .start, .move(x: 1, y: -2.5, by: nil), .move(x: 1, y: -2.5, by: "me"), .start,
      .batch([.start, .undo(.move(x: 0, y: 0, by: "me")), .batch([])]),
      .pair(7, Tagged(value: "a", tags: ["b": nil, "c": "d"])),
    ]
    let value = Tagged(value: Tagged(value: events, tags: ["x": events]), tags: [:])
    #expect(try codableCopy(value) == value)
    #expect(try codableCopy(events) == events)
    #expect(try codableCopy(Event.undo(.undo(.start))) == .undo(.undo(.start)))
  }

  enum Suit: String, Codable { case hearts, spades }
  enum Level: Int, Codable { case low = 1, high = 10 }

  struct Mixed: Codable, Equatable {
    var suits: [Suit] = [.hearts, .spades, .hearts]
    var bySuit: [Suit: Int] = [.spades: 2]
    var byNumber: [Int: Suit] = [3: .hearts, -4: .spades]
    var byLevel: [Level: [Level]] = [.low: [.high, .low]]
    var byTag: [Tagged<Int>.Key: String] = [.init(rawValue: 7): "seven"]
    var set: Set<Suit> = [.hearts]
    var contiguous: ContiguousArray<Suit> = [.spades]
    var range = 1..<5
    var ranges: [ClosedRange<Double>] = [0...1, 2...4]
    var optional: Suit? = .spades
    var none: Suit?
    var deep: Suit?? = .some(nil)
    var inArray: [Suit?] = [nil, .hearts]
    var level = Level.high
  }

  @Test func rawValuesAndDictionariesWithAnyKeysComeBack() throws {
    #expect(try codableCopy(Mixed()) == Mixed())
    #expect(try codableCopy([Mixed(), Mixed()], .canonicalOrder) == [Mixed(), Mixed()])
  }

  struct Values: Codable, Equatable {
    var date = Date(timeIntervalSinceReferenceDate: 1_234.5)
    var url = URL(string: "https://example.org/a?b=c")!
    var decimal = Decimal(string: "12345678901234567890.123456789")!
    var uuid = UUID()
    var data = Data([1, 2, 3])
    var components = DateComponents(year: 2_024, month: 2)
    var measurement = Measurement(value: 3, unit: UnitLength.meters)
    var locale = Locale(identifier: "de_DE")
    var index = IndexPath(indexes: [1, 2])
    var floats: [Float] = [1, -0.0, .infinity]
    var doubles: [Double] = [.pi, -.zero]
    var bools = [true, false]
    var small: UInt8 = 255
    var large = Int64.min
    var unsigned = UInt.max
    var optionalDate: Date?
  }

  @Test func valuesOfFoundationComeBack() throws {
    let value = Values()
    let copy = try codableCopy([value])
    #expect(copy == [value])
    #expect(copy[0].doubles[1].sign == .minus)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Wide: Codable, Equatable {
    var signed = Int128.min
    var unsigned: UInt128? = UInt128.max
    var list: [Int128] = [1, -1]
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func integersOf128BitsComeBack() throws { #expect(try codableCopy([Wide()]) == [Wide()]) }

  struct Tree: Codable, Equatable {
    var name: String
    var children: [Tree] = []
  }

  @Test func manyShapesAndManyFieldsComeBack() throws {
    var tree = Tree(name: "root")
    for index in 0..<200 { tree.children.append(Tree(name: "\(index)", children: [Tree(name: "x")])) }
    #expect(try codableCopy(tree) == tree)
    // 1,000 keys that come in another order each time, more than one shape takes.
    let keys = (0..<1_000).map { "key \($0)" }
    let table = Table(rows: (0..<3).map { row in Dictionary(uniqueKeysWithValues: keys.map { ($0, row) }) })
    #expect(try codableCopy(table) == table)
  }

  /// Encodes its rows key by key.
  struct Table: Codable, Equatable {
    struct Row: Codable, Equatable {
      var values: [String: Int]

      init(_ values: [String: Int]) { self.values = values }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArchiveKey.self)
        values = [:]
        for key in container.allKeys { values[key.stringValue] = try container.decode(Int.self, forKey: key) }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ArchiveKey.self)
        for (key, value) in values { try container.encode(value, forKey: ArchiveKey(stringValue: key)) }
      }
    }

    var rows: [Row]

    init(rows: [[String: Int]]) { self.rows = rows.map(Row.init) }
  }
}

extension CodableModelTests.Tagged {
  struct Key: RawRepresentable, Codable, Hashable { var rawValue: Int }
}
