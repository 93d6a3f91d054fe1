import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Of which nothing is kept.
final class Fleeting: Encodable {}

/// Nested containers that are written at once, and graphs that are encoded anew because that was too early.
@Suite("Codable in archives: nested containers at once")
struct NestedRecordTests {
  /// Each field is a super encoder's, for containers with keys of two types.
  private struct Supers: Encodable {
    var names: Range<Int>
    enum Key: String, CodingKey { case a }
    enum Other: String, CodingKey { case a }

    struct Super: Encodable {
      var name: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        let upper = container.superEncoder(forKey: AnyKey(stringValue: "\(name)"))
        if name % 2 == 0 {
          var container = upper.container(keyedBy: Key.self)
          try container.encode(1, forKey: .a)
        } else {
          var container = upper.container(keyedBy: Other.self)
          try container.encode(1, forKey: .a)
        }
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(names.map(Super.init))
    }
  }

  @Test func anEncoderWithTooManyFieldsOfOtherGraphsMakesTheBytesOfANewOne() throws {
    let many = Supers(names: 1_000..<1_950)
    let encoder = GEncoder(options: [], userInfo: [:], binaryIOVersion: 0)
    let index = try encoder.encodeGraph { try $0.writeRoot(codable: many) }
    let fresh = try GraphEncoder().archive(EncodedGraph(encoder, index)) as Bytes
    for _ in 0..<10 {
      // Whatever idle encoder is taken, it knows these.
      _ = try GraphEncoder().encode(codable: Supers(names: 0..<100)) as Bytes
      #expect(try GraphEncoder().encode(codable: many) as Bytes == fresh)
    }
  }

  /// Goes on with a container after it has ended.
  private struct InTurns: Encodable {
    final class Counter { var count = 0 }
    static let key = CodingUserInfoKey(rawValue: "counter")!
    var part: Fleeting?

    func encode(to encoder: any Encoder) throws {
      (encoder.userInfo[Self.key] as? Counter)?.count += 1
      var container = encoder.container(keyedBy: Key.self)
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(part, forKey: .b)
      try container.encode(1, forKey: .b)
      try nested.encode(2, forKey: .c)
    }
  }

  @Test func valuesAreEncodedTwiceAtMostAndNotKept() throws {
    let counter = InTurns.Counter()
    let encoder = GraphEncoder()
    encoder.userInfo[InTurns.key] = counter
    weak var kept: Fleeting?
    try {
      let part = Fleeting()
      kept = part
      _ = try encoder.encode(codable: Array(repeating: InTurns(part: part), count: 3)) as Bytes
    }()
    #expect(kept == nil)
    #expect(counter.count == 1 + 3)
    let dump = try encoder.dump(codable: InTurns())
    #expect(dump.contains("2"), "\(dump)")
  }

  @Test func aListAfterFieldsWithKeysCountsFromItsBeginning() throws {
    struct Part: Encodable {
      func encode(to encoder: any Encoder) throws { PathLog.note(encoder.codingPath, encoder.userInfo) }
    }
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Key.self)
        try keyed.encode(1, forKey: .a)
        var list = encoder.unkeyedContainer()
        try list.encode(Part())
        try list.encode(Part())
      }
    }
    let encoder = GraphEncoder()
    let log = PathLog()
    encoder.userInfo[PathLog.key] = log
    _ = try encoder.encode(codable: Mixed()) as Bytes
    #expect(log.paths == ["Index 0", "Index 1"])
  }

  private struct Deep: Codable, Equatable {
    var depth: Int
    init(depth: Int) { self.depth = depth }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      guard container.contains(.a) else {
        depth = 0
        return
      }
      let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .a)
      depth = try nested.decode(Self.self, forKey: .b).depth + 1
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      guard depth > 0 else { return }
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      try nested.encode(Self(depth: depth - 1), forKey: .b)
    }
  }

  @Test func containersCountAsLevels() throws {
    for depth in [1, 20_000] {
      #expect(try codableCopy(Deep(depth: depth), depth: .max) == Deep(depth: depth))
    }
    let error = #expect(throws: GCodableError.self) { try codableCopy(Deep(depth: 65_536), depth: .max) }
    #expect(error?.code == .limitExceeded)
  }
}
