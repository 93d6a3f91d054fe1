import GraphCodable

/// Encodes and decodes a value.
package func roundTrip<Value: GCodable>(
  _ value: Value, _ options: GraphEncoder.Options = [], compression: GraphEncoder.Compression = .lz4
) throws -> Value {
  try GraphDecoder().decode(Value.self, from: encoded(value, options, compression: compression))
}

/// Encodes a value with an encoder of its own.
package func encoded<Value: GEncodable>(
  _ value: Value, _ options: GraphEncoder.Options = [], compression: GraphEncoder.Compression = .lz4
) throws -> Bytes {
  let encoder = GraphEncoder(options)
  encoder.compression = compression
  return try encoder.encode(value) as Bytes
}

/// Decodes a value with a decoder of its own.
package func decoded<Value: GDecodable>(_ type: Value.Type = Value.self, from bytes: Bytes) throws -> Value {
  try GraphDecoder().decode(type, from: bytes)
}
