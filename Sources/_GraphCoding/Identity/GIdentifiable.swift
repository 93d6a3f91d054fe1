/// A type that declares its identity for encoding: a value type, or a class whose identity is not its address.
///
/// Values of the same type with equal identities are encoded once and decoded once. Identities of different types are
/// never equal.
public protocol GIdentifiable<GID> {
  /// The type of the identity.
  associatedtype GID: Hashable
  /// The identity; nil for none, in which case the value is encoded each time it is met.
  var gcodableID: GID? { get }
}

extension GIdentifiable where Self: Identifiable {
  /// The `id` of the `Identifiable` type.
  public var gcodableID: Self.ID? { id }
}

/// A class that can prevent its name from being stored.
///
/// An instance is then decoded as the requested static type, without versions and replacement. This suits private classes, and
/// classes without subclasses.
public protocol GInheritance: AnyObject {
  /// Whether this instance is stored without its class.
  var disableInheritance: Bool { get }
}
