import GraphCodableMacros
import Testing

/// Encodes a value and decodes it again.
func copy<Value: GCodable>(_ value: Value) throws -> Value {
  try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
}

/// The bytes of a value, without the names of classes: twins have other names.
func bytes(_ value: some GEncodable) throws -> [UInt8] {
  let encoder = GraphEncoder(.disableInheritance)
  encoder.compression = .none
  return try encoder.encode(value)
}

/// Checks that both write the same bytes, and that each reads what the other writes.
func expectTwins<Written: GCodable & Equatable, ByHand: GCodable & Equatable>(
  _ written: Written, _ byHand: ByHand, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (bytes, bytesByHand) = (try bytes(written), try bytes(byHand))
  #expect(bytes == bytesByHand, sourceLocation: sourceLocation)
  #expect(
    try GraphDecoder().decode(Written.self, from: bytesByHand) == written, sourceLocation: sourceLocation)
  #expect(try GraphDecoder().decode(ByHand.self, from: bytes) == byHand, sourceLocation: sourceLocation)
  #expect(try copy(written) == written, sourceLocation: sourceLocation)
}

/// The keys of a record's fields, in order.
func keys(_ value: some GEncodable) throws -> [String] {
  try GraphArchive(bytes(value)).items().compactMap { item in
    if case .key(let key)? = item.step { key } else { nil }
  }
}

/// An object as an older version of its class would have stored it.
final class OlderObject: GEncodable {
  private let older: ByHand.Older
  init(_ fields: [(String, any GEncodable)]) { older = ByHand.Older(fields: fields) }
  func encode(to encoder: GEncoder) throws { try older.encode(to: encoder) }
}
