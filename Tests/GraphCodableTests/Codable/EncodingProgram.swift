import Foundation
import GraphCodableTestSupport

/// A value that fills containers of all sorts in a random order, as no reasonable type does; the same for the same seed.
struct EncodingProgram: Encodable {
  var seed: UInt64
  /// Containers that have been gone on from are used again.
  var goesBack: Bool
  /// How many steps it takes; values inside it take fewer.
  var stepCount: Int
  /// How many different keys there are.
  var keyCount = 40

  func encode(to encoder: any Encoder) throws {
    PathLog.note(encoder.codingPath, encoder.userInfo)
    var run = Run(program: self, random: SplitMix64(seed: seed))
    run.open(encoder)
    for _ in 0..<stepCount { try run.step() }
  }

  /// A container that is being filled.
  private enum Place {
    case keyed(KeyedEncodingContainer<AnyKey>, Keys)
    case unkeyed(any UnkeyedEncodingContainer)
    case single(any SingleValueEncodingContainer, Keys)
  }

  /// Those that have been used.
  private final class Keys { var used: Set<String> = [] }

  private struct Run {
    let program: EncodingProgram
    var random: SplitMix64
    var places: [Place] = []

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func open(_ encoder: any Encoder) {
      switch number(7) {
      case 0...2: places.append(.keyed(encoder.container(keyedBy: AnyKey.self), Keys()))
      case 3...5: places.append(.unkeyed(encoder.unkeyedContainer()))
      default: places.append(.single(encoder.singleValueContainer(), Keys()))
      }
    }

    mutating func step() throws {
      let index: Int
      if program.goesBack {
        index = number(places.count)
      } else {
        // The innermost, or one of those around it, which ends those inside.
        index = max(0, places.count - 1 - (number(3) == 0 ? number(3) : 0))
        places.removeLast(places.count - 1 - index)
      }
      switch places[index] {
      case .keyed(var container, let keys): try fill(&container, keys)
      case .unkeyed(var container):
        try fill(&container)
        places[index] = .unkeyed(container)
      case .single(var container, let keys):
        guard keys.used.insert("").inserted else { return }
        try container.encode(value)
      }
    }

    private var value: EncodingProgram {
      mutating get {
        EncodingProgram(
          seed: random.next(), goesBack: program.goesBack, stepCount: program.stepCount / 4,
          keyCount: program.keyCount)
      }
    }

    private mutating func fill(_ container: inout KeyedEncodingContainer<AnyKey>, _ keys: Keys) throws {
      let key = AnyKey(stringValue: "key \(number(program.keyCount))")
      guard keys.used.insert(key.stringValue).inserted else { return }
      switch number(9) {
      case 0: try container.encode(number(1_000), forKey: key)
      case 1: try container.encode("text \(number(9))", forKey: key)
      case 2: try container.encodeNil(forKey: key)
      case 3: try container.encodeIfPresent(number(2) == 0 ? nil : [number(9), 2], forKey: key)
      case 4: try container.encode(["a": [true]], forKey: key)
      case 5: try container.encode(value, forKey: key)
      case 6:
        places.append(.keyed(container.nestedContainer(keyedBy: AnyKey.self, forKey: key), Keys()))
      case 7: places.append(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
      default: open(container.superEncoder(forKey: key))
      }
    }

    private mutating func fill(_ container: inout any UnkeyedEncodingContainer) throws {
      switch number(9) {
      case 0: try container.encode(number(1_000))
      case 1: try container.encode("text \(number(9))")
      case 2: try container.encodeNil()
      case 3: try container.encode([[String]]())
      case 4: try container.encode(["a": [true]])
      case 5: try container.encode(value)
      case 6: places.append(.keyed(container.nestedContainer(keyedBy: AnyKey.self), Keys()))
      case 7: places.append(.unkeyed(container.nestedUnkeyedContainer()))
      default:
        // In JSON it is put into the list when it ends, behind what has been encoded since.
        if !program.goesBack { open(container.superEncoder()) }
      }
    }
  }
}

/// What a program has encoded, as it shows when it is tried.
indirect enum EncodedTree: Decodable, Equatable {
  case none
  case flag(Bool)
  case number(Int)
  case text(String)
  case list([EncodedTree])
  case object([String: EncodedTree])

  init(from decoder: any Decoder) throws {
    PathLog.note(decoder.codingPath, decoder.userInfo)
    if var list = try? decoder.unkeyedContainer() {
      var elements: [Self] = []
      while !list.isAtEnd { elements.append(try list.decode(Self.self)) }
      self = .list(elements)
    } else if let object = try? decoder.container(keyedBy: AnyKey.self) {
      let pairs = try object.allKeys.map { ($0.stringValue, try object.decode(Self.self, forKey: $0)) }
      self = .object(Dictionary(uniqueKeysWithValues: pairs))
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .none
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }
}

/// The paths of values that have been coded.
///
/// Used by one thread at a time.
final class PathLog: @unchecked Sendable {
  private(set) var paths: Set<String> = []

  static let key = CodingUserInfoKey(rawValue: "paths")!

  static func note(_ path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) {
    (userInfo[key] as? PathLog)?.paths.insert(path.map(\.stringValue).joined(separator: "."))
  }
}
