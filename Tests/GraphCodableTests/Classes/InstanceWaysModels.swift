import Foundation
import GraphCodable

/// Types that archives may name: none of them is private.
enum Ways {
  final class Registered: GCodable {
    let number: Int
    init(_ number: Int) { self.number = number }
    init(from decoder: GDecoder) throws { number = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
  }

  /// Replaced by `Lake`.
  final class Pond: GCodable, GObsolete {
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
    static var replacementType: any GDecodable.Type { Lake.self }
  }

  final class Lake: GCodable {
    let depth: Int
    init(_ depth: Int) { self.depth = depth }
    init(from decoder: GDecoder) throws { depth = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(depth) }
  }

  final class Pen: GCodable {
    let animal: Animal
    init(_ animal: Animal) { self.animal = animal }
    init(from decoder: GDecoder) throws { animal = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(animal) }
  }

  struct Box: GCodable {
    let loop: Loop
    init(_ loop: Loop) { self.loop = loop }
    init(from decoder: GDecoder) throws { loop = try decoder.decode() }
    func encode(to encoder: GEncoder) throws { try encoder.encode(loop) }
  }

  final class Loop: GCodable {
    private enum Key: String { case next }
    private var next: Loop?
    init() {}
    init(from decoder: GDecoder) throws {
      try decoder.deferDecode(Loop?.self, for: Key.next) { self.next = $0 }
    }
    func encode(to encoder: GEncoder) throws { try encoder.encode(next, for: Key.next) }
  }

  final class Link: GCodable {
    private enum Key: String { case next }
    private var next: Link?
    init(_ next: Link?) { self.next = next }
    init(from decoder: GDecoder) throws { next = try decoder.decode(for: Key.next) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(next, for: Key.next) }
    static func chain(_ count: Int) -> Link { (0..<count).reduce(Link(nil)) { link, _ in Link(link) } }
  }

  final class Fox: WaysWild {
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
  }

  final class Grade: RawRepresentable, GCodable {
    let rawValue: Int
    init?(rawValue: Int) { self.rawValue = rawValue }
  }

  final class Unit: GBinaryCodable {
    private let number: Int
    init(_ number: Int) { self.number = number }
    init(from rbuffer: inout BinaryReadBuffer) throws { number = try Int(from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { number.write(to: &wbuffer) }
  }

  /// Writes what a `Unit` does, as a value.
  struct Lone: GBinaryCodable {
    private let number: Int
    init(_ number: Int) { self.number = number }
    init(from rbuffer: inout BinaryReadBuffer) throws { number = try Int(from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { number.write(to: &wbuffer) }
  }

  struct Units: GBinaryCodable {
    private let units: [Unit]
    init(_ units: [Unit]) { self.units = units }
    init(from rbuffer: inout BinaryReadBuffer) throws { units = try [Unit](from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try units.write(to: &wbuffer) }
  }

  struct Maybe: GBinaryCodable {
    private let unit: Unit?
    init(_ unit: Unit?) { self.unit = unit }
    init(from rbuffer: inout BinaryReadBuffer) throws { unit = try Unit?(from: &rbuffer) }
    func write(to wbuffer: inout BinaryWriteBuffer) throws { try unit.write(to: &wbuffer) }
  }

  final class Point: Codable { var x = 0 }
  struct PointValue: Codable { var x: Int }

  final class Number: Codable {
    private let value: Int
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
  }

  struct Hangar: GCodable {
    private enum Key: String { case plane }
    let plane: Plane
    init(plane: Plane) { self.plane = plane }
    init(from decoder: GDecoder) throws { plane = try decoder.decode(codable: Plane.self, for: Key.plane) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(codable: plane, for: Key.plane) }
  }

  struct Later: GCodable {
    private enum Key: String { case value }
    let value: GLazy<[Animal]>
    init(value: GLazy<[Animal]>) { self.value = value }
    init(from decoder: GDecoder) throws { value = try decoder.decode(for: Key.value) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(value, for: Key.value) }
  }

  struct Later2: GCodable {
    private enum Key: String { case value }
    let value: GLazy<Units>
    init(value: GLazy<Units>) { self.value = value }
    init(from decoder: GDecoder) throws { value = try decoder.decode(for: Key.value) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(value, for: Key.value) }
  }
}

protocol WaysWild: AnyObject, GCodable {}
