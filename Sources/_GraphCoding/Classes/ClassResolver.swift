import CycleBreaking
import _GraphFiles
import _GraphSupport

/// Finds the classes of an archive, each once, and admits those that instances may be made of.
///
/// Instances are made of a `ResolvedClass` alone, or stand in data units; `check` lets the classes of both pass.
package final class ClassResolver {
  private let rules: ClassRules
  private let stored: [Contents.StoredClass]
  private var resolved: [Result<ResolvedClass, GCodableError>?]
  /// What look-ups by the runtime may still cost.
  private var searchByteCount = ClassNameLimits.searchByteCount
  /// Classes that are asked for where the archive names none, and the last one of them.
  private var asked: [ObjectIdentifier: Result<ResolvedClass, GCodableError>] = [:]
  private var lastAsked: (type: ObjectIdentifier, resolved: ResolvedClass)?

  /// A class of the archive, or of the program that asks for it, as one that the decoder may make instances of.
  package class ResolvedClass {
    /// What is made.
    package let type: any GDecodable.Type
    /// The class that was encoded, if `type` replaces it.
    package let replaced: (any GDecodable.Type)?
    /// Memory that an instance takes, without what it refers to.
    let instanceByteCount: Int

    fileprivate init(_ type: any GDecodable.Type, _ subject: AnyClass, replaced: (any GDecodable.Type)?) {
      self.type = type
      self.replaced = replaced
      instanceByteCount = allocatedByteCount(ofInstanceOf: subject)
    }

    /// Makes an instance of what stands at the cursor: fields, or a value of another kind.
    func make(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyObject {
      preconditionFailure("every class is a `TypedClass` or has a stand-in")
    }
  }

  /// A class that is made by its own coding.
  private final class TypedClass<Class: GDecodable & AnyObject>: ResolvedClass {
    init(_ type: Class.Type, replaced: (any GDecodable.Type)?) {
      super.init(type, type, replaced: replaced)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    override func make(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyObject {
      try kind == .record ? Class(from: decoder) : Class._graphRead(decoder, kind)
    }
  }

  /// A class that another type stands for.
  private final class ClassWithStandIn<Value: GDecodable>: ResolvedClass {
    init(_ type: Value.Type, _ subject: AnyClass, replaced: (any GDecodable.Type)?) {
      super.init(type, subject, replaced: replaced)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    override func make(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyObject {
      let instance = try kind == .record ? Value(from: decoder) : Value._graphRead(decoder, kind)
      return unsafe unsafeBitCast(instance, to: AnyObject.self)  // It has the instance as its only property.
    }
  }

  package init(_ stored: [Contents.StoredClass], chosen rules: ClassRules) {
    self.stored = stored
    self.rules = rules
    resolved = Array(repeating: nil, count: stored.count)
  }

  func version(_ classIndex: Int) -> UInt32 { stored[classIndex].version }

  /// The class with an index in the class table.
  ///
  /// - Throws: `classNotFound`, the same error each time.
  package func resolve(_ classIndex: Int) throws -> ResolvedClass {
    if let known = resolved[classIndex] { return try known.get() }
    let result = Result { () throws(GCodableError) in try find(stored[classIndex]) }
    resolved[classIndex] = result
    return try result.get()
  }

  /// The class that is asked for, where the archive has an instance without its class.
  ///
  /// - Parameter type: a class, or what stands for one.
  /// - Throws: `classNotFound` for a class that the decoder does not allow, the same error each time.
  @inline(__always)
  func resolve(asked type: any GDecodable.Type) throws -> ResolvedClass {
    if let lastAsked, lastAsked.type == ObjectIdentifier(type) { return lastAsked.resolved }
    return try resolve(anew: type)
  }

  @inline(never)
  private func resolve(anew type: any GDecodable.Type) throws -> ResolvedClass {
    let id = ObjectIdentifier(type)
    let result = asked[id] ?? Result { () throws(GCodableError) in try admit(type) }
    asked[id] = result
    let resolved = try result.get()
    lastAsked = (id, resolved)
    return resolved
  }

  /// Memory that an instance of a class takes that a data unit has in place, where the program asks for it.
  ///
  /// - Throws: as `resolve(asked:)`.
  func instanceByteCount(inUnit type: AnyClass) throws -> Int {
    try check(type, for: nil)
    return allocatedByteCount(ofInstanceOf: type)
  }

  /// Makes a class one of which instances can be made.
  ///
  /// - Parameters:
  ///   - type: what is made: a class, or what stands for one.
  ///   - replaced: the class that it replaces, which is the one to be allowed.
  ///   - stored: what the archive names; nil where it names nothing.
  private func admit(
    _ type: any GDecodable.Type, inPlaceOf replaced: (any GDecodable.Type)? = nil,
    for stored: Contents.StoredClass? = nil
  ) throws(GCodableError) -> ResolvedClass {
    func typed<Class: GDecodable & AnyObject>(_ type: Class.Type) -> ResolvedClass {
      TypedClass(type, replaced: replaced)
    }
    func withStandIn<Value: GDecodable>(_ type: Value.Type, _ subject: AnyClass) -> ResolvedClass {
      ClassWithStandIn(type, subject, replaced: replaced)
    }
    let type = (type as? any StandIn.Type)?.maker ?? type
    guard let made = subject(of: type) as? AnyClass else {
      throw refused(subject(of: type), stored, "is replaced by a type that is not a class")
    }
    try check(replaced.flatMap { subject(of: $0) as? AnyClass } ?? made, for: stored)
    if let type = type as? any (GDecodable & AnyObject).Type { return typed(type) }
    return withStandIn(type, made)
  }

  /// The only place where the list of allowed classes is asked: by it comes every class that an instance is made of.
  private func check(_ type: AnyClass, for stored: Contents.StoredClass?) throws(GCodableError) {
    if !rules.allow(type) { throw refused(type, stored, rules.allowed.refusal) }
  }

  private func refused(
    _ type: Any.Type, _ stored: Contents.StoredClass?, _ reason: String
  ) -> GCodableError {
    if let stored { return notFound(stored, reason) }
    let name = _typeName(type, qualified: true)
    return GCodableError(
      .classNotFound,
      "class \(name) \(reason); the archive has an instance without its class, which would be made as the one that is asked for",
      typeName: name)
  }

  /// A type as one that can be made: a `Decodable` one by its stand-in.
  static func decodable(_ type: Any.Type) -> (any GDecodable.Type)? {
    func adapter<Value: Decodable>(_ type: Value.Type) -> any GDecodable.Type { CodableAdapter<Value>.self }
    if let type = type as? any GDecodable.Type { return type }
    return (type as? any Decodable.Type).map { adapter($0) }
  }

  private func find(_ stored: Contents.StoredClass) throws(GCodableError) -> ResolvedClass {
    if let type = rules.chosen.find(stored), let type = Self.decodable(type) {
      return try admit(type, for: stored)
    }
    guard let type = Self.decodable(try type(of: stored)) else {
      throw notFound(stored, "is not a class that adopts GDecodable or Decodable")
    }
    let replacement = type.replacementType
    return try admit(replacement, inPlaceOf: replacement == type ? nil : type, for: stored)
  }

  /// The class with a name, as far as it is allowed.
  private func type(of stored: Contents.StoredClass) throws(GCodableError) -> AnyClass {
    switch rules.allowed.rule {
    case .listed(let table):
      if let listed = table.find(stored) { return listed }
      if let mentioning = mentioningName(stored), let name = succeeded(mentioning, table.find),
        let listed = table[.mangledName(name)]
      {
        return listed
      }
      throw notFound(stored, rules.allowed.refusal)
    case .registered:
      let repository = GTypesRepository.shared
      if let registered = repository.find(stored) { return registered }
      if let mentioning = mentioningName(stored), let name = succeeded(mentioning, repository.find),
        let registered = repository.find(name)
      {
        return registered
      }
      throw notFound(stored, rules.allowed.refusal)
    case .all:
      let repository = GTypesRepository.shared
      if let registered = repository.find(stored) { return registered }
      guard let mentioning = mentioningName(stored) else { return try search(stored) }
      // A class that says itself what replaces it is made, and asked.
      let found: AnyClass? = try? search(stored)
      if let found, let type = found as? any GDecodable.Type, type.replacementType != type { return found }
      if let name = succeeded(mentioning, { repository.find($0) ?? self.obsolete($0) }) {
        if let registered = repository.find(name) { return registered }
        if let successor = try search(name, named: name, stored) { return successor }
      }
      if let found { return found }
      return try search(stored)
    }
  }

  /// The name of a class that may mention others as its arguments; nil where it mentions none, or is found by no name.
  private func mentioningName(_ stored: Contents.StoredClass) -> String? {
    guard let name = stored.swiftName,
      name.utf8.last == UInt8(ascii: "G") || name.utf8.count(where: { $0 == UInt8(ascii: "C") }) > 1
    else { return nil }
    return name
  }

  /// The name of a class with the successors of the classes that it mentions; nil where it mentions none that has one.
  ///
  /// What is chosen for the instances of a class that the program still has need not fit where another class has it as an
  /// argument: it stays, unless it is obsolete or another class has taken its name.
  private func succeeded(_ name: String, _ find: @escaping (Contents.StoredClass) -> AnyClass?) -> String? {
    MangledName.succeeded(name) { mangled, qualified in
      let mentioned = Contents.StoredClass(mangledName: mangled, qualifiedName: qualified, version: 0)
      guard let successor = self.chosen(mentioned) ?? find(mentioned),
        let subject = subject(of: successor) as? AnyClass, let name = _mangledTypeName(subject),
        let full = MangledName.expanded(name), full != mangled
      else { return nil }
      return full
    }
  }

  /// What the decoder was told to make in place of a class that the program lacks.
  private func chosen(_ mentioned: Contents.StoredClass) -> AnyClass? {
    guard let chosen = rules.chosen.find(mentioned) else { return nil }
    if case .all = rules.allowed.rule, let found = try? search(mentioned), !(found is any GObsolete.Type) {
      return nil
    }
    return chosen
  }

  /// What replaces an obsolete class that the program still has.
  private func obsolete(_ mentioned: Contents.StoredClass) -> AnyClass? {
    guard let found = try? search(mentioned), let type = found as? any GObsolete.Type else { return nil }
    return subject(of: type.replacementType) as? AnyClass
  }

  /// The class that Swift's runtime finds.
  private func search(_ stored: Contents.StoredClass) throws(GCodableError) -> AnyClass {
    guard let swiftName = stored.swiftName else { throw notFound(stored, "is not registered") }
    if let known = FoundClasses.shared.type(named: swiftName) { return known }
    guard let name = MangledName.expanded(swiftName) else {
      throw notFound(stored, "has a name that is not looked up, and is not registered")
    }
    guard let found = try search(name, named: swiftName, stored) else {
      throw notFound(stored, "is not in this program, or private and not registered")
    }
    return found
  }

  /// Lets the runtime search for a class.
  ///
  /// - Parameters:
  ///   - fullName: as `MangledName` has written it.
  ///   - name: the name as it was.
  private func search(
    _ fullName: String, named name: String, _ stored: Contents.StoredClass
  ) throws(GCodableError) -> AnyClass? {
    if let known = FoundClasses.shared.type(named: name) { return known }
    searchByteCount -= fullName.utf8.count + ClassNameLimits.searchBaseByteCount
    guard searchByteCount >= 0 else {
      throw notFound(stored, "is one of too many that are not registered")
    }
    return FoundClasses.shared.search(fullName, named: name)
  }

  private func notFound(_ stored: Contents.StoredClass, _ reason: String) -> GCodableError {
    GCodableError(
      .classNotFound,
      "class \(stored.qualifiedName) (\(stored.mangledName)) \(reason); if it was renamed or moved, name its "
        + "successor with setClass(_:for:), setClass(codable:for:) if that is Codable, or by GArchiveNamed, or keep the "
        + "old one as GObsolete with a replacementType",
      typeName: stored.qualifiedName)
  }
}
