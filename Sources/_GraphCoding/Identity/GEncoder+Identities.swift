import _GraphFiles
import _GraphSupport

/// The object that a value is: by its address, a `gcodableID` or its own value, or a new one.
extension GEncoder {
  /// Writes a reference to an object without a number, or with only conditional references so far.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func writeNewReference<Value: GEncodable>(_ value: Value, known: UInt32) throws {
    var array = ArrayStorage()
    // `Value` is a class.
    if try unsafe writeNewObject(unsafeBitCast(value, to: UInt.self), known: known, of: &array) { return }
    let type = dynamicType(of: value)
    let number =
      type.pointee.plan == .dynamicIdentity
      ? try chosenNumber(value, type, isConditional: false)
      : try addressNumber(value, type, isConditional: false)
    if let number {
      state.pointee.out.putVarint(UInt64(number))
    } else {
      // The static type promised a reference, but this instance has no identity, so it gets a new number.
      let anonymous = try anonymousObject(value)
      let number = try newObject(instance(value), storedType(of: value, type))
      tables.anonymous[number] = anonymous
      state.pointee.objects.enqueue(number)
      state.pointee.out.putVarint(UInt64(number))
    }
  }

  /// `writeNewReference(_:known:)` for an element of an array of objects.
  @usableFromInline
  @inline(never)
  func writeNewReference<Value: GEncodable>(
    _ values: UnsafeBufferPointer<Value>, _ index: Int, known: UInt32, of array: inout ArrayStorage
  ) throws {
    let address = unsafe values.withMemoryRebound(to: UInt.self) { unsafe $0[index] }  // `Value` is a class.
    if try !writeNewObject(address, known: known, of: &array) {
      try unsafe writeNewReference(values[index], known: known)
    }
  }

  /// Writes the number of an object of a known class that nothing refers to so far.
  ///
  /// - Parameters:
  ///   - address: of an object that the caller holds; retaining one that weak references lead to takes as long as
  ///     all of this, so it happens only once, and not at all where its array can be retained.
  ///   - known: what the identity table has for the address.
  ///   - array: that it is an element of.
  private func writeNewObject(
    _ address: UInt, known: UInt32, of array: inout ArrayStorage
  ) throws -> Bool {
    guard known == IdentityTable.notFound, let instance = unsafe Held<AnyObject>(address: address),
      tables.comparison.main == nil
    else { return false }
    let metadata = instance.withObject {
      UInt(bitPattern: ObjectIdentifier(Swift.type(of: $0)))
    }
    let type = state.pointee.cached(metadata).pointee
    guard type.pointee.metadata == metadata, type.pointee.isPlainClass else { return false }
    try checkObjectCount()
    let number = state.pointee.objects.append(instance, type, in: &array)
    state.pointee.objects.enqueue(number)
    state.pointee.identity.set(address, number)
    state.pointee.out.putVarint(UInt64(number))
    return true
  }

  /// How long a chain of objects without identity may be.
  private static let maximumAnonymousDepth = 10_000

  /// An object without identity, reached from the one being encoded.
  ///
  /// - Throws: `limitExceeded` if the chain has no end, because an object leads to itself.
  private func anonymousObject<Value: GEncodable>(_ value: Value) throws -> EncoderTables.AnonymousObject {
    let address = unsafe unsafeBitCast(value, to: UInt.self)  // `Value` is a class.
    let parent = state.pointee.object
    let depth = (tables.anonymous[parent]?.depth ?? 0) + 1
    var isCycle = depth > Self.maximumAnonymousDepth
    // Objects are encoded level by level, with many on each, so the first check comes after few.
    if depth >= 8, depth & (depth - 1) == 0 {
      var ancestor = tables.anonymous[parent]
      while let object = ancestor, !isCycle {
        isCycle = object.address == address
        ancestor = tables.anonymous[object.parent]
      }
    }
    guard !isCycle else {
      throw failed(
        GCodableError(
          .limitExceeded,
          "objects without identity lead to themselves, or more than \(Self.maximumAnonymousDepth) to each other",
          typeName: _typeName(Value.self, qualified: true)))
    }
    return .init(address: address, depth: depth, parent: parent)
  }

  /// Writes a value whose identity may be something other than its address: kind, then value.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func writeDynamic<Value: GEncodable>(_ value: Value, _ type: Pinned<EncoderType>) throws {
    try reserve()
    if let number = try identify(value, type, isConditional: false) {
      state.pointee.out.putByte(GraphKind.reference.rawValue)
      state.pointee.out.putVarint(UInt64(number))
      return
    }
    if type.pointee.isClass {
      // Also if the instance is one data unit: a shape of the boxed form gives its class.
      state.pointee.out.putByte(GraphKind.record.rawValue)
      try writeBoxed(value, storedType(of: value, dynamicType(of: value)))
    } else {
      state.pointee.out.putByte(plainKind(Value.self).rawValue)
      try value._graphWritePlain(self)
    }
  }

  /// Writes a conditional reference to a value, or the value if it has no identity: kind, then value.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func writeConditional<Value: GEncodable>(_ value: Value) throws {
    try reserve()
    let type = encoderType(Value.self)
    // A leaf is written without checking its identity unless the encoder is careful.
    let hasNone = !state.pointee.isCareful && Value.self is any _GraphLeafEncodable.Type
    if type.pointee.plan == .record || hasNone {
      warn("a value of \(Value.self) has no identity; it is encoded unconditionally")
    } else if let number = try identify(value, type, isConditional: true) {
      state.pointee.out.putByte(GraphKind.conditional.rawValue)
      return state.pointee.out.putVarint(UInt64(number))
    }
    state.pointee.out.putByte(nestedKind(Value.self).rawValue)
    try writeNested(value)
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func identify<Value: GEncodable>(
    _ value: Value, _ type: Pinned<EncoderType>, isConditional: Bool
  ) throws -> UInt32? {
    let type = type.pointee.isClass ? dynamicType(of: value) : type
    return type.pointee.plan == .reference
      ? try addressNumber(value, type, isConditional: isConditional)
      : try chosenNumber(value, type, isConditional: isConditional)
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func addressNumber<Value: GEncodable>(
    _ value: Value, _ type: Pinned<EncoderType>, isConditional: Bool
  ) throws -> UInt32 {
    let address = unsafe unsafeBitCast(value, to: UInt.self)  // `Value` is a class.
    let known = knownNumber(address)
    if known < IdentityTable.weakOnly { return known }
    var number = known & ~IdentityTable.weakOnly
    if known == IdentityTable.notFound {
      number = try newObject(instance(value), storedType(of: value, type))
    }
    if !isConditional || isComparing { state.pointee.objects.enqueue(number) }
    let isWeakOnly = isConditional && !isComparing
    state.pointee.identity.set(address, isWeakOnly ? number | IdentityTable.weakOnly : number)
    return number
  }

  /// In a compared key, all objects that it leads to count, whether or not they will be in the archive.
  private var isComparing: Bool { tables.comparison.main != nil }

  private func knownNumber(_ address: UInt) -> UInt32 {
    let known = state.pointee.identity.number(address)
    guard known == IdentityTable.notFound, let main = tables.comparison.main else { return known }
    let number = main.knownNumber(address)
    return number == IdentityTable.notFound ? number : number & ~IdentityTable.weakOnly
  }

  private func knownNumber(_ identity: Identity) -> UInt32 {
    let known = tables.identities[identity] ?? IdentityTable.notFound
    guard known == IdentityTable.notFound, let main = tables.comparison.main else { return known }
    let number = main.knownNumber(identity)
    return number == IdentityTable.notFound ? number : number & ~IdentityTable.weakOnly
  }

  /// The number of a value by its `gcodableID`, its own value or its address, whichever the options put
  /// first; nil if it has no identity.
  @_semantics("optimize.sil.specialize.generic.never")
  private func chosenNumber<Value: GEncodable>(
    _ value: Value, _ type: Pinned<EncoderType>, isConditional: Bool
  ) throws -> UInt32? {
    guard let id = ownIdentity(of: value, type) else {
      let options: GraphEncoder.Options = [
        .disableIdentity, .disableAutoObjectIdentifierIdentityForReferences,
      ]
      let refused = facts(type).isGIdentifiable && !tables.options.contains(.ignoreGIdentifiableProtocol)
      guard type.pointee.isClass, !refused, tables.options.isDisjoint(with: options) else { return nil }
      return try addressNumber(value, type, isConditional: isConditional)
    }
    // A class and its subclasses share the identities of the class that declares `gcodableID`, but instances of
    // different classes cannot replace each other.
    let metadata = unsafe UnsafeRawPointer(bitPattern: type.pointee.metadata)
    let identity = unsafe Identity(type: unsafeBitCast(metadata, to: ObjectIdentifier.self), id: id)
    let known = knownNumber(identity)
    if known < IdentityTable.weakOnly { return known }
    var number = known & ~IdentityTable.weakOnly
    if known == IdentityTable.notFound {
      number =
        type.pointee.isClass
        ? try newObject(instance(value), storedType(of: value, type))
        : try newObject(ValueBox(value), type)
    }
    if !isConditional || isComparing { state.pointee.objects.enqueue(number) }
    tables.identities[identity] = isConditional && !isComparing ? number | IdentityTable.weakOnly : number
    return number
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func ownIdentity<Value: GEncodable>(
    of value: Value, _ type: Pinned<EncoderType>
  ) -> AnyHashable? {
    func gcodableID(_ identifiable: some GIdentifiable) -> AnyHashable? {
      guard let id = identifiable.gcodableID else { return nil }
      return AnyHashable(id)
    }
    let facts = facts(type)
    let options = tables.options
    if facts.isHashable, options.contains(.tryHashableIdentityAtFirst) { return Self.ownValue(value) }
    if facts.isGIdentifiable, !options.contains(.ignoreGIdentifiableProtocol),
      let identifiable = subject(of: value) as? any GIdentifiable
    {
      return gcodableID(identifiable)
    }
    if facts.isHashable, options.contains(.tryHashableIdentityAtLast),
      !type.pointee.isClass || options.contains(.disableAutoObjectIdentifierIdentityForReferences)
    {
      return Self.ownValue(value)
    }
    return nil
  }

  /// A value as its own identity.
  ///
  /// Numbers and strings that are equal but not the same stay apart: 0.0 and -0.0, "é" as one scalar and as
  /// two.
  @_semantics("optimize.sil.specialize.generic.never")
  private static func ownValue(_ value: some GEncodable) -> AnyHashable? {
    switch subject(of: value) {
    case let float as Float: AnyHashable(float.bitPattern)
    case let double as Double: AnyHashable(double.bitPattern)
    case let number as any BinaryFloatingPoint: AnyHashable(bits(of: number))
    case let string as any StringProtocol: AnyHashable(Array(string.utf8))
    case let character as Character: AnyHashable(Array(character.utf8))
    case let hashable as any Hashable: AnyHashable(hashable)
    default: nil
    }
  }

  private static func bits(of number: some BinaryFloatingPoint) -> [AnyHashable] {
    [number.sign, number.exponentBitPattern, number.significandBitPattern]
  }

  private func newObject(_ instance: AnyObject, _ type: Pinned<EncoderType>) throws -> UInt32 {
    try checkObjectCount()
    return state.pointee.objects.append(Held(instance), type)
  }

  private func checkObjectCount() throws {
    guard state.pointee.objects.count < Contents.maximumObjectCount else {
      throw failed(
        GCodableError(.limitExceeded, "a graph has more than \(Contents.maximumObjectCount) objects"))
    }
  }
}
