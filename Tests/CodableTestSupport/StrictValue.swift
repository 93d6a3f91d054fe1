/// What a strict encoder makes of a value, and a strict decoder reads.
///
/// Numbers keep their types: an `Int8` is decoded as nothing but an `Int8`.
package indirect enum StrictValue {
  case null
  case scalar(any Hashable)
  case unkeyed([StrictValue])
  case keyed([(key: String, value: StrictValue)])

  /// Whether values of this type are stored as they are.
  static func isScalar(_ type: Any.Type) -> Bool {
    [
      Bool.self, String.self, Float.self, Double.self,
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
      UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
    ].contains { $0 == type }
  }

  /// The value below a key.
  package subscript(_ key: String) -> StrictValue? {
    guard case .keyed(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

/// A rule of `Codable` that is broken where lenient coders do not complain.
package struct BrokenRule: Error, CustomStringConvertible {
  package let description: String
}

/// A key by its text or its index.
struct StrictKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static let `super` = StrictKey(stringValue: "super")
}
