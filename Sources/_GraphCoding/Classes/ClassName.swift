/// The name of a class as an archive holds it.
///
/// Names are compared by their bytes: `é` as one character and `é` as two are different names.
public enum ClassName: Hashable, Sendable {
  /// What `_mangledTypeName` returns: exact, and used to find classes.
  ///
  /// Before it, or alone, is `@` with the name that a class declares with ``GArchiveNamed``.
  case mangledName(String)
  /// What `_typeName(_:qualified: true)` returns: readable.
  case qualifiedName(String)

  /// Whether both are names of the same kind with the same bytes.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.mangledName(let lhs), .mangledName(let rhs)), (.qualifiedName(let lhs), .qualifiedName(let rhs)):
      lhs.utf8.elementsEqual(rhs.utf8)
    default: false
    }
  }

  /// Hashes the kind and the bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .mangledName(let name): hash(0, name, into: &hasher)
    case .qualifiedName(let name): hash(1, name, into: &hasher)
    }
  }

  private func hash(_ kind: UInt8, _ name: String, into hasher: inout Hasher) {
    hasher.combine(kind)
    var name = name
    name.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The name as archives store it: without the addresses in the names of private and local classes.
  var stable: ClassName {
    switch self {
    case .mangledName(let name): .mangledName(StableName.mangled(name))
    case .qualifiedName(let name): .qualifiedName(StableName.qualified(name))
    }
  }

  /// The name of a class that declares one.
  static func archiveName(_ name: String) -> ClassName { .mangledName("@" + name) }
}

extension GEncodable where Self: AnyObject {
  /// Whether the class can be found by its name, so that its instances are decoded as instances of it.
  ///
  /// - Complexity: a look-up of the name by the Swift runtime, some microseconds.
  public static var supportsCodableInheritance: Bool { (try? StoredClassNames(self)) != nil }

  /// Whether this instance's class can be found by its name; see the static property.
  public var supportsCodableInheritance: Bool { (try? StoredClassNames(type(of: self))) != nil }
}
