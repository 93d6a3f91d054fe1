import Testing

@Suite("@GCodable: what it writes")
struct ExpansionTests {
  @Test func plainStructGetsAListOfItsFields() {
    expectExpansion(
      """
      @GCodable
      public struct Point {
        var x: Double
        @GKey("label") let name: String?
        var count = -3
        @GDefault(Unit.metre) var unit: Unit
      }
      """,
      """
      public struct Point {
        var x: Double
        let name: String?
        var count = -3
        var unit: Unit
      }

      extension Point: GraphCodable.GEncodable, GraphCodable.GDecodable {
        public static var _graphIsFieldwise: Swift.Bool { true }
        public static var _graphFieldwise: (any GraphCodable.GEncodable.Type)? { Self.self }

        public static func _graphAddFields(to list: inout GraphCodable._GraphFieldList) throws {
          list.add("x", \\Self.x)
          list.addOptional("label", \\Self.name)
          try list.add("count", \\Self.count, missing: -3)
          try list.add("unit", \\Self.unit, missing: Unit.metre)
        }

        public func encode(to encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.encode(self, to: encoder) }
        public func _graphWrite(_ encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.write(self, encoder) }
        public func _graphWritePlain(_ encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.writePlain(self, encoder) }

        public init(from decoder: GraphCodable.GDecoder) throws { self = try GraphCodable._GraphFieldList.decode(from: decoder) }
        public static func _graphRead(_ decoder: GraphCodable.GDecoder, _ kind: GraphCodable.GraphKind) throws -> Self {
          try GraphCodable._GraphFieldList.read(decoder, kind)
        }
      }
      """)
  }

  @Test func structWithOtherPropertiesIsCodedFieldByField() {
    expectExpansion(
      """
      @GCodable
      public struct Point {
        var x: Double
        let name: String?
        var count = standardCount
      }
      """,
      """
      public struct Point {
        var x: Double
        let name: String?
        var count = standardCount
      }

      extension Point: GraphCodable.GEncodable, GraphCodable.GDecodable {
        private enum GCodingKey: Swift.String {
          case x
          case name
          case count
        }

        public func encode(to encoder: GraphCodable.GEncoder) throws {
          try encoder.encode(self.x, for: GCodingKey.x)
          try encoder.encode(self.name, for: GCodingKey.name)
          try encoder.encode(self.count, for: GCodingKey.count)
        }

        public init(from decoder: GraphCodable.GDecoder) throws {
          self.x = try decoder.decode(for: GCodingKey.x)
          self.name = try decoder.decodeIfPresent(for: GCodingKey.name)
          if let value = try decoder.decodeIfPresent(like: self.count, for: GCodingKey.count) { self.count = value }
        }
      }
      """)
  }

  @Test func subclassCodesItsOwnPartFirstAndWhatWaitsLast() {
    expectExpansion(
      """
      @GCodable
      class Dog: Animal {
        weak var owner: Person?
        var tricks: [String]
      }
      """,
      """
      class Dog: Animal {
        weak var owner: Person?
        var tricks: [String]

        private enum GCodingKey: Swift.String {
          case owner
          case tricks
        }

        override func encode(to encoder: GraphCodable.GEncoder) throws {
          try encoder.encode(self.tricks, for: GCodingKey.tricks)
          try super.encode(to: encoder)
          try encoder.encodeConditional(self.owner, for: GCodingKey.owner)
        }

        required init(from decoder: GraphCodable.GDecoder) throws {
          self.tricks = try decoder.decode(for: GCodingKey.tricks)
          try super.init(from: decoder)
          try decoder.deferDecodeIfPresent(Person?.self, for: GCodingKey.owner) { self.owner = $0 }
        }
      }
      """, missing: [])
  }

  @Test func classReadsAnInitialValueBeforeItDecodesIt() {
    expectExpansion(
      """
      @GCodable
      final class Counter {
        private var counts = [1]
        @GKey(was: "title") var name = ""
      }
      """,
      """
      final class Counter {
        private var counts = [1]
        var name = ""

        private enum GCodingKey: Swift.String {
          case counts
          case name
          case name_was1 = "title"
        }

        func encode(to encoder: GraphCodable.GEncoder) throws {
          try encoder.encode(self.counts, for: GCodingKey.counts)
          try encoder.encode(self.name, for: GCodingKey.name)
        }

        init(from decoder: GraphCodable.GDecoder) throws {
          if let value = try decoder.decodeIfPresent(like: self.counts, for: GCodingKey.counts) { self.counts = value }
          if let value = try decoder.decodeIfPresent(like: self.name, for: GCodingKey.name) { self.name = value } else if let value = try decoder.decodeIfPresent(like: self.name, for: GCodingKey.name_was1) { self.name = value }
        }

        init() {}
      }

      extension Counter: GraphCodable.GEncodable, GraphCodable.GDecodable {}
      """)
  }

  @Test func subclassWithoutPropertiesInheritsEverything() {
    expectExpansion(
      """
      @GCodable
      final class Cat: Animal {
      }
      """,
      """
      final class Cat: Animal {
      }
      """, missing: [])
  }

