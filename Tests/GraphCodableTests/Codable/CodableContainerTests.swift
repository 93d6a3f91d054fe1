import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// The promises of `Encoder` and `Decoder` to types with their own coding.
@Suite("Codable in archives: containers")
struct CodableContainerTests {
  @Test func keysCanBeRequestedInAnyOrderAndRepeatedly() throws {
    try Scripted.copy { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      try container.encode("two", forKey: .b)
      try container.encodeNil(forKey: .c)
      try container.encodeIfPresent(Int?.none, forKey: .d)
    } _: { decoder in
      let container = try decoder.container(keyedBy: Key.self)
      for _ in 0..<2 {
        #expect(try container.decode(String.self, forKey: .b) == "two")
        #expect(try container.decode(Int.self, forKey: .a) == 1)
        #expect((try? container.decode(String.self, forKey: .a)) == nil)
        #expect(try container.decode(Int.self, forKey: .a) == 1)
        #expect(try container.decodeIfPresent(Int.self, forKey: .none) == nil)
        #expect(try container.decodeIfPresent(Int.self, forKey: .c) == nil)
        #expect(try container.decodeIfPresent(Date.self, forKey: .d) == nil)
        #expect(container.contains(.c) && !container.contains(.d) && !container.contains(.none))
        #expect(try container.decodeNil(forKey: .c) && !container.decodeNil(forKey: .a))
        #expect(container.allKeys == [.a, .b, .c])
      }
      let other = try decoder.container(keyedBy: AnyKey.self)
      #expect(try other.decode(Int8.self, forKey: "a") == 1)
      #expect(other.allKeys.map(\.stringValue) == ["a", "b", "c"])
    }
  }

  @Test func nestedContainersMayBeFilledAndReadInTurns() throws {
    try Scripted.copy { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var left = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      var right = container.nestedUnkeyedContainer(forKey: .b)
      try left.encode(1, forKey: .a)
      try right.encode("x")
      try container.encode(true, forKey: .c)
      var inner = right.nestedContainer(keyedBy: AnyKey.self)
      try left.encode([2.5], forKey: .b)
      try inner.encode(Date(timeIntervalSinceReferenceDate: 3), forKey: "date")
      try right.encodeNil()
      var list = right.nestedUnkeyedContainer()
      try list.encode(contentsOf: [1, 2, 3])
      try left.encodeNil(forKey: .c)
      #expect(right.count == 4 && list.count == 3)
    } _: { decoder in
      let container = try decoder.container(keyedBy: Key.self)
      let left = try container.nestedContainer(keyedBy: Key.self, forKey: .a)
      var right = try container.nestedUnkeyedContainer(forKey: .b)
      #expect(right.count == 4)
      #expect(try right.decode(String.self) == "x")
      #expect(try left.decode([Double].self, forKey: .b) == [2.5])
      #expect(try container.decode(Bool.self, forKey: .c))
      let inner = try right.nestedContainer(keyedBy: AnyKey.self)
      #expect(try left.decode(Int.self, forKey: .a) == 1)
      #expect(try inner.decode(Date.self, forKey: "date") == Date(timeIntervalSinceReferenceDate: 3))
      #expect(try right.decodeNil())
      var list = try right.nestedUnkeyedContainer()
      #expect(right.isAtEnd && right.currentIndex == 4)
      #expect(try [list.decode(Int.self), list.decode(Int.self), list.decode(Int.self)] == [1, 2, 3])
      #expect(try left.decodeNil(forKey: .c))
      #expect(inner.codingPath.map(\.stringValue) == ["b", "Index 1"])
      #expect(list.codingPath.map(\.intValue) == [nil, 3])
    }
  }

