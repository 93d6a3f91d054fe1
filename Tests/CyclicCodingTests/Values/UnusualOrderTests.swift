import CyclicCoding
import Foundation
import Testing

/// Containers that are requested again, replaced or kept mean what they mean for `JSONEncoder`.
@Suite("CyclicCoding: unusual orders")
struct UnusualOrderTests {
  enum Key: String, CodingKey { case a, b, c, d }

  /// Encodes as a test says.
  struct Scripted: Encodable {
    let body: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  struct Point: Codable { var x = 1, y = 2 }

  final class Leaf: Codable {}

  /// Encoded under the key `a`, or as the value itself, before a container is asked for there.
  static let orders: [String: Scripted] = [
    "two nested containers under one key": Scripted {
      var container = $0.container(keyedBy: Key.self)
      var first = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try first.encode(1, forKey: .b)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try second.encode(2, forKey: .c)
      try first.encode(3, forKey: .d)
    },
    "two lists under one key": Scripted {
      var container = $0.container(keyedBy: Key.self)
      var first = container.nestedUnkeyedContainer(forKey: .a)
      try first.encode(1)
      var second = container.nestedUnkeyedContainer(forKey: .a)
      try second.encode(2)
      try first.encode(3)
    },
    "a value after a container": Scripted {
      var container = $0.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(1, forKey: .b)
      try container.encode("last", forKey: .a)
      try container.encode("other", forKey: .b)
    },
    "a container after a value": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encode("first", forKey: .b)
      try container.encode(Point(), forKey: .a)
      try container.encode("other", forKey: .c)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(3, forKey: .b)
    },
    "a list after a list": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encode([1, 2], forKey: .a)
      var nested = container.nestedUnkeyedContainer(forKey: .a)
      try nested.encode(3)
      var inner = nested.nestedUnkeyedContainer()
      try inner.encode(4)
    },
    "keys beside a single value": Scripted {
      var single = $0.singleValueContainer()
      try single.encode(Point())
      var container = $0.container(keyedBy: Key.self)
      try container.encode("extra", forKey: .a)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .b)
      try nested.encode(5, forKey: .c)
    },
    "elements beside a single value": Scripted {
      var single = $0.singleValueContainer()
      try single.encode([1, 2])
      var container = $0.unkeyedContainer()
      var nested = container.nestedUnkeyedContainer()
      try nested.encode(3)
    },
    "a container where a super encoder has been": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try Point().encode(to: container.superEncoder(forKey: .a))
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(3, forKey: .b)
    },
    "a super encoder in place of a container": Scripted {
      var container = $0.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(3, forKey: .b)
      try Point().encode(to: container.superEncoder(forKey: .a))
    },
    "keys in many containers": Scripted {
      var container = $0.container(keyedBy: Key.self)
      for number in 1...3 {
        for key in [Key.d, .a, .c, .b] {
          var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
          try nested.encode(number, forKey: [Key.a, .b, .c][number - 1])
        }
      }
      try container.encode("last", forKey: .c)
    },
    "a container below many others": Scripted {
      var container = $0.container(keyedBy: Key.self)
      for _ in 0..<100 { container = container.nestedContainer(keyedBy: Key.self, forKey: .a) }
      try container.encode(Point(), forKey: .b)
      for _ in 0..<2 {
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .b)
        try nested.encode(1, forKey: .c)
      }
    },
  ]

  /// What JSON makes of the same value as a dictionary of anything.
  struct Stored: Decodable, Equatable {
    private var text = ""

    private struct AnyKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: AnyKey.self) {
        let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
        for key in keys {
          text += "\(key.stringValue): \(try container.decode(Stored.self, forKey: key).text), "
        }
        text = "{\(text)}"
      } else if var container = try? decoder.unkeyedContainer() {
        while !container.isAtEnd { text += try container.decode(Stored.self).text + ", " }
        text = "[\(text)]"
      } else {
        let container = try decoder.singleValueContainer()
        text = (try? container.decode(Int.self)).map(String.init) ?? ""
        if text.isEmpty { text = try container.decode(String.self) }
      }
    }
  }

  @Test(arguments: orders.keys.sorted())
  func meansWhatItMeansInJSON(name: String) throws {
    let value = try #require(Self.orders[name])
    // In a list, so that the second value starts with the keys of the first.
    let expected = try JSONDecoder().decode([Stored].self, from: JSONEncoder().encode([value, value]))
    for coder in allWays {
      #expect(try copy([value, value], as: [Stored].self, through: coder) == expected)
    }
  }

  static let misuses: [String: Scripted] = [
    "keys beside a number": Scripted {
      var single = $0.singleValueContainer()
      try single.encode(1)
      var container = $0.container(keyedBy: Key.self)
      _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      _ = container.superEncoder()
    },
    "elements beside keys": Scripted {
      var single = $0.singleValueContainer()
      try single.encode(Point())
      var container = $0.unkeyedContainer()
      var nested = container.nestedUnkeyedContainer()
      #expect(throws: EncodingError.self) { try nested.encode(3) }
      _ = container.superEncoder()
    },
    "a list where there are keys": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encode(Point(), forKey: .a)
      var nested = container.nestedUnkeyedContainer(forKey: .a)
      #expect(throws: EncodingError.self) { try nested.encode(3) }
    },
    "keys where there is a list": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encode([1], forKey: .a)
      _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
    },
    "keys where there is nil": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encodeNil(forKey: .a)
      _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
    },
    "keys where there is an object": Scripted {
      var container = $0.container(keyedBy: Key.self)
      try container.encode(Leaf(), forKey: .a)
      _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
    },
  ]

  @Test(arguments: misuses.keys.sorted())
  func whatJSONEncoderTrapsAtThrows(name: String) throws {
    let value = try #require(Self.misuses[name])
    #expect(throws: EncodingError.self) { try CyclicEncoder().flatten(value) }
    #expect(throws: EncodingError.self) { try CyclicEncoder().flatten(["a": [value]]) }
  }

  // MARK: What is kept too long

  fileprivate final class Kept: @unchecked Sendable {
    var encoders: [any Encoder] = []
    var keyed: KeyedEncodingContainer<Key>?
    var unkeyed: (any UnkeyedEncodingContainer)?
    var decoders: [any Decoder] = []
    var keyedDecoder: KeyedDecodingContainer<Key>?
  }

  @Test(arguments: [false, true])
  func encodersThatAreKeptThrow(fails: Bool) throws {
    let kept = Kept()
    let value = Scripted {
      kept.encoders.append($0)
      var container = $0.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      kept.encoders.append(nested.superEncoder())
      try container.encode(Leaf(), forKey: .b)
      kept.unkeyed = container.nestedUnkeyedContainer(forKey: .c)
      kept.keyed = container
      if fails { throw CancellationError() }
    }
    let leaf = Leaf()
    let flattened = try? CyclicEncoder().flatten([value, value])
    #expect((flattened == nil) == fails)
    for encoder in kept.encoders {
      _ = encoder.codingPath
      var single = encoder.singleValueContainer()
      #expect(throws: EncodingError.self) { try single.encode(Leaf()) }
      #expect(throws: EncodingError.self) { try single.encodeNil() }
      var keyed = encoder.container(keyedBy: Key.self)
      #expect(throws: EncodingError.self) { try keyed.encode(1, forKey: .a) }
      var nested = keyed.nestedUnkeyedContainer(forKey: .d)
      #expect(throws: EncodingError.self) { try nested.encode([Leaf()]) }
      var unkeyed = encoder.unkeyedContainer()
      #expect(throws: EncodingError.self) { try unkeyed.encode("x") }
      #expect(throws: EncodingError.self) { try Point().encode(to: unkeyed.superEncoder()) }
      #expect(throws: EncodingError.self) { try WeakCycleBreaker(leaf).encode(to: encoder) }
    }
    #expect(throws: EncodingError.self) { try kept.keyed?.encode(Leaf(), forKey: .d) }
    #expect(throws: EncodingError.self) { try kept.keyed?.encodeNil(forKey: .a) }
    #expect(throws: EncodingError.self) { try kept.unkeyed?.encode(1) }
    if let flattened { #expect(try JSONEncoder().encode(flattened).count > 0) }
  }

  @Test(arguments: [false, true])
  func decodersThatAreKeptThrow(fails: Bool) throws {
    let key = try #require(CodingUserInfoKey(rawValue: "kept"))
    struct Keeping: Codable {
      var leaf = Leaf()
      var number = 1
      var fails = false
      private enum CodingKeys: String, CodingKey { case leaf = "a", number = "b", fails = "c" }
      init(fails: Bool) { self.fails = fails }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kept = decoder.userInfo[CodingUserInfoKey(rawValue: "kept")!] as? Kept
        kept?.decoders += [decoder, try container.superDecoder(forKey: .leaf)]
        kept?.keyedDecoder = try decoder.container(keyedBy: Key.self)
        if try container.decode(Bool.self, forKey: .fails) { throw CancellationError() }
      }
    }
    let kept = Kept()
    let one = Keeping(fails: fails)
    let decoder = CyclicDecoder()
    decoder.userInfo[key] = kept
    let result = try? decoder.decode([Keeping].self, from: CyclicEncoder().flatten([one, one]))
    #expect((result == nil) == fails)
    for decoder in kept.decoders {
      _ = decoder.codingPath
      let single = try decoder.singleValueContainer()
      #expect(throws: DecodingError.self) { try single.decode(Leaf.self) }
      #expect(throws: DecodingError.self) { try single.decode(Int.self) }
      #expect(throws: DecodingError.self) { try decoder.container(keyedBy: Key.self) }
      #expect(throws: DecodingError.self) { try decoder.unkeyedContainer() }
      #expect(throws: DecodingError.self) { try WeakCycleBreaker<Leaf>(from: decoder) }
    }
    #expect(throws: DecodingError.self) { try kept.keyedDecoder?.decode(Leaf.self, forKey: .a) }
    #expect(throws: DecodingError.self) { try kept.keyedDecoder?.decode(Int.self, forKey: .b) }
  }
}
