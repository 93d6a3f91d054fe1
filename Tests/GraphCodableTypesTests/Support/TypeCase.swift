import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// A type that the package supports, with values of it, without its static type.
///
/// The generic initializer is what proves the conformances.
struct TypeCase: Sendable, CustomTestStringConvertible {
  /// The name of the type in Documentation/Types.md, or of a container with its elements.
  let name: String
  /// The kind under which a value stands in a graph.
  let kind: String
  /// How arrays of the type lie: a packed format, `data unit`, or nothing.
  let packing: String
  /// Bytes of values: those of a graph's stream, and those of a data unit; see `Goldens`.
  let golden: [@Sendable () throws -> (graph: String, binary: String)]

  let checkGraph: @Sendable () throws -> Void
  let checkBinary: @Sendable () throws -> Void
  let checkContainers: @Sendable () throws -> Void
  let checkTruncated: @Sendable () throws -> Void
  let checkRandom: @Sendable (UInt64) throws -> Int
  let checkWrongType: @Sendable () throws -> Void
  let checkSkipped: @Sendable () throws -> Void
  /// Decodes a value of the type from an archive.
  let decode: @Sendable (Bytes) throws -> Void

  var testDescription: String { name }

  /// - Parameters:
  ///   - golden: values whose bytes are in `Goldens`.
  ///   - isSame: whether a decoded value is what was encoded, beyond having the same bytes.
  ///   - hasOrder: whether equal values always have the same bytes: not so for sets.
  init<Value: GCodable & BinaryIOType & Sendable>(
    _ name: String, _ values: [Value], golden: [Value],
    hasOrder: Bool = true, isSame: @escaping @Sendable (Value, Value) -> Bool
  ) {
    self.name = name
    let checks = TypeChecks(values: values, hasOrder: hasOrder, isSame: isSame)
    kind = Value._graphPlainKind.description
    switch Value._graphEncodedFormat.rawValue {
    case 0: packing = ""
    case PackedFormat.unit.rawValue: packing = "data unit"
    default: packing = Value._graphEncodedFormat.description
    }
    self.golden = golden.map { value in
      { (Hex.text(try Forgery(encoded(value)).stream), Hex.text(try Binary.bytes(value))) }
    }
    checkGraph = checks.graph
    checkBinary = checks.binary
    checkContainers = checks.containers
    checkTruncated = checks.truncated
    checkRandom = checks.random
    checkWrongType = checks.wrongType
    checkSkipped = checks.skipped
    decode = { _ = try decoded(Value.self, from: $0) }
  }

  /// A type whose values are compared by `==`, where they are equal to themselves.
  init<Value: GCodable & BinaryIOType & Sendable & Equatable>(
    _ name: String, _ values: [Value], golden: [Value],
    hasOrder: Bool = true
  ) {
    self.init(name, values, golden: golden, hasOrder: hasOrder, isSame: { $0 == $1 || $0 != $0 })
  }
}

/// Bytes as text.
enum Hex {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Values as the bytes of data units.
enum Binary {
  static func bytes(_ value: some BinaryOType) throws -> Bytes {
    var buffer = BinaryWriteBuffer()
    try value.write(to: &buffer)
    return buffer.bytes
  }

  /// Reads a value, and where it stopped.
  static func read<Value: BinaryIType>(_ type: Value.Type, _ bytes: Bytes) throws -> (Value, left: Int) {
    var buffer = BinaryReadBuffer(bytes)
    let value = try Value(from: &buffer)
    return (value, buffer.remainingByteCount)
  }
}
