import GraphCodable
import CyclicCoding
import Foundation
import PolyCodable

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

extension FuzzTarget {
  /// The bytes of data units: one says the type, the others are read as a value of it.
  static let binary = FuzzTarget(
    name: "binary", form: .bytes,
    seeds: {
      try UnitType.all.enumerated().flatMap { number, type in
        try type.seeds().map { [UInt8(number)] + $0 }
      }
    },
    run: { bytes in
      guard let first = bytes.first else { return }
      try UnitType.all[Int(first) % UnitType.all.count].read(Bytes(bytes.dropFirst()))
    })

  /// Names of classes that the library would look up: Swift's runtime survives them.
  static let names = FuzzTarget(
    name: "names", form: .bytes,
    seeds: {
      let classes: [AnyClass] = [
        Tree.self, Dog.self, Box<Int>.self, Box<[String: Set<Int>?]>.self, Box<Box<Tagged>>.self,
        Box<Range<Int>>.self, Box<SIMD4<Float>>.self, Box<Result<Int, Problem>>.self, Box<Date>.self,
      ]
      return classes.compactMap { _mangledTypeName($0).map { Bytes($0.utf8) } }
    },
    run: { bytes in
      guard let name = String(validating: bytes, as: UTF8.self), let full = MangledName.expanded(name)
      else { return }
      if let type = _typeByName(full), !(type is AnyClass) { throw Finding("\(full) is not of a class") }
    })

  private enum Problem: Int, Error, GCodable { case some }

  /// Stored flattened values, which are described and decoded.
  static let cyclic = FuzzTarget(
    name: "cyclic", form: .bytes,
    seeds: {
      let shared = Vehicle(wheels: 3)
      let values: [any Encodable] = [
        Folder("a", [Folder("b"), Folder("c")]), [shared, Car(wheels: 4, doors: 5), shared], Message.sample,
        Anything.sample, [Event.start, .batch([.move(x: 1, y: nil)])],
      ]
      return try values.map { Bytes(try JSONEncoder().encode(CyclicEncoder().flatten($0))) }
    },
    run: { bytes in
      guard isSafeJSON(bytes) else { return }
      try accepts("cyclic") {
        let container = try JSONDecoder().decode(FlattenedContainer.self, from: Data(bytes))
        _ = container.description
        let copy = try JSONDecoder().decode(FlattenedContainer.self, from: JSONEncoder().encode(container))
        guard copy == container else { throw Finding("a container is not the same after it was stored") }
        func decode<Value: Decodable>(_ type: Value.Type) throws {
          try accepts("\(type)") { _ = try CyclicDecoder().decode(type, from: container) }
        }
        try decode(Folder.self)
        try decode([Vehicle].self)
        try decode(Message.self)
        try decode(Anything.self)
        try decode([Event].self)
      }
    })

  /// Objects with discriminators.
  static let polymorphic = FuzzTarget(
    name: "polymorphic", form: .bytes, seeds: { [Bytes(try JSONEncoder().encode(Zoo.sample))] },
    run: { bytes in
      guard isSafeJSON(bytes) else { return }
      try accepts("Zoo") {
        let zoo = try JSONDecoder().decode(Zoo.self, from: Data(bytes))
        let copy = try JSONDecoder().decode(Zoo.self, from: JSONEncoder().encode(zoo))
        guard copy.pets.map({ "\(type(of: $0))" }) == zoo.pets.map({ "\(type(of: $0))" }) else {
          throw Finding("the classes are others after they were stored")
        }
      }
      try accepts("Pet") { _ = try JSONDecoder().decodePolymorphic([Pet].self, from: Data(bytes)) }
    })
}

/// Whether Foundation's decoder survives a text: it traps where one ends just as its brackets nest too deeply.
private func isSafeJSON(_ bytes: Bytes) -> Bool {
  bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } <= 512
}

/// A type of data units, without its static type.
private struct UnitType: Sendable {
  let seeds: @Sendable () throws -> [Bytes]
  let read: @Sendable (Bytes) throws -> Void

  init<Value: BinaryIOType & SendableMetatype>(_ values: @escaping @Sendable () -> [Value]) {
    @Sendable func bytes(_ value: Value) throws -> Bytes {
      var buffer = BinaryWriteBuffer()
      try value.write(to: &buffer)
      return buffer.bytes
    }
    seeds = { try values().map(bytes) }
    read = { input in
      func value(_ bytes: Bytes) throws -> Value {
        var buffer = BinaryReadBuffer(bytes)
        return try Value(from: &buffer)
      }
      try decodes(
        "\(Value.self)", ofCodable: false, { try value(input) }, encode: bytes, again: value,
        release: { _ in })
    }
  }

  static let all: [UnitType] = [
    .init { [Int.max] }, .init { ["text", ""] }, .init { [[1, nil, 3]] as [[Int?]] },
    .init { [Data([1, 2])] },
    .init { [["a", "b"]] }, .init { [["a": [1.5]]] as [[String: [Double]]] },
    .init { [[1, 2]] as [Set<Int>] },
    .init { [Decimal(1.5)] }, .init { [DateComponents(timeZone: .gmt, year: 1)] },
    .init { [Calendar(identifier: .hebrew)] }, .init { [Locale(identifier: "it_IT")] },
    .init { [Measurement(value: 1, unit: UnitLength.feet)] }, .init { [IndexSet([1, 2, 9])] },
    .init { [IndexPath(indexes: [1, 2])] }, .init { [CharacterSet(charactersIn: "a")] },
    .init { [PersonNameComponents(givenName: "Ada")] }, .init { [URLComponents(string: "a://b?c=d")!] },
    .init { [AttributedString("a")] }, .init { [[1, 2].difference(from: [2])] },
    .init { [Decimal(1)..<2] }, .init { [.success(1), .failure(.a)] as [Result<Int, UnitProblem>] },
    .init { [Place(x: 1, y: 2)] }, .init { [[[[1]], []]] as [[[[Int8]]]] },
    .init { [[SIMD3<Float>(1, 2, 3)]] }, .init { [1...2] as [ClosedRange<Double>] },
    .init { [Date(timeIntervalSinceReferenceDate: 1)] }, .init { [TimeZone.gmt] },
  ]
}

private enum UnitProblem: Int, Error, GCodable, BinaryIOType { case a }
