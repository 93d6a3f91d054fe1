import CyclicCoding
import Foundation
import Testing

/// What types find in their encoder and decoder, and what happens when they misuse them.
@Suite("CyclicCoding: coders")
struct CoderTests {
  // MARK: userInfo

  private static let unit = CodingUserInfoKey(rawValue: "unit")!

  struct Length: Codable {
    var value: Double
    final class Box: Codable { var length = Length(value: 1) }

    init(value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
      let factor = try #require(decoder.userInfo[CoderTests.unit] as? Double)
      value = try decoder.singleValueContainer().decode(Double.self) / factor
    }

    func encode(to encoder: any Encoder) throws {
      let factor = try #require(encoder.userInfo[CoderTests.unit] as? Double)
      var container = encoder.singleValueContainer()
      try container.encode(value * factor)
    }
  }

  @Test func userInfoReachesAllTypes() throws {
    let encoder = CyclicEncoder()
    encoder.userInfo[Self.unit] = 1000.0
    let flattened = try encoder.flatten([Length.Box()])
    #expect("\(flattened)" == "referenced: [],\nroot: [{ length: 1000.0 }]")
    let decoder = CyclicDecoder()
    decoder.userInfo[Self.unit] = 10.0
    #expect(try decoder.decode([Length.Box].self, from: flattened)[0].length.value == 100)
  }

  // MARK: Coding paths

  /// Says where it stands, or throws there.
  struct Probe: Codable {
    var fails = false

    struct Failure: Error {
      let path: [String]
    }

    init(fails: Bool = false) { self.fails = fails }

    init(from decoder: any Decoder) throws {
      let path = decoder.codingPath.map(\.stringValue)
      if try decoder.singleValueContainer().decode([String].self) != path { throw Failure(path: path) }
    }

    func encode(to encoder: any Encoder) throws {
      let path = encoder.codingPath.map(\.stringValue)
      if fails { throw Failure(path: path) }
      var container = encoder.singleValueContainer()
      #expect(container.codingPath.map(\.stringValue) == path)
      try container.encode(path)
    }
  }

  final class Holder<Content: Codable>: Codable {
    var first: Holder<Content>?
    var contents: [Content]
    init(_ contents: [Content], first: Holder? = nil) {
      self.contents = contents
      self.first = first
    }
  }

  struct Root: Codable {
    var before = "x"
    var table: [String: [Holder<Probe>]]
  }

  @Test func codingPathsLeadThroughObjects() throws {
    let root = Root(table: ["a": [Holder([]), Holder([Probe()], first: Holder([Probe(), Probe()]))]])
    let flattened = try CyclicEncoder().flatten(root)
    #expect("\(flattened)".contains(#""table", "a", "Index 1", "first", "contents", "Index 1""#))
    _ = try CyclicDecoder().decode(Root.self, from: flattened)
    let stored = try JSONDecoder().decode(FlattenedContainer.self, from: JSONEncoder().encode(flattened))
    _ = try CyclicDecoder().decode(Root.self, from: stored)
  }

  @Test func errorsOfTypesComeThroughWithTheirPath() throws {
    let root = Root(table: ["a": [Holder([Probe()], first: Holder([Probe(), Probe(fails: true)]))]])
    let failure = try #require(
      #expect(throws: Probe.Failure.self) { try CyclicEncoder().flatten(root) })
    #expect(failure.path == ["table", "a", "Index 0", "first", "contents", "Index 1"])
  }