  @Test func superEncodersGoUnderTheirKeys() throws {
    try Scripted.copy { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var upper = container.superEncoder().container(keyedBy: Key.self)
      try upper.encode(1, forKey: .a)
      var single = container.superEncoder(forKey: .b).singleValueContainer()
      try single.encode("text")
      var list = container.nestedUnkeyedContainer(forKey: .c)
      try [1, 2].encode(to: list.superEncoder())
    } _: { decoder in
      let container = try decoder.container(keyedBy: Key.self)
      let upper = try container.superDecoder().container(keyedBy: Key.self)
      #expect(try upper.decode(Int.self, forKey: .a) == 1)
      #expect(upper.codingPath.map(\.stringValue) == ["super"])
      #expect(try container.superDecoder(forKey: .b).singleValueContainer().decode(String.self) == "text")
      var list = try container.nestedUnkeyedContainer(forKey: .c)
      #expect(try [Int](from: list.superDecoder()) == [1, 2])
      #expect(throws: DecodingError.self) { try container.superDecoder(forKey: .d) }
    }
  }

  @Test(arguments: [3, 300, 3_000])
  func unkeyedContainersMayBeOfAnyLength(count: Int) throws {
    try Scripted.copy { encoder in
      var container = encoder.unkeyedContainer()
      for index in 0..<count {
        if index % 3 == 0 { try container.encode("\(index)") } else { try container.encode(index) }
        #expect(container.count == index + 1)
      }
    } _: { decoder in
      var container = try decoder.unkeyedContainer()
      #expect(container.count == count)
      for index in 0..<count {
        #expect((try? container.decode(Bool.self)) == nil)
        if index % 3 == 0 {
          #expect(try container.decode(String.self) == "\(index)")
        } else {
          #expect(try container.decode(Int.self) == index)
        }
      }
      #expect(container.isAtEnd)
      let error = #expect(throws: DecodingError.self) { try container.decode(Int.self) }
      #expect(error.map(description) == "valueNotFound at [\(count)]")
    }
  }

