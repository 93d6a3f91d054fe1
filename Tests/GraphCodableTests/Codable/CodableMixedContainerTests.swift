import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Values that ask for several containers: JSON has all of it, or JSON traps and an archive throws or has all of it.
@Suite("Codable in archives: several containers")
struct CodableMixedContainerTests {
  /// What a value does with its encoder, one after the other.
  enum Step: CaseIterable {
    case keys, moreKeys, elements, noElements, dictionary, wrapped, record, list, number, none, text, parts

    /// What JSON makes of it at first; nil where it is nothing that can be added to.
    var form: Form? {
      switch self {
      case .keys, .moreKeys, .dictionary, .wrapped, .record, .parts: .keys
      case .elements, .noElements, .list: .elements
      case .number, .none, .text: nil
      }
    }

    /// Whether it takes all of the encoder.
    var isSingle: Bool {
      switch self {
      case .keys, .moreKeys, .elements, .noElements, .parts: false
      default: true
      }
    }

    func encode(to encoder: any Encoder) throws {
      var single = encoder.singleValueContainer()
      switch self {
      case .keys:
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .a)
      case .moreKeys:
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("two", forKey: .b)
      case .elements:
        var container = encoder.unkeyedContainer()
        try container.encode(3)
        var nested = container.nestedContainer(keyedBy: Key.self)
        try nested.encode(4, forKey: .a)
      case .noElements: _ = encoder.unkeyedContainer()
      case .dictionary: try single.encode(["c": 5, "d": 6])
      case .wrapped: try single.encode([String: Int]?.some(["e": 7]))
      case .record: try single.encode(Record())
      case .list: try single.encode([8, 9])
      case .number: try single.encode(10)
      case .none: try single.encodeNil()
      case .text: try single.encode("eleven")
      case .parts:
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedUnkeyedContainer(forKey: .none)
        try nested.encode(12)
      }
    }
  }

  enum Form { case keys, elements }

  struct Record: Encodable {
    var f = [13]
    var g: Int?
  }

  struct Steps: Encodable, CustomStringConvertible {
    var steps: [Step]

    func encode(to encoder: any Encoder) throws { for step in steps { try step.encode(to: encoder) } }

    var description: String { "\(steps)" }

    /// Whether `JSONEncoder` takes them; it traps where not.
    var areForJSON: Bool {
      let forms = Set(steps.map { $0.form })
      guard let form = forms.first, forms.count == 1, form != nil || steps.count == 1 else { return false }
      return steps.dropFirst().allSatisfy { !$0.isSingle }
    }

    /// Whether a key comes twice, other than that of a nested container, which goes on.
    var hasEqualKeys: Bool {
      let keyed = steps.filter { $0.form == .keys && $0 != .parts }
      return Set(keyed).count < keyed.count
    }
  }

  static let all: [Steps] = Step.allCases.flatMap { one in
    [Steps(steps: [one])]
      + Step.allCases.flatMap { two in
        [Steps(steps: [one, two])] + Step.allCases.map { Steps(steps: [one, two, $0]) }
      }
  }

  @Test(arguments: [[], .canonicalOrder] as [GraphEncoder.Options])
  func nothingIsLost(_ options: GraphEncoder.Options) throws {
    #expect(Self.all.count { $0.areForJSON && !$0.hasEqualKeys } > 50)
    for steps in Self.all {
      // In a list with others, so that shapes are there already.
      let values = [Steps(steps: [.keys]), steps, Steps(steps: [.dictionary]), Steps(steps: [.list]), steps]
      let copy = Result { try codableCopy(values, as: [EncodedTree].self, options) }
      if steps.hasEqualKeys {
        let error = #expect(throws: (any Error).self, "\(steps)") { try copy.get() }
        #expect((error as? GCodableError)?.code == .duplicateKey || !steps.areForJSON, "\(steps)")
      } else if steps.areForJSON {
        let json = try JSONDecoder().decode([EncodedTree].self, from: JSONEncoder().encode(values))
        #expect(try copy.get() == json, "\(steps)")
      } else if steps.steps.contains(where: { $0.isSingle }) && !steps.isAmended {
        #expect(throws: EncodingError.self, "\(steps)") { try copy.get() }
      } else {
        // Keys and elements, for both of which JSON has no place.
        _ = try codableCopy(steps, as: Both.self, options).check(steps)
      }
    }
  }

  @Test func addedElementsFollowAndAreCounted() throws {
    nonisolated(unsafe) var counts: [Int] = []
    try Scripted.copy { encoder in
      // The second time counts.
      counts = []
      var single = encoder.singleValueContainer()
      try single.encode([1, 2])
      var first = encoder.unkeyedContainer()
      counts.append(first.count)
      try first.encode(3)
      var second = encoder.unkeyedContainer()
      counts.append(second.count)
      try second.encode(4)
      try first.encode(5)
      counts += [first.count, second.count]
    } _: { decoder in
      let numbers = try [Int](from: decoder)
      #expect(numbers == [1, 2, 3, 4, 5])
      let container = try decoder.singleValueContainer()
      #expect(try container.decode([Int].self) == numbers)
    }
    #expect(counts == [2, 3, 5, 5])
  }

  @Test func aValueInTheMiddleThrowsWithItsPath() throws {
    struct Outer: Encodable { var inner = Steps(steps: [.number, .keys]) }
    let error = #expect(throws: EncodingError.self) { try GraphEncoder().encode(codable: [Outer()]) as Bytes }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "inner"])
  }

  /// Keys and elements of one value.
  struct Both: Decodable {
    var keys: Set<String> = []
    var elementCount = 0

    init(from decoder: any Decoder) throws {
      keys = Set(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
      if let container = try? decoder.unkeyedContainer() { elementCount = container.count ?? 0 }
    }

    func check(_ steps: Steps) {
      var wanted: Set<String> = []
      var count = 0
      for step in steps.steps {
        switch step {
        case .keys: wanted.insert("a")
        case .moreKeys: wanted.insert("b")
        case .parts: wanted.insert("none")
        case .dictionary: wanted.formUnion(["c", "d"])
        case .wrapped: wanted.insert("e")
        case .record: wanted.insert("f")
        case .elements: count += 2
        case .list: count += 2
        case .noElements, .number, .none, .text: break
        }
      }
      #expect(keys == wanted && elementCount == count, "\(steps)")
    }
  }
}

extension CodableMixedContainerTests.Steps {
  /// Whether the only single value comes first, and has parts.
  fileprivate var isAmended: Bool {
    steps[0].isSingle && steps[0].form != nil && steps.dropFirst().allSatisfy { !$0.isSingle }
  }
}