  @Test func enumStoresTheNameOfTheCase() {
    expectExpansion(
      """
      @GCodable
      enum Figure {
        case point
        case circle(radius: Double)
        @GKey(was: "poly") case polygon([Int])
      }
      """,
      """
      enum Figure {
        case point
        case circle(radius: Double)
        case polygon([Int])
      }

      extension Figure: GraphCodable.GEncodable, GraphCodable.GDecodable {
        private enum GCodingKey: Swift.String {
          case `radius`
        }

        func encode(to encoder: GraphCodable.GEncoder) throws {
          switch self {
          case .point:
            try encoder.encode("point")
          case .circle(radius: let value0):
            try encoder.encode("circle")
            try encoder.encode(value0, for: GCodingKey.`radius`)
          case .polygon(let value0):
            try encoder.encode("polygon")
            try encoder.encode(value0)
          }
        }

        init(from decoder: GraphCodable.GDecoder) throws {
          let name: Swift.String = try decoder.decode()
          func unknown(_ name: Swift.String) -> GraphCodable.GCodableError {
            GraphCodable.GCodableError(
              .invalidValue, "there is no case \\"\\(name)\\"", typeName: Swift.String(reflecting: Self.self))
          }
          switch name {
          case "point":
            self = .point
          case "circle":
            self = try .circle(radius: decoder.decode(for: GCodingKey.`radius`))
          case "polygon", "poly":
            self = try .polygon(decoder.decode())
          default: throw unknown(name)
          }
        }
      }
      """)
  }

  @Test func rawEnumNeedsTheConformanceAlone() {
    expectExpansion(
      """
      @GCodable
      enum Level: Int {
        case low, high
      }
      """,
      """
      enum Level: Int {
        case low, high
      }

      extension Level: GraphCodable.GEncodable, GraphCodable.GDecodable {}
      """)
  }

  @Test func olderKeysAreTriedInOrder() {
    expectExpansion(
      """
      @GCodable
      struct Versioned {
        @GKey(was: "len") var length: Int
        @GKey("t", was: "text", "title") var name = "n"
      }
      """,
      """
      struct Versioned {
        var length: Int
        var name = "n"
      }

      extension Versioned: GraphCodable.GEncodable, GraphCodable.GDecodable {
        private enum GCodingKey: Swift.String {
          case length
          case length_was1 = "len"
          case name = "t"
          case name_was1 = "text"
          case name_was2 = "title"
        }

        func encode(to encoder: GraphCodable.GEncoder) throws {
          try encoder.encode(self.length, for: GCodingKey.length)
          try encoder.encode(self.name, for: GCodingKey.name)
        }

        init(from decoder: GraphCodable.GDecoder) throws {
          self.length = try decoder.decode(for: GCodingKey.length, default: decoder.decode(for: GCodingKey.length_was1, default: decoder.decode(for: GCodingKey.length)))
          if let value = try decoder.decodeIfPresent(like: self.name, for: GCodingKey.name) { self.name = value } else if let value = try decoder.decodeIfPresent(like: self.name, for: GCodingKey.name_was1) { self.name = value } else if let value = try decoder.decodeIfPresent(like: self.name, for: GCodingKey.name_was2) { self.name = value }
        }
      }
      """)
  }

  @Test func genericStructIsCodedWhereItsParametersAre() {
    expectExpansion(
      """
      @GCodable
      struct Box<Tag, Value> {
        var value: [Value]
      }
      """,
      """
      struct Box<Tag, Value> {
        var value: [Value]
      }

      extension Box: GraphCodable.GEncodable, GraphCodable.GDecodable where Value: GraphCodable.GEncodable, Value: GraphCodable.GDecodable {
        static var _graphIsFieldwise: Swift.Bool { true }
        static var _graphFieldwise: (any GraphCodable.GEncodable.Type)? { Self.self }

        static func _graphAddFields(to list: inout GraphCodable._GraphFieldList) throws {
          list.add("value", \\Self.value)
        }

        func encode(to encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.encode(self, to: encoder) }
        func _graphWrite(_ encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.write(self, encoder) }
        func _graphWritePlain(_ encoder: GraphCodable.GEncoder) throws { try GraphCodable._GraphFieldList.writePlain(self, encoder) }

        init(from decoder: GraphCodable.GDecoder) throws { self = try GraphCodable._GraphFieldList.decode(from: decoder) }
        static func _graphRead(_ decoder: GraphCodable.GDecoder, _ kind: GraphCodable.GraphKind) throws -> Self {
          try GraphCodable._GraphFieldList.read(decoder, kind)
        }
      }
      """)
  }

  @Test func packedStructNamesItsProperties() {
    expectExpansion(
      """
      @GPacked
      public struct Sample {
        var time: Double
        @GKey("n") var step: UInt64
      }
      """,
      """
      public struct Sample {
        var time: Double
        var step: UInt64
      }

      extension Sample: GraphCodable.GPackedStruct {
        public static let packedLayout = GraphCodable.PackedLayout<Sample>(\\.time, \\.step).named("time", "n")
      }
      """)
  }
}
