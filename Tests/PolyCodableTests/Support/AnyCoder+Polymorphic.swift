import CodableTestSupport
import PolyCodable

extension AnyCoder {
  /// What becomes of a polymorphic value.
  func copy<Value: PolymorphicValue>(_ value: Value) throws -> Value {
    try copy(value, as: Polymorphic<Value>.self).wrappedValue
  }
}
