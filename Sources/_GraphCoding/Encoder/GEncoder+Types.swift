import _GraphFiles
import _GraphSupport

/// How values of a type are written, determined when the type is first met.
extension GEncoder {
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func findType<Value: GEncodable>(_ type: Value.Type, _ metadata: UInt) -> Pinned<EncoderType> {
    state.pointee.cache(metadata) {
      tables.types.byMetadata[metadata]
        ?? makeType(type, metadata, dynamicClass: subject(of: type) as? AnyClass)
    }
  }

  /// The type of an instance whose static type is `Value`.
  @_semantics("optimize.sil.specialize.generic.never")
  func dynamicType<Value: GEncodable>(of value: Value) -> Pinned<EncoderType> {
    let dynamicClass: AnyClass = Swift.type(of: instance(value))
    let metadata = UInt(bitPattern: ObjectIdentifier(dynamicClass))
    let cached = state.pointee.cached(metadata)
    if cached.pointee.pointee.metadata == metadata { return cached.pointee }
    return state.pointee.cache(metadata) {
      tables.types.byMetadata[metadata] ?? makeType(of: dynamicClass, metadata, as: Value.self)
    }
  }

  /// A value of a class, as a reference.
  func instance<Value: GEncodable>(_ value: Value) -> AnyObject {
    // Called where the type's plan or `isClass` says that `Value` is a class: one pointer, retained.
    unsafe unsafeBitCast(value, to: AnyObject.self)
  }

  /// The type of instances of a class; a subclass of a `Codable` class may be `GCodable`.
  @_semantics("optimize.sil.specialize.generic.never")
  private func makeType<Value: GEncodable>(
    of dynamicClass: AnyClass, _ metadata: UInt, as type: Value.Type
  ) -> Pinned<EncoderType> {
    if type is any StandIn.Type, let own = dynamicClass as? any GEncodable.Type {
      return makeType(own, metadata, dynamicClass: dynamicClass)
    }
    return makeType(type, metadata, dynamicClass: dynamicClass)
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func makeType<Value: GEncodable>(
    _ type: Value.Type, _ metadata: UInt, dynamicClass: AnyClass?
  ) -> Pinned<EncoderType> {
    let facts = TypeFacts(type, dynamicClass: dynamicClass)
    let options = tables.options
    let hasOwnIdentity =
      !options.contains(.disableIdentity)
      && ((facts.isGIdentifiable && !options.contains(.ignoreGIdentifiableProtocol))
        || (facts.isHashable
          && !options.isDisjoint(with: [.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast])))
    let hasAddressIdentity =
      dynamicClass != nil
      && options.isDisjoint(with: [.disableIdentity, .disableAutoObjectIdentifierIdentityForReferences])
    let plan: EncoderType.Plan =
      hasOwnIdentity
      ? .dynamicIdentity : hasAddressIdentity ? .reference : dynamicClass == nil ? .record : .dynamicIdentity
    let kind: GraphKind =
      switch plan {
      case .record: plainKind(Value.self)
      case .reference: .reference
      case .dynamicIdentity: .taggedIdentity
      }
    let pointer = newType(metadata, plan, kind, facts)
    pointer.pointee.isClass = dynamicClass != nil
    pointer.pointee.isBoxed = Value._graphPlainKind != .record
    if Value._graphIsFieldwise {
      pointer.pointee.fieldList = tables.types.own(EncoderFields(TypeFields.of(Value.self), tables))
    }
    tables.types.byMetadata[metadata] = pointer
    return pointer
  }

  private func newType(
    _ metadata: UInt, _ plan: EncoderType.Plan, _ kind: GraphKind, _ facts: TypeFacts
  ) -> Pinned<EncoderType> {
    let root = tables.shapes.own(ShapeTransition(token: FieldToken.end, prediction: tables.shapes.end))
    let pointer = tables.types.own(EncoderType(metadata: metadata, plan: plan, kind: kind, root: root))
    root.pointee.type = pointer
    pointer.pointee.hasGInheritance = facts.hasGInheritance
    pointer.pointee.facts = Held(facts)
    tables.types.facts.append(facts)
    return pointer
  }

  // MARK: Classes

  /// The type under which an instance is stored: with its class or, if not wanted, without.
  @_semantics("optimize.sil.specialize.generic.never")
  func storedType<Value: GEncodable>(
    of value: Value, _ type: Pinned<EncoderType>
  ) throws -> Pinned<EncoderType> {
    if type.pointee.hasGInheritance, !tables.options.contains(.ignoreGInheritanceProtocol),
      let control = instance(value) as? any GInheritance, control.disableInheritance
    {
      return anonymous(type)
    }
    if type.pointee.classNumber != 0 || tables.options.contains(.disableInheritance) { return type }
    let dynamicClass: AnyClass = Swift.type(of: instance(value))
    let facts = facts(type)
    let names = try facts.storedNames ?? storedNames(of: dynamicClass)
    if names.isLasting { facts.storedNames = names }
    checkCoding(ofFirst: dynamicClass, facts)
    let version = (dynamicClass as? any GEncodable.Type)?.typeVersion ?? Value.typeVersion
    type.pointee.classNumber = tables.types.add(
      .init(mangledName: names.mangled, qualifiedName: names.qualified, version: version))
    type.pointee.isPlainClass = type.pointee.plan == .reference && !type.pointee.hasGInheritance
    return type
  }

  private func storedNames(of type: AnyClass) throws -> StoredClassNames {
    if tables.lostClasses != nil, let problem = StoredClassNames.problem(of: type) {
      tables.lostClasses?.append(problem)
      return .none
    }
    do {
      let names = try StoredClassNames(type)
      try names.claim(for: type)
      return names
    } catch { throw failed(error) }
  }

  /// The type of the same instances, stored without their class.
  private func anonymous(_ type: Pinned<EncoderType>) -> Pinned<EncoderType> {
    guard let facts = type.pointee.facts?.object else { return type }
    if let known = facts.anonymous { return known }
    let anonymous = newType(type.pointee.metadata, type.pointee.plan, type.pointee.kind, facts)
    anonymous.pointee.isClass = true
    anonymous.pointee.isBoxed = type.pointee.isBoxed
    facts.anonymous = anonymous
    return anonymous
  }

  func facts(_ type: Pinned<EncoderType>) -> TypeFacts {
    guard let facts = type.pointee.facts else { preconditionFailure("every type that was met has facts") }
    return facts.object
  }
}