  /// As JSON libraries have it: what it is shows when it is tried.
  indirect enum Loose: Codable, Equatable {
    case null, flag(Bool), number(Int), real(Double), text(String), list([Loose]), object([String: Loose])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .flag(value)
      } else if let value = try? container.decode(Int.self) {
        self = .number(value)
      } else if let value = try? container.decode(Double.self) {
        self = .real(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode([Loose].self) {
        self = .list(value)
      } else {
        self = .object(try container.decode([String: Loose].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .flag(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .real(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .list(let value): try container.encode(value)
      case .object(let value): try container.encode(value)
      }
    }
  }

  @Test func valuesThatAreTriedOneTypeAfterTheOtherComeBack() throws {
    let value = Loose.object([
      "a": .list([.null, .number(1), .real(0.5), .text("x"), .list([]), .object([:])]), "b": .flag(true),
    ])
    #expect(try codableCopy(value) == value)
  }

  struct Point: Codable, Equatable {
    var x: Int
    var y: Int
  }

  /// Encodes through a container, decodes directly; and the other way round.
  struct Wrapper: Codable, Equatable {
    var point: Point
    init(_ point: Point) { self.point = point }
    init(from decoder: any Decoder) throws { point = try Point(from: decoder) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(point)
    }
  }

  struct Unwrapper: Codable, Equatable {
    var point: Point
    init(_ point: Point) { self.point = point }
    init(from decoder: any Decoder) throws { point = try decoder.singleValueContainer().decode(Point.self) }
    func encode(to encoder: any Encoder) throws { try point.encode(to: encoder) }
  }

  @Test func aSingleValueIsTheValueItself() throws {
    let points = (0..<3).map { Point(x: $0, y: 5) }
    #expect(try codableCopy(points.map(Wrapper.init)) == points.map(Wrapper.init))
    #expect(try codableCopy(points.map(Unwrapper.init)) == points.map(Unwrapper.init))
    #expect(try codableCopy(points.map(Unwrapper.init), as: [Point].self) == points)
    #expect(try codableCopy(points, as: [Wrapper].self) == points.map(Wrapper.init))
  }

  /// Encodes a list as a whole, decodes it one by one.
  struct Stepwise: Codable, Equatable {
    var lists: [[Int]]
    var texts: [String]
    var spots: [Point]

    private enum CodingKeys: CodingKey { case lists, texts, spots }

    init(lists: [[Int]], texts: [String], spots: [Point]) {
      (self.lists, self.texts, self.spots) = (lists, texts, spots)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      lists = []
      texts = []
      spots = []
      var outer = try container.nestedUnkeyedContainer(forKey: .lists)
      while !outer.isAtEnd {
        var inner = try outer.nestedUnkeyedContainer()
        var list: [Int] = []
        while !inner.isAtEnd { list.append(try inner.decode(Int.self)) }
        lists.append(list)
      }
      var names = try container.nestedUnkeyedContainer(forKey: .texts)
      while !names.isAtEnd { texts.append(try names.decode(String.self)) }
      var list = try container.nestedUnkeyedContainer(forKey: .spots)
      while !list.isAtEnd {
        let point = try list.nestedContainer(keyedBy: AnyKey.self)
        spots.append(
          Point(x: try point.decode(Int.self, forKey: "x"), y: try point.decode(Int.self, forKey: "y")))
      }
    }
  }

  /// Encodes a list as its only element, or as itself.
  struct Listed: Codable, Equatable {
    var list: [Int]
    var isElement: Bool

    init(_ list: [Int], isElement: Bool) { (self.list, self.isElement) = (list, isElement) }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      isElement = container.count == 1
      list =
        try isElement
        ? container.decode([Int].self) : [container.decode(Int.self), container.decode(Int.self)]
    }

    func encode(to encoder: any Encoder) throws {
      if isElement {
        var container = encoder.unkeyedContainer()
        try container.encode(list)
      } else {
        var container = encoder.singleValueContainer()
        try container.encode(list)
      }
    }
  }

  @Test func listsMayBeReadOneByOne() throws {
    let value = Stepwise(
      lists: [[1, -2], [], Array(0..<5_000)], texts: ["a", ""], spots: [Point(x: 1, y: 2), Point(x: 3, y: 4)])
    #expect(try codableCopy([value]) == [value])
    let listed = [Listed([1, 2], isElement: true), Listed([3, 4], isElement: false)]
    #expect(try codableCopy(listed) == listed)
  }

  @Test(arguments: [0, 1, 3, 5_000]) func numbersMayBecomeAnotherContainer(_ count: Int) throws {
    let numbers = Array(-1..<count - 1)
    #expect(try codableCopy(numbers, as: Set<Int>.self) == Set(numbers))
    #expect(try codableCopy(numbers, as: [Int?].self) == numbers)
    #expect(
      try codableCopy(numbers, as: ContiguousArray<Int64?>.self) == ContiguousArray(numbers.map(Int64.init)))
    #expect(try codableCopy(Set(numbers), as: [Int].self).sorted() == numbers)
    let reals = numbers.map(Double.init)
    #expect(try codableCopy(reals, as: [Meters].self) == reals.map(Meters.init))
    #expect(try codableCopy(reals, as: Set<Double?>.self) == Set(reals))
    struct Lists: Encodable { var list: [Int], optional: [Int]?, none: [Int]? }
    struct Sets: Decodable { var list: Set<Int>, optional: Set<Int>?, none: Set<Int>? }
    let sets = try codableCopy(Lists(list: numbers, optional: numbers, none: nil), as: Sets.self)
    #expect(sets.list == Set(numbers) && sets.optional == sets.list && sets.none == nil)
    #expect(try codableCopy([[numbers]], as: [[Set<Int?>]].self) == [[Set(numbers)]])
    #expect(
      try codableCopy(["a": numbers], as: [String: Set<Int64>].self) == ["a": Set(numbers.map(Int64.init))])
  }

  @Test func aListOfOneIsNoSingleValueAndNoneHasNoKeys() throws {
    struct Empty: Codable {}
    func refuses<Result: Decodable>(_ type: Result.Type, _ value: some Encodable) {
      let error = #expect(throws: DecodingError.self) { try codableCopy(value, as: type) }
      #expect(error.map(description)?.hasPrefix("typeMismatch") == true, "\(type)")
    }
    /// Encoded by `encode(to:)` of its value, so as one of the containers and not as a list.
    struct Itself<Value: Encodable>: Encodable {
      var value: Value
      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
    refuses(Int.self, Itself(value: [5]))
    refuses(Int?.self, Itself(value: [5]))
    refuses(Meters.self, Itself(value: [5.5]))
    refuses([Int].self, Itself(value: 5))
    refuses([Int].self, Empty())
    refuses([Meters].self, Empty())
    refuses([String: Meters].self, Itself(value: [Int]()))
    refuses([String: Int].self, Itself(value: [Int]()))
    #expect(try codableCopy(Itself(value: [5]), as: [Int].self) == [5])
    #expect(try codableCopy(Itself(value: [Int]()), as: Set<Int>.self) == [])
    #expect(try codableCopy(Itself(value: [5.5]), as: [Meters].self) == [Meters(rawValue: 5.5)])
    #expect(try codableCopy(Empty(), as: [String: Int].self) == [:])
  }

  @Test func listsThatGCodableTypesAreMadeOfAreListsForCodableOnes() throws {
    struct Made<Elements: GEncodable>: GEncodable {
      var elements: Elements
      func encode(to encoder: GEncoder) throws { try elements.encode(to: encoder) }
    }
    struct Wanted<Elements: Decodable>: Decodable {
      var elements: Elements
      init(from decoder: any Decoder) throws { elements = try Elements(from: decoder) }
    }
    func copy<Elements: GEncodable & Decodable>(_ elements: Elements) throws -> Elements {
      let bytes = try GraphEncoder().encode(Made(elements: elements)) as Bytes
      return try GraphDecoder().decode(codable: Wanted<Elements>.self, from: bytes).elements
    }
    for numbers in [[], [1], [1, 2]] {
      #expect(try copy(numbers) == numbers)
      #expect(try copy(ContiguousArray(numbers)) == ContiguousArray(numbers))
      #expect(try copy(Set(numbers)) == Set(numbers))
      let dates = numbers.map { (Date(timeIntervalSinceReferenceDate: Double($0)), $0) }
      let dictionary = Dictionary(uniqueKeysWithValues: dates)
      #expect(try copy(dictionary) == dictionary)
    }
    #expect(try copy([String: Int]()) == [:])
  }

  @Test func equalNumbersAreNoSet() throws {
    let error = #expect(throws: (any Error).self) { try codableCopy([1, 2, 1], as: Set<Int>.self) }
    #expect(error.map { "\($0)" }?.contains("equal") == true)
    let mismatch = #expect(throws: DecodingError.self) {
      try codableCopy(["a": [0.5]], as: [String: Set<String>].self)
    }
    #expect(mismatch.map(description)?.hasPrefix("typeMismatch") == true)
  }

  /// Each of its elements has a container of its own.
  struct Nested: Codable, Equatable {
    var events: [CodableModelTests.Event]

    init(_ events: [CodableModelTests.Event]) { self.events = events }

    init(from decoder: any Decoder) throws {
      events = []
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd {
        let element = try container.nestedContainer(keyedBy: AnyKey.self)
        events.append(try element.decode(CodableModelTests.Event.self, forKey: "event"))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for event in events {
        var element = container.nestedContainer(keyedBy: AnyKey.self)
        try element.encode(event, forKey: "event")
      }
    }
  }

  /// In time that grows with their number: this many would take minutes otherwise.
  @Test func manyNestedContainersComeBack() throws {
    let value = Nested((0..<20_000).map { .move(x: Double($0), y: 0, by: nil) })
    #expect(try codableCopy(value) == value)
  }

  struct Meters: Codable, Equatable, RawRepresentable { var rawValue: Double }

  @Test func wrappingAFieldOrUnwrappingItKeepsArchivesReadable() throws {
    struct Old: Codable { var length: Double }
    struct New: Codable { var length: Meters }
    #expect(try codableCopy([Old(length: 2)], as: [New].self)[0].length == Meters(rawValue: 2))
    #expect(try codableCopy([New(length: Meters(rawValue: 2))], as: [Old].self)[0].length == 2)
  }

  @Test func lossyListsContinueAfterARefusedElement() throws {
    struct Anything: Decodable {}
    try Scripted.copy { encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      try container.encode(Point(x: 1, y: 2))
      try container.encode("x")
      try container.encode(2)
    } _: { decoder in
      var container = try decoder.unkeyedContainer()
      var numbers: [Int] = []
      while !container.isAtEnd {
        if let number = try? container.decode(Int.self) {
          numbers.append(number)
        } else {
          _ = try container.decode(Anything.self)
        }
      }
      #expect(numbers == [1, 2])
    }
  }
}
