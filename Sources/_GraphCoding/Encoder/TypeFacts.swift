import CycleBreaking
import Foundation
import _GraphSupport

/// What a type can do, looked up once: conformances cost 50 to 100 ns each.
final class TypeFacts {
  /// Encodes an object of the type as a record; the object is known to be of it.
  let encodeObject: (AnyObject, GEncoder, Pinned<EncoderType>) throws -> Void
  /// The coding of a class whose next instance is checked after it is encoded: see `GEncoder.checkCoding`.
  var uncheckedCoding: InheritedCoding?
  /// Whether there is one, which is checked for each object: one thread uses the facts, and no user code runs in an access.
  @safe @exclusivity(unchecked) var hasUncheckedCoding = false
  /// Whether the first instance has been checked: see `GEncoder.checkCoding`.
  var isCodingKnown = false
  let isGIdentifiable: Bool
  let hasGInheritance: Bool
  let isHashable: Bool
  /// The names to store instances with, from the first one on; nil if they may change.
  var storedNames: StoredClassNames?
  /// The same class, stored without its name.
  var anonymous: Pinned<EncoderType>?

  /// Facts about values of `type` or, where it is a class, about instances of `dynamicClass`.
  @_semantics("optimize.sil.specialize.generic.never")
  init<Value: GEncodable>(_ type: Value.Type, dynamicClass: AnyClass?) {
    let described: Any.Type = dynamicClass ?? subject(of: type)
    isGIdentifiable = described is any GIdentifiable.Type
    hasGInheritance = dynamicClass is any GInheritance.Type
    isHashable = described is any Hashable.Type && !(described is any AbsentValue.Type)
    if dynamicClass == nil {
      encodeObject = { object, encoder, type in
        // Only `ValueBox<Value>`s are given this type.
        let box = unsafe unsafeDowncast(object, to: ValueBox<Value>.self)
        try encoder.writeBoxed(box.value, type)
      }
    } else {
      encodeObject = { object, encoder, type in
        // The class is `Value` or inherits from it.
        let value = unsafe unsafeBitCast(object, to: Value.self)
        try encoder.writeBoxed(value, type)
      }
    }
  }
}

/// A type with a value for the absence of another value: it has no identity of its own.
protocol AbsentValue {}
extension Optional: AbsentValue {}

/// Whether a user of the package has given an identity to a standard type that is encoded as a leaf.
enum StandardIdentities {
  static let exist: Bool = leaves.contains { $0 is any GIdentifiable.Type }

  private static let leaves: [Any.Type] = [
    String.self, Substring.self, Character.self, Bool.self, Int.self, Int8.self, Int16.self, Int32.self,
    Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self,
    CGFloat.self, Unicode.Scalar.self, UUID.self, Date.self,
  ]
}
