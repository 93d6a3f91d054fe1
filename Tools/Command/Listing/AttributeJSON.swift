import GraphCodable

/// A value of an attribute as it is in JSON.
struct AttributeJSON: Encodable {
  private let value: GAttributes.Value

  /// The values by name; nil for none.
  static func all(of attributes: GAttributes) -> [String: AttributeJSON]? {
    let pairs = attributes.names.compactMap { name in
      attributes[name].map { (name, AttributeJSON(value: $0)) }
    }
    return pairs.isEmpty ? nil : Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .strings(let values): try container.encode(values)
    case .integers(let values): try container.encode(values)
    case .numbers(let values): try container.encode(values)
    case .bools(let values): try container.encode(values)
    }
  }
}
