/// The coding key of a discriminator.
///
/// An enum with one case is enough:
///
///     enum KindKey: PolyCompatibleCodingKey {
///       case kind
///
///       static var discriminatorKey: KindKey { .kind }
///     }
public protocol PolyCompatibleCodingKey: CodingKey {
  /// The key under which discriminators are stored.
  static var discriminatorKey: Self { get }
}

/// The key `typeDescriminator`.
///
/// It is the default, and spelt as it is in the files that exist. ``TypeDiscriminatorCodingKey`` has the
/// ordinary spelling.
public enum DefaultDiscriminatorCodingKey: String, PolyCompatibleCodingKey {
  /// The only key.
  case typeDescriminator

  /// The only key.
  public static var discriminatorKey: Self { .typeDescriminator }
}

/// The key `typeDiscriminator`, for new files.
public enum TypeDiscriminatorCodingKey: String, PolyCompatibleCodingKey {
  /// The only key.
  case typeDiscriminator

  /// The only key.
  public static var discriminatorKey: Self { .typeDiscriminator }
}
