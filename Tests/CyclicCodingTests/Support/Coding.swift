import CodableTestSupport
import CyclicCoding

/// What becomes of a value when it is flattened, stored with a coder, and decoded; nil stands for no coder.
func copy<Value: Codable>(_ value: Value, through coder: AnyCoder?) throws -> Value {
  try copy(value, as: Value.self, through: coder)
}

func copy<Value: Encodable, Result: Decodable>(
  _ value: Value, as type: Result.Type, through coder: AnyCoder?
) throws -> Result {
  var flattened = try CyclicEncoder().flatten(value)
  if let coder { flattened = try coder.copy(flattened, as: FlattenedContainer.self) }
  return try CyclicDecoder().decode(type, from: flattened)
}

/// No coder, and each that there is.
let allWays: [AnyCoder?] = [nil] + AnyCoder.allCases
