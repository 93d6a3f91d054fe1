import GraphCodable
import CyclicCoding
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Errors as users of `Codable` know them, misuse, and archives that were never written.
@Suite("Codable in archives: errors")
struct CodableErrorTests {
  struct Inner: Codable {
    var number: Int
    var text: String?
  }

  struct Outer: Codable {
    var list: [Inner]
    var table: [String: Inner] = [:]
  }

  /// The same keys with other types, and one more.
  struct Other: Codable {
    struct Inner: Codable {
      var number: String
    }
    var list: [Inner]
  }

  struct More: Codable {
    struct Inner: Codable {
      var number: Int
      var extra: Double
    }
    var list: [Inner]
  }

  struct Required: Codable {
    struct Inner: Codable {
      var number: Int
      var text: String
    }
    var list: [Inner]
  }

  struct Narrow: Codable {
    struct Inner: Codable {
      var number: Int8
    }
    var list: [Inner]
  }

  private func error<Result: Decodable>(
    _ type: Result.Type, from value: some Encodable
  ) throws -> String {
    description(try #require(throws: (any Error).self) { try codableCopy(value, as: type) })
  }

  @Test func errorsNameWhatIsWrongAndWhere() throws {
    let outer = Outer(list: [Inner(number: 1, text: "a"), Inner(number: 300)])
    #expect(try error(Other.self, from: outer) == "typeMismatch at list.[0].number")
    #expect(try error(More.self, from: outer) == "keyNotFound \"extra\" at list.[0]")
    #expect(try error(Required.self, from: outer) == "keyNotFound \"text\" at list.[1]")
    #expect(try error(Narrow.self, from: outer) == "dataCorrupted at list.[1].number")
    #expect(try error([Outer].self, from: outer) == "typeMismatch at ")
    #expect(try error(Int.self, from: outer) == "typeMismatch at ")
    #expect(try error(Outer.self, from: 5) == "typeMismatch at ")
    #expect(try error(Outer.self, from: Outer?.none) == "valueNotFound at ")
    #expect(try error([String: Inner].self, from: ["a": Inner?.none]) == "valueNotFound at a")
  }

  final class Node: Codable {
    var inner: Inner
    var next: Node?

    init(_ inner: Inner, _ next: Node? = nil) {
      self.inner = inner
      self.next = next
    }
  }

  struct Refuses: Codable {
    init() {}
    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no"))
    }
    func encode(to encoder: any Encoder) throws {
      if encoder.userInfo.isEmpty { return }
      throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "no"))
    }
  }

  struct Holder<Value: Codable>: Codable {
    var value: Value
  }

  @Test func codingPathsLeadThroughObjectsAndContainers() throws {
    let value = Holder(value: ["k": [Holder(value: Refuses())]])
    let bytes = try GraphEncoder().encode(codable: value) as Bytes
    let decodingError = #expect(throws: DecodingError.self) {
      try GraphDecoder().decode(codable: Holder<[String: [Holder<Refuses>]]>.self, from: bytes)
    }
    #expect(decodingError.map(description) == "dataCorrupted at value.k.[0].value")

    let encoder = GraphEncoder()
    encoder.userInfo[CodingUserInfoKey(rawValue: "refuse")!] = true
    let encodingError = #expect(throws: EncodingError.self) { try encoder.encode(codable: value) as Bytes }
    guard case .invalidValue(_, let context) = encodingError else { return }
    #expect(
      context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == [
        "value", "k", "0", "value",
      ])

    final class Link: Codable {
      var refuses = Refuses()
      var next: Link?
    }
    final class Chain: Codable {
      var name = ""
      var link = Link()
    }
    GTypesRepository.shared.register(codable: Link.self)
    GTypesRepository.shared.register(codable: Chain.self)
    #expect(try error([Chain].self, from: [Chain()]) == "dataCorrupted at [0].link.refuses")
  }

  // MARK: Misuse

  @Test func whatIsUsedOutOfItsTurnThrows() throws {
    nonisolated(unsafe) var kept: (any Encoder)?
    nonisolated(unsafe) var container: KeyedEncodingContainer<Key>?
    nonisolated(unsafe) var nested: (any UnkeyedEncodingContainer)?
    _ = try Scripted.archive { encoder in
      kept = encoder
      container = encoder.container(keyedBy: Key.self)
      nested = container?.nestedUnkeyedContainer(forKey: .a)
      try nested?.encode(1)
    }
    #expect(throws: EncodingError.self) { try container?.encode(1, forKey: .b) }
    #expect(throws: EncodingError.self) { try container?.encode([1], forKey: .b) }
    #expect(throws: EncodingError.self) { try nested?.encode(1) }
    #expect(throws: EncodingError.self) {
      var single = nested?.superEncoder().singleValueContainer()
      try single?.encodeNil()
    }
    #expect(throws: EncodingError.self) { try Inner(number: 1).encode(to: #require(kept)) }
    #expect(throws: EncodingError.self) {
      var container = container?.nestedContainer(keyedBy: Key.self, forKey: .c)
      try container?.encode(1, forKey: .a)
    }

    nonisolated(unsafe) var decoder: (any Decoder)?
    nonisolated(unsafe) var reading: KeyedDecodingContainer<AnyKey>?
    nonisolated(unsafe) var list: (any UnkeyedDecodingContainer)?
    try Scripted.read(Scripted.archive { try ["a": [1, 2]].encode(to: $0) }) {
      decoder = $0
      reading = try $0.container(keyedBy: AnyKey.self)
      list = try $0.superDecoderOrSelf().unkeyedContainer()
    }
    #expect(throws: DecodingError.self) { try reading?.decode([Int].self, forKey: "a") }
    #expect(reading?.contains("a") == false && reading?.allKeys.isEmpty == true)
    #expect(throws: DecodingError.self) { try list?.decode(Int.self) }
    #expect(throws: DecodingError.self) { try decoder?.container(keyedBy: Key.self) }
    #expect(throws: DecodingError.self) { try decoder?.singleValueContainer().decode(Int.self) }
  }

  @Test func aKeyThatIsUsedTwiceIsAnError() throws {
    let error = #expect(throws: GCodableError.self) {
      try Scripted.archive { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .a)
        try container.encode(2, forKey: .a)
      }
    }
    #expect(error?.code == .duplicateKey)
  }

  private final class Hidden: Codable {}

  /// The encoder cannot name its class.
  @Test func errorsOfConditionalReferencesAreNotLost() {
    for isNested in [false, true] {
      let error = #expect(throws: GCodableError.self) {
        try Scripted.archive { encoder in
          var container = encoder.container(keyedBy: Key.self)
          if isNested { _ = container.nestedContainer(keyedBy: Key.self, forKey: .d) }
          try? container.encodeConditional(Hidden(), forKey: .a)
          try container.encode(1, forKey: .b)
        }
      }
      #expect(error?.code == .classNotConstructible)
      #expect(throws: GCodableError.self) {
        try Scripted.archive { encoder in
          var container = encoder.unkeyedContainer()
          try? container.encodeConditional(Hidden())
          try container.encode(1)
        }
      }
    }
  }

  @Test func aSuperEncoderForAKeyThatIsTakenIsAnError() {
    let error = #expect(throws: GCodableError.self) {
      try Scripted.archive { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .a)
        _ = container.superEncoder(forKey: .a)
      }
    }
    #expect(error?.code == .duplicateKey)
  }

  @Test func aLongChainOfNestedContainersThrowsAndIsReleased() throws {
    #expect(throws: GCodableError.self) {
      try Scripted.archive { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 0..<200_000 { container = container.nestedUnkeyedContainer() }
        try container.encode(1)
      }
    }
  }

  // MARK: Forged archives

  /// Among the fields behind those that are in a shape, and in a dictionary.
  @Test func aKeyThatIsThereTwiceIsReportedOnce() throws {
    struct Keys: Decodable {
      var names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
      }
    }
    let keyCount = 260
    let record = try Forge(
      Scripted.archive { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        for index in 0..<keyCount { try container.encode(0, forKey: AnyKey(stringValue: "\(index)")) }
      })
    // A kind, the number of a key as a varint, the integer 0: four of them, whose keys have the numbers 1 to 4.
    let fields = try record.stream()
    #expect(fields.suffix(12) == [0x15, 0x03, 1, 0x15, 0x05, 1, 0x15, 0x07, 1, 0x15, 0x09, 1])
    for (key, count) in [(UInt8(0x03), keyCount - 1), (0x0B, keyCount - 1)] {
      var stream = fields
      stream[stream.count - 2] = key
      let keys = try GraphDecoder().decode(codable: Keys.self, from: record.replacingStream(with: stream))
      #expect(keys.names.count == count && Set(keys.names).count == count)
    }

    let dictionary = try Forge(GraphEncoder().encode(codable: ["ab": 1, "cd": 2]) as Bytes)
    var stream = try dictionary.stream()
    // Strings of two bytes: the second one becomes the first.
    let places = stream.indices.dropLast(1).filter {
      stream[$0...].starts(with: Array("ab".utf8)) || stream[$0...].starts(with: Array("cd".utf8))
    }
    try #require(places.count == 2)
    stream.replaceSubrange(places[1]..<places[1] + 2, with: stream[places[0]..<places[0] + 2])
    let keys = try GraphDecoder().decode(codable: Keys.self, from: dictionary.replacingStream(with: stream))
    #expect(keys.names.count == 1)
  }

  final class Member: Codable {
    var name: String
    var parent = WeakCycleBreaker<Member>()
    var members: [Member] = []
    var event: CodableModelTests.Event

    init(_ name: String, _ members: [Member] = []) {
      self.name = name
      self.members = members
      event = .batch([.start, .move(x: 1, y: 2, by: name)])
      for member in members { member.parent[] = self }
    }
  }

  @Test func forgedStreamsAreDecodedOrRefused() throws {
    let encoder = GraphEncoder()
    encoder.compression = .none
    let samples: [(Bytes, [any Decodable.Type])] = try [
      (
        encoder.encode(codable: Member("a", [Member("b", [Member("c")]), Member("d")])),
        [Member.self, Node.self, CodableContainerTests.Loose.self]
      ),
      (
        encoder.encode(codable: [CodableModelTests.Mixed()]),
        [[CodableModelTests.Mixed].self, [CodableContainerTests.Loose].self, [[String: Int]].self]
      ),
      (
        encoder.encode(
          codable: CodableModelTests.Table(rows: [
            Dictionary(uniqueKeysWithValues: (0..<300).map { ("\($0)", $0) })
          ])), [CodableModelTests.Table.self, Outer.self]
      ),
    ]
    var random = SplitMix64(seed: 300)
    for (bytes, types) in samples {
      let forge = try Forge(bytes)
      let stream = try forge.stream()
      for _ in 0..<(700 * ForgeryTests.factor) {
        var mutant = stream
        mutant.mutate(&random)
        let forged = try forge.replacingStream(with: mutant)
        for type in types { attack(forged, type) }
      }
    }
  }

  private func attack<Value: Decodable>(_ bytes: Bytes, _ type: Value.Type) {
    do {
      let value = try GraphDecoder().decode(codable: type, from: bytes)
      (value as? Member).map(close)
    } catch let error as GCodableError {
      if error.code == .internalInconsistency { Issue.record("\(error)") }
    } catch is DecodingError {
    } catch { Issue.record("not an error of Codable or of the package: \(error)") }
  }

  /// A forged graph may have cycles of strong references.
  private func close(_ member: Member) {
    let members = member.members
    member.members = []
    for member in members { close(member) }
  }

  /// A class that raises an error of `Codable`.
  final class Demanding: Codable {
    private enum CodingKeys: CodingKey { case missing }

    init() {}

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .missing)
    }

    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }
  }

  @Test("a GCodable type that meets an object of a Codable class throws an error of the library")
  func gCodableTypeAtCodableObject() throws {
    let bytes = try GraphEncoder().encode(codable: Demanding()) as Bytes
    #expect(throws: DecodingError.self) { try GraphDecoder().decode(codable: Demanding.self, from: bytes) }
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().decode([String].self, from: bytes) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.description.contains("Demanding") == true)
  }

  /// A class that the archive does not name.
  final class Ring: GCodable {
    private var next: Ring?

    init() {}
    init(from decoder: GDecoder) throws { try decoder.deferDecode { self.next = $0 } }
    func encode(to encoder: GEncoder) throws { try encoder.encode(next) }
  }

  @Test("a GCodable class that meets a Codable class, shared or not, throws an error of the library")
  func gCodableClassAtCodableObject() throws {
    let shared = Demanding()
    let root = try GraphEncoder().encode(codable: shared) as Bytes
    #expect(throws: GCodableError.self) { try GraphDecoder().decode(Ring.self, from: root) }
    let list = try GraphEncoder().encode(codable: [shared, shared]) as Bytes
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().decode([Ring].self, from: list) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.description.contains("Demanding") == true)
  }
}

extension Decoder {
  fileprivate func superDecoderOrSelf() throws -> any Decoder {
    try container(keyedBy: AnyKey.self).superDecoder(forKey: "a")
  }
}
