import GraphCodable

/// Encodes and decodes a value.
///
/// - Parameter depth: how deep values may be nested; more than the default if the test takes them apart.
package func roundTrip<Value: GCodable>(
  _ value: Value, _ options: GraphEncoder.Options = [], compression: GraphEncoder.Compression = .lz4,
  depth: Int? = nil
) throws -> Value {
  try decoded(from: encoded(value, options, compression: compression, depth: depth), depth: depth)
}

/// Encodes a value with an encoder of its own.
package func encoded<Value: GEncodable>(
  _ value: Value, _ options: GraphEncoder.Options = [], compression: GraphEncoder.Compression = .lz4,
  depth: Int? = nil
) throws -> Bytes {
  let encoder = GraphEncoder(options)
  if let depth { encoder.maximumDepth = depth }
  encoder.compression = compression
  return try encoder.encode(value) as Bytes
}

/// Decodes a value with a decoder of its own.
package func decoded<Value: GDecodable>(
  _ type: Value.Type = Value.self, from bytes: Bytes, depth: Int? = nil
) throws -> Value {
  let decoder = GraphDecoder()
  if let depth { decoder.limits.depth = depth }
  return try decoder.decode(type, from: bytes)
}
