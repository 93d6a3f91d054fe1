/// A type with an identity of its own for encoding: values, or references with another one than their
/// address.
///
/// Two values of the same type whose identities are equal are encoded once and decoded once. Identities
/// of different types never mix.
public protocol GIdentifiable<GID> {
  /// The type of the identity.
  associatedtype GID: Hashable
  /// The identity; nil for none, in which case the value is encoded wherever it is met.
  var gcodableID: GID? { get }
}

extension GIdentifiable where Self: Identifiable {
  /// The `id` of the `Identifiable` type.
  public var gcodableID: Self.ID? { id }
}

/// A class that can say that its name shall not be stored.
///
/// An instance is then decoded as the static type that is asked for; versions and replacement do not
/// work for it. For private classes, and for classes without subclasses.
public protocol GInheritance: AnyObject {
  /// Whether this instance is stored without its class.
  var disableInheritance: Bool { get }
}
