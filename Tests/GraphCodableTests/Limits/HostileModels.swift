import Foundation
import GraphCodable

/// Types that archives of a few bytes fill.
enum Hostile {
  struct Nothing: GCodable {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  /// As an object of `Later` with nothing behind it.
  struct NilNext: GEncodable {
    private enum Key: String { case next }
    func encode(to encoder: GEncoder) throws { try encoder.encode(Later?.none, for: Key.next) }
  }

  /// As `@GCodable` writes the coding of a class whose properties have initial values.
  final class Initial: GDecodable {
    private enum Key: String { case number, vector }
    private var number = 1.0
    private var vector = SIMD64<Double>()
    init(from decoder: GDecoder) throws {
      if let value = try decoder.decodeIfPresent(like: number, for: Key.number) { number = value }
      if let value = try decoder.decodeIfPresent(like: vector, for: Key.vector) { vector = value }
    }
  }

  /// Plain work.
  struct Round: GCodable {
    private enum Key: String { case number, text }
    let number: Int
    init(number: Int) { self.number = number }
    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Key.number)
      let _: String = try decoder.decode(for: Key.text)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Key.number)
      try encoder.encode("text of \(number)", for: Key.text)
    }
  }

  final class Wide: GDecodable {
    private let values = (SIMD64<Double>.zero, SIMD64<Double>.zero)
    init(from decoder: GDecoder) throws {}
  }

  final class Later: GCodable {
    private enum Key: String { case next }
    private var next: Later?
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(Later?.self, for: Key.next) { self.next = $0 }
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(next, for: Key.next) }
  }

  struct Unit<Element: BinaryIOType>: GBinaryCodable {
    private let elements: [Element]
    init(elements: [Element]) { self.elements = elements }
    init(from rbuffer: inout BinaryReadBuffer) throws { elements = try [Element](from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try elements.write(to: &wbuffer) }
  }

  final class Small: GDecodable {
    init(from decoder: GDecoder) throws {}
  }

  enum Suit: String, GCodable, BinaryIOType {
    case hearts, spades, clubs, diamonds
  }

  enum CodableSuit: String, Codable {
    case hearts, spades, clubs, diamonds
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  class Optionals: Codable {
    var a: Int?, b: Int?, c: Int?, d: Int?, e: Int?, f: Int?, g: Int?, h: Int?, i: Int?, j: Int?, k: Bool?,
      l: Bool?
  }

  indirect enum Anything: Codable {
    case flag(Bool), number(Double), text(String), list([Anything]), table([String: Anything])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Anything].self) {
        self = .list(list)
      } else {
        self = .table(try container.decode([String: Anything].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .flag(let flag): try container.encode(flag)
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .list(let list): try container.encode(list)
      case .table(let table): try container.encode(table)
      }
    }
  }

  struct OptionalValues: Codable {
    var a: Int?, b: Int?, c: Int?, d: Int?, e: Int?, f: Int?, g: Int?, h: Int?, i: Int?, j: Int?, k: Bool?,
      l: Bool?
  }

  /// A dictionary that decodes itself.
  struct Pairs: GDecodable {
    init(from decoder: GDecoder) throws { _ = try [String: String](from: decoder) }
  }

  final class Name: GCodable, Hashable {
    private enum Key: String { case text }
    private let text: String
    init(_ text: String) { self.text = text }
    init(from decoder: GDecoder) throws { text = try decoder.decode(for: Key.text) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(text, for: Key.text) }
    static func == (one: Name, other: Name) -> Bool { one.text == other.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}
