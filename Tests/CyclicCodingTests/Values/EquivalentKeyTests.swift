import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Keys keep their bytes, although Swift takes canonically equivalent strings for the same.
@Suite("CyclicCoding: equivalent keys")
struct EquivalentKeyTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  /// Foundation's binary property lists store equal strings once, and so replace some by equivalent ones.
  static let exactWays = allWays.filter { $0 != .binaryPropertyList }

  private func bytes(_ names: some Sequence<String>) -> [[UInt8]] { names.map { Array($0.utf8) } }

  @Test(arguments: exactWays)
  func keysOfDictionariesKeepTheirBytes(coder: AnyCoder?) throws {
    let dictionaries = [[Self.composed: 1], [Self.decomposed: 2], [Self.composed: 3]]
    let copies = try copy(dictionaries, through: coder)
    #expect(bytes(copies.flatMap(\.keys)) == bytes(dictionaries.flatMap(\.keys)))
  }

  @Test(arguments: exactWays)
  func laterKeysOfDictionariesKeepTheirBytes(coder: AnyCoder?) throws {
    /// Its keys are in order.
    struct Ordered: Codable {
      var names: [String]
      init(_ names: [String]) { self.names = names }
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for name in names { try container.encode(1, forKey: Key(stringValue: name)) }
      }
    }
    let lists = [["a", Self.composed], ["a", Self.decomposed], ["a", "b", Self.composed]].map(Ordered.init)
    #expect(bytes(try copy(lists, through: coder).flatMap(\.names)) == bytes(lists.flatMap(\.names)))
  }

  @Test(arguments: exactWays)
  func elementsAndValuesKeepTheirBytes(coder: AnyCoder?) throws {
    struct Model: Codable {
      var one: Set<String> = [EquivalentKeyTests.composed]
      var other: Set<String> = [EquivalentKeyTests.decomposed]
      var values = [EquivalentKeyTests.composed, EquivalentKeyTests.decomposed]
    }
    let (model, copy) = (Model(), try copy(Model(), through: coder))
    #expect(bytes(copy.one) == bytes(model.one) && bytes(copy.other) == bytes(model.other))
    #expect(bytes(copy.values) == bytes(model.values))
  }

  @Test func keysOfRawRepresentablesKeepTheirBytes() throws {
    struct Name: RawRepresentable, Hashable, Codable, CodingKeyRepresentable {
      var rawValue: String
    }
    let names = [[Name(rawValue: Self.composed): 1], [Name(rawValue: Self.decomposed): 1]]
    let copies = try copy(names, through: nil)
    #expect(bytes(copies.flatMap { $0.keys.map(\.rawValue) }) == bytes([Self.composed, Self.decomposed]))
  }

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes a value for each of some keys, by way of a nested container if there is a third one.
  struct Keys: Encodable {
    var names: [String]
    var isNested = false
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for name in names {
        if isNested {
          var nested = container.nestedUnkeyedContainer(forKey: Key(stringValue: name))
          try nested.encode(name)
        } else {
          try container.encode(name, forKey: Key(stringValue: name))
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func equivalentKeysBesideEachOtherAreRefused(isNested: Bool) throws {
    let few = [Self.composed, Self.decomposed]
    for names in [few, (0..<40).map { "\($0)" } + few, few.reversed() + ["a"]] {
      let error = try #require(
        #expect(throws: EncodingError.self) {
          try CyclicEncoder().flatten(Keys(names: names, isNested: isNested))
        })
      guard case .invalidValue(_, let context) = error else { throw error }
      #expect(context.debugDescription.contains("canonically equivalent"))
    }
  }

  @Test func aKeyThatIsSetAgainIsNoReasonToRefuse() throws {
    let flattened = try CyclicEncoder().flatten(Keys(names: [Self.composed, Self.composed]))
    #expect(flattened.root == .keyed([Self.composed: .string(Self.composed)]))
  }
}
