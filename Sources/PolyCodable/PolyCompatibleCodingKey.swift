/// A type with the coding key of a discriminator.
///
/// An enum with a single case is enough:
///
///     enum KindKey: PolyCompatibleCodingKey {
///       case kind
///
///       static var discriminatorKey: KindKey { .kind }
///     }
public protocol PolyCompatibleCodingKey: CodingKey {
  /// The key that discriminators are stored under.
  static var discriminatorKey: Self { get }
}

/// The default key, `typeDescriminator`.
///
/// The spelling is that of existing files. ``TypeDiscriminatorCodingKey`` has the correct spelling.
public enum DefaultDiscriminatorCodingKey: String, PolyCompatibleCodingKey {
  /// The key of the discriminator.
  case typeDescriminator

  /// The key of the discriminator.
  public static var discriminatorKey: Self { .typeDescriminator }
}

/// The key `typeDiscriminator`, for new file formats.
public enum TypeDiscriminatorCodingKey: String, PolyCompatibleCodingKey {
  /// The key of the discriminator.
  case typeDiscriminator

  /// The key of the discriminator.
  public static var discriminatorKey: Self { .typeDiscriminator }
}
