/// The name of a class as an archive holds it.
public enum ClassName: Hashable, Sendable {
  /// What `_mangledTypeName` gives: exact, and what classes are found by.
  case mangledName(String)
  /// What `_typeName(_:qualified: true)` gives: readable.
  case qualifiedName(String)
}

/// The names that an archive holds for the class of an object.
struct StoredClassNames {
  let mangled: String
  let qualified: String
  /// Whether Swift itself finds the class, today and later; otherwise it is registered, for now.
  let isLasting: Bool

  /// nil for a class that would not be found again.
  init?(_ type: AnyClass) {
    guard let name = ClassName.constructibleName(of: type) else { return nil }
    mangled = name
    qualified = StableName.qualified(_typeName(type, qualified: true))
    isLasting = ClassName.type(named: name) == type
  }
}

extension ClassName {
  /// Longer names are refused: generic classes nest, but no real one comes near.
  static let maximumByteCount = 16 << 10

  /// The mangled name of a class if the class can be found by it again.
  ///
  /// Private and local classes have a name that leads nowhere, so it is resolved to see.
  static func constructibleName(of type: AnyClass) -> String? {
    guard let name = _mangledTypeName(type), isPlausible(name) else { return nil }
    if let found = Self.type(named: name), found == type { return name }
    let stable = StableName.mangled(name)
    return GTypesRepository.shared.find(stable) == type ? stable : nil
  }

  /// The type that Swift finds by a mangled name.
  ///
  /// `$` stands in front of integers as generic arguments, and Swift's runtime (6.3) dies of names that have
  /// one where a type should be. So classes with such arguments must be registered.
  static func type(named name: String) -> Any.Type? { name.utf8.contains(0x24) ? nil : _typeByName(name) }

  /// Whether a name may be looked up: printable ASCII, as manglings are, and not too long.
  static func isPlausible(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= maximumByteCount && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  @inline(never)
  static func notConstructible(_ type: AnyClass) -> GCodableError {
    GCodableError(
      .classNotConstructible,
      "the class cannot be found by its name when the archive is decoded, because it is private or local to "
        + "a function: make it internal and move it out, or call its register() before encoding and decoding, or "
        + "adopt GInheritance with disableInheritance returning true, which stores instances without their class",
      typeName: _typeName(type, qualified: true))
  }
}

extension GEncodable where Self: AnyObject {
  /// Whether instances of the class can be decoded as what they are: the class can be found by its name.
  ///
  /// - Complexity: a look-up of the name by the Swift runtime, some microseconds.
  public static var supportsCodableInheritance: Bool { ClassName.constructibleName(of: self) != nil }

  /// Whether this instance's class can be found by its name; see the static property.
  public var supportsCodableInheritance: Bool { ClassName.constructibleName(of: type(of: self)) != nil }
}