  @Test func decodingErrorsNameTheirPath() throws {
    let flattened = try CyclicEncoder().flatten(
      ["a": [Holder([1]), Holder([2], first: Holder([3, 1000]))]])
    let error = try #require(
      #expect(throws: DecodingError.self) {
        try CyclicDecoder().decode([String: [Holder<Int8>]].self, from: flattened)
      })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1", "first", "contents", "Index 1"])
    #expect(context.codingPath.last?.intValue == 1)
    #expect(context.debugDescription.contains("1000"))
  }

  @Test func missingKeysAndElementsAreErrors() throws {
    struct One: Codable { var a = 1 }
    struct Two: Codable { var a = 1, b = 2 }
    let flattened = try CyclicEncoder().flatten([One()])
    let error = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode([Two].self, from: flattened) })
    guard case .keyNotFound(let key, let context) = error else { throw error }
    #expect(key.stringValue == "b" && context.codingPath.map(\.stringValue) == ["Index 0"])

    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(One.self)
        _ = try container.decode(One.self)
      }
    }
    let otherError = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Pair.self, from: flattened) })
    guard case .valueNotFound(_, let otherContext) = otherError else { throw otherError }
    #expect(otherContext.codingPath.map(\.stringValue) == ["Index 1"])
  }

  @Test func caughtErrorsLeaveTheDecoderWhole() throws {
    struct Lenient: Decodable {
      var number: Int?
      var holder: Holder<Int>
      enum Key: CodingKey { case number, holder }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        number = try? container.decode(Int.self, forKey: .number)
        #expect(throws: DecodingError.self) { try container.decode(Holder<String>.self, forKey: .holder) }
        holder = try container.decode(Holder<Int>.self, forKey: .holder)
      }
    }
    struct Encoded: Encodable {
      var number = "five"
      var holder = Holder([5])
      var again: [Holder<Int>]
      init() { again = [holder] }
    }
    let lenient = try CyclicDecoder().decode(Lenient.self, from: CyclicEncoder().flatten(Encoded()))
    #expect(lenient.number == nil && lenient.holder.contents == [5])
  }

  // MARK: Keys

  @Test func keyEncodedTwiceHasTheLastValue() throws {
    struct Twice: Encodable {
      let count: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for value in [1, 2] {
          for number in 0..<count {
            try container.encode(value * 1000 + number, forKey: AnyKey("k\(number)"))
          }
        }
      }
    }
    for count in [1, 2, 16, 17, 40] {
      let expected = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", 2000 + $0) })
      // Twice, so that the second has the keys that the first one leads to expect.
      let copies = try copy(
        [Twice(count: count), Twice(count: count)], as: [[String: Int]].self, through: .json)
      #expect(copies == [expected, expected])
    }
  }

  @Test func valuesWithDifferentKeysKeepTheirs() throws {
    var tables: [[String: Int]] = []
    for number in 0..<200 {
      tables.append(
        Dictionary(uniqueKeysWithValues: (0..<number % 23).map { ("k\($0 * (number % 3))-\($0)", $0) }))
    }
    struct Sparse: Codable, Equatable {
      var a: Int?
      var b: Int?
      var c: Int?
      var d: Int?
    }
    let sparse = (0..<64).map { bits in
      Sparse(a: bits & 1 == 0 ? nil : 1, b: bits & 2 == 0 ? nil : 2, c: bits & 4 == 0 ? nil : 3, d: bits)
    }
    for coder in allWays {
      #expect(try copy(tables, through: coder) == tables)
      #expect(try copy(sparse, through: coder) == sparse)
    }
  }

  @Test func manyKeysAreFoundInAnyOrder() throws {
    struct Backwards: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        #expect(container.allKeys.count == 5000)
        for number in (0..<5000).reversed() {
          #expect(try container.decode(Int.self, forKey: AnyKey("\(number)")) == number)
        }
        #expect(!container.contains(AnyKey("5000")))
        #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: AnyKey("x")) }
      }
    }
    let table = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("\($0)", $0) })
    _ = try copy(table, as: Backwards.self, through: nil)
  }

  struct AnyKey: CodingKey {
    let stringValue: String
    init(_ text: String) { stringValue = text }
    var intValue: Int? { nil }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  // MARK: Misuse

  /// Encodes in a way that `Codable` does not allow.
  struct Misuse: Encodable {
    let body: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  static let misuses = [
    Misuse {
      _ = $0.container(keyedBy: AnyKey.self)
      _ = $0.unkeyedContainer()
    },
    Misuse {
      _ = $0.unkeyedContainer()
      _ = $0.container(keyedBy: AnyKey.self)
    },
    Misuse {
      var container = $0.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    },
    Misuse {
      var container = $0.unkeyedContainer()
      try container.encode(1)
      var other = $0.singleValueContainer()
      try other.encodeNil()
    },
    Misuse {
      var container = $0.unkeyedContainer()
      let encoder = container.superEncoder()
      _ = encoder.unkeyedContainer()
      _ = encoder.container(keyedBy: AnyKey.self)
    },
  ]

  // By index, because arguments that are `Encodable` are encoded to name the test case.
  @Test(arguments: misuses.indices)
  func mixingContainersThrows(index: Int) {
    let misuse = Self.misuses[index]
    #expect(throws: EncodingError.self) { try CyclicEncoder().flatten(["a": misuse]) }
    #expect(throws: EncodingError.self) { try CyclicEncoder().flatten(misuse) }
  }

  @Test func encodingNothingIsAnEmptyValue() throws {
    let nothing = Misuse { _ in }
    #expect("\(try CyclicEncoder().flatten([nothing]))" == "referenced: [],\nroot: [{  }]")
    let superclass = Misuse {
      var container = $0.unkeyedContainer()
      _ = container.superEncoder()
    }
    #expect("\(try CyclicEncoder().flatten(superclass))" == "referenced: [],\nroot: [{  }]")
  }
}
