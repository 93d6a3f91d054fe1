/// Finds the classes of an archive, each once.
final class ClassResolver {
  /// Classes that the user of the decoder has set for names.
  private let chosen: [ClassName: AnyClass]
  private let stored: [Contents.StoredClass]
  private var resolved: [Result<ResolvedClass, GCodableError>?]

  /// A class of the archive as this program has it.
  class ResolvedClass {
    /// What is made.
    let type: any GDecodable.Type
    /// The class that was encoded, if `type` replaces it.
    let replaced: (any GDecodable.Type)?

    fileprivate init(_ type: any GDecodable.Type, replaced: (any GDecodable.Type)?) {
      self.type = type
      self.replaced = replaced
    }

    /// Makes an instance of what stands at the cursor: fields, or a value of another kind.
    func make(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyObject {
      preconditionFailure("every class is a `TypedClass`")
    }
  }

  private final class TypedClass<Class: GDecodable>: ResolvedClass {
    init(_ type: Class.Type, replaced: (any GDecodable.Type)?) { super.init(type, replaced: replaced) }

    override func make(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyObject {
      try decoder.makeInstance(Class.self, kind)
    }
  }

  private func resolvedClass(
    _ type: any GDecodable.Type, replaced: (any GDecodable.Type)? = nil
  ) -> ResolvedClass {
    func typed<Class: GDecodable>(_ type: Class.Type) -> ResolvedClass {
      TypedClass(type, replaced: replaced)
    }
    return typed(type)
  }

  init(_ stored: [Contents.StoredClass], chosen: [ClassName: AnyClass]) {
    self.stored = stored
    self.chosen = chosen
    resolved = Array(repeating: nil, count: stored.count)
  }

  func version(_ classIndex: Int) -> UInt32 { stored[classIndex].version }

  /// The class with an index in the class table.
  ///
  /// - Throws: `classNotFound`, the same error each time.
  func resolve(_ classIndex: Int) throws -> ResolvedClass {
    if let known = resolved[classIndex] { return try known.get() }
    let result = Result { () throws(GCodableError) in try find(stored[classIndex]) }
    resolved[classIndex] = result
    return try result.get()
  }

  /// A type as one that can be made: a `Decodable` one by its stand-in.
  private func decodable(_ type: Any.Type) -> (any GDecodable.Type)? {
    func bridged<Value: Decodable>(_ type: Value.Type) -> any GDecodable.Type { Bridged<Value>.self }
    if let type = type as? any GDecodable.Type { return type }
    return (type as? any Decodable.Type).map { bridged($0) }
  }

  private func find(_ stored: Contents.StoredClass) throws(GCodableError) -> ResolvedClass {
    if let type = chosen[.mangledName(stored.mangledName)] ?? chosen[.qualifiedName(stored.qualifiedName)] {
      if let type = decodable(type) { return resolvedClass(type) }
    }
    @inline(never)
    func notFound(_ reason: String) -> GCodableError {
      GCodableError(
        .classNotFound,
        "class \(stored.qualifiedName) (\(stored.mangledName)) \(reason); if it was renamed or moved, keep "
          + "the old one as GObsolete with a replacementType, or name its successor with setClass(_:for:)",
        typeName: stored.qualifiedName)
    }
    guard ClassName.isPlausible(stored.mangledName) else {
      throw notFound("has a name that no class can have")
    }
    guard
      let found = GTypesRepository.shared.find(stored.mangledName)
        ?? ClassName.type(named: stored.mangledName)
    else { throw notFound("is not in this program, or private and not registered") }
    guard found is AnyClass, let type = decodable(found) else {
      throw notFound("is not a class that adopts GDecodable or Decodable")
    }
    let replacement = type.replacementType
    guard subject(of: replacement) is AnyClass else {
      throw notFound("is replaced by a type that is not a class")
    }
    return resolvedClass(replacement, replaced: replacement == type ? nil : type)
  }
}
