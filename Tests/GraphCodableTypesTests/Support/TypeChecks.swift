import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What every supported type is put through.
struct TypeChecks<Value: GCodable & BinaryIOType & Sendable>: Sendable {
  let values: [Value]
  let hasOrder: Bool
  let isSame: @Sendable (Value, Value) -> Bool

  /// A decoded value is the same, and encodes to the same bytes: that tells signs of zero and payloads of
  /// NaNs apart.
  private func expectSame(_ decodedValue: Value, _ value: Value, _ way: String) throws {
    #expect(isSame(decodedValue, value), "\(way): \(Value.self)")
    guard hasOrder else { return }
    #expect(try encoded(decodedValue) == encoded(value), "\(way): \(Value.self)")
    #expect(try Binary.bytes(decodedValue) == Binary.bytes(value), "\(way): \(Value.self)")
  }

  @Sendable func graph() throws {
    for value in values { try expectSame(roundTrip(value), value, "graph") }
  }

  @Sendable func binary() throws {
    for value in values {
      let (decodedValue, left) = try Binary.read(Value.self, Binary.bytes(value))
      #expect(left == 0, "bytes of \(Value.self) are left")
      try expectSame(decodedValue, value, "bytes")
    }
  }

  @Sendable func containers() throws {
    let array = try roundTrip(values)
    try #require(array.count == values.count)
    for (decodedValue, value) in zip(array, values) { try expectSame(decodedValue, value, "array") }
    let long = values.isEmpty ? [] : (0..<300).map { values[$0 % values.count] }
    let longArray = try roundTrip(long)
    for (decodedValue, value) in zip(longArray, long).prefix(values.count) {
      try expectSame(decodedValue, value, "long array")
    }
    let optionals = try roundTrip([nil] + values)
    #expect(optionals.count == values.count + 1 && optionals[0] == nil)
    for (decodedValue, value) in zip(optionals.dropFirst(), values) {
      try expectSame(try #require(decodedValue), value, "optional")
    }
    let dictionary = try roundTrip(Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0, $1) }))
    for (index, value) in values.enumerated() {
      try expectSame(try #require(dictionary[index]), value, "dictionary")
    }
    let nested = try roundTrip(values.map { [$0] })
    for (decodedValue, value) in zip(nested, values) {
      try expectSame(decodedValue[0], value, "nested array")
    }
    let unit = try Binary.read([Value?].self, Binary.bytes([nil] + values)).0
    for (decodedValue, value) in zip(unit.dropFirst(), values) {
      try expectSame(try #require(decodedValue), value, "array in a data unit")
    }
  }

  /// Every beginning of the bytes is refused.
  @Sendable func truncated() throws {
    for value in values {
      let bytes = try Binary.bytes(value)
      for count in Self.prefixes(of: bytes.count) {
        #expect(throws: GCodableError.self, "\(Value.self) of \(count) of \(bytes.count) bytes") {
          try Binary.read(Value.self, Bytes(bytes[..<count]))
        }
      }
      guard let forgery = try? Forgery(encoded(value)) else { continue }
      for count in Self.prefixes(of: forgery.stream.count) {
        #expect(throws: GCodableError.self, "\(Value.self) of \(count) of \(forgery.stream.count) bytes") {
          try decoded(Value.self, from: forgery.archive(Bytes(forgery.stream[..<count])))
        }
      }
    }
  }

  private static func prefixes(of count: Int) -> [Int] {
    count <= 400 ? Array(0..<count) : Array(0..<100) + stride(from: 100, to: count, by: count / 50)
  }

  /// Changed bytes are refused, or are a value that goes round again; returns how many were refused.
  @Sendable func random(_ seed: UInt64) throws -> Int {
    var random = SplitMix64(seed: seed)
    var refused = 0
    for value in values {
      let bytes = try Binary.bytes(value)
      let stream = try? Forgery(encoded(value))
      for _ in 0..<Effort.of(25, thorough: 60) {
        let changed = Self.change(bytes, &random)
        refused += try accept { try Binary.read(Value.self, changed).0 }
        guard let stream else { continue }
        let archive = stream.archive(Self.change(stream.stream, &random))
        refused += try accept { try decoded(Value.self, from: archive) }
        refused += try accept { try decoded([Value].self, from: archive).first }
      }
    }
    return refused
  }

  private func accept(_ decode: () throws -> Value?) throws -> Int {
    do {
      guard let value = try decode() else { return 0 }
      _ = try? encoded(value)
      _ = try? Binary.bytes(value)
      _ = isSame(value, value)
      return 0
    } catch is GCodableError {
      return 1
    }
  }

  private static func change(_ bytes: Bytes, _ random: inout SplitMix64) -> Bytes {
    var bytes = bytes
    for _ in 0...random.below(3) {
      if bytes.isEmpty || random.once(in: 8) {
        bytes.insert(UInt8.random(in: 0...255, using: &random), at: random.below(bytes.count + 1))
      } else if random.once(in: 8) {
        bytes.remove(at: random.below(bytes.count))
      } else {
        let index = random.below(bytes.count)
        bytes[index] =
          random.once(in: 2)
          ? bytes[index] ^ 1 << UInt8(random.below(8)) : [0, 1, 0x7F, 0x80, 0xFF][random.below(5)]
      }
    }
    return bytes
  }

  /// A value of another type is refused with both types' names, and this one by another type.
  @Sendable func wrongType() throws {
    func expectMismatch(_ expression: () throws -> Void) {
      let error = #expect(throws: GCodableError.self, "\(Value.self)") { try expression() }
      #expect(error?.code == .typeMismatch, "\(Value.self): \(error.map { "\($0)" } ?? "none")")
      #expect(error?.description.isEmpty == false)
    }
    guard let value = values.first else {
      return expectMismatch { _ = try decoded(Value.self, from: encoded(UUID())) }
    }
    if Value.self == UUID.self {
      expectMismatch { _ = try decoded(Value.self, from: encoded("text")) }
      expectMismatch { _ = try decoded(String.self, from: encoded(value)) }
    } else {
      expectMismatch { _ = try decoded(Value.self, from: encoded(UUID())) }
      expectMismatch { _ = try decoded(UUID.self, from: encoded(value)) }
    }
  }

  /// A field of the type can be passed over by its kind alone, and its graph described.
  @Sendable func skipped() throws {
    for value in values {
      let bytes = try script {
        try $0.encode(value, for: Letter.a)
        try $0.encode("end", for: Letter.b)
      }
      try Reading.decode(bytes) {
        let end = try $0.decode(String.self, for: Letter.b)
        #expect(end == "end")
      }
      #expect(try GraphDecoder().dump(from: bytes).contains("\"end\""))
    }
  }
}
