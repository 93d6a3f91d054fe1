import CGraphArchive
import _GraphSupport

/// What `encode(to:)` encodes into.
///
/// Each part of a value is encoded under a key, a case of an enum with `String` raw values, or without one, in order;
/// both can be mixed. An object is encoded once, however many references it has, and after the value that refers to it, so
/// chains of references can have any length.
///
/// The encoder is valid only during the call of `encode(to:)` that it was passed to, on the thread of that call.
public final class GEncoder {
  /// Everything that encoding a field touches, behind one pointer: stored properties of a class cost an exclusivity check at each
  /// access from another module.
  @usableFromInline package let state: Pinned<EncoderState>
  /// Tables for what is new; not touched while values look like those before them.
  package let tables: EncoderTables

  /// The `userInfo` of the `GraphEncoder`.
  public var userInfo: [CodingUserInfoKey: Any] { storedUserInfo ?? [:] }
  /// nil for an empty one; unchecked as in `GraphEncoder`.
  @safe @exclusivity(unchecked) private var storedUserInfo: [CodingUserInfoKey: Any]?
  @safe @exclusivity(unchecked) private(set) var binaryIOVersion: UInt16

  @inline(never)
  init(options: GraphEncoder.Options, userInfo: [CodingUserInfoKey: Any]?, binaryIOVersion: UInt16) {
    self.binaryIOVersion = binaryIOVersion
    tables = EncoderTables(options: options)
    state = .make(EncoderState(tables: tables))
    storedUserInfo = userInfo
  }

  /// Makes an encoder for keys to compare with others in `main`.
  init(comparingFor main: GEncoder) {
    binaryIOVersion = main.binaryIOVersion
    storedUserInfo = main.storedUserInfo
    tables = EncoderTables(options: main.tables.options.subtracting(.printWarnings), main: main)
    state = .make(EncoderState(tables: tables))
    beginKey(comparedFor: main)
  }

  /// Continues at `main`'s state.
  func beginKey(comparedFor main: GEncoder) {
    state.pointee.objects.firstNumber = main.state.pointee.objects.nextNumber
    state.pointee.depth = main.state.pointee.depth
    state.pointee.maximumDepth = main.state.pointee.maximumDepth
    state.pointee.stackLimit = main.state.pointee.stackLimit
  }

  deinit {
    state.pointee.deallocate()
    unsafe state.release()
  }

  // MARK: Reuse

  private static let idle = IdlePool<GEncoder>()

  /// An encoder that has encoded other graphs with the same options, or a new one.
  ///
  /// It makes the same bytes as a new one would, or detects that it cannot: see `EncoderTables.isFull`.
  static func make(
    options: GraphEncoder.Options, userInfo: [CodingUserInfoKey: Any]?, binaryIOVersion: UInt16
  ) -> GEncoder {
    guard let encoder = idle.take(), encoder.tables.options == options else {
      return GEncoder(options: options, userInfo: userInfo, binaryIOVersion: binaryIOVersion)
    }
    if userInfo != nil { encoder.storedUserInfo = userInfo }
    encoder.binaryIOVersion = binaryIOVersion
    encoder.state.pointee.stackLimit = Nesting.stackLimit
    return encoder
  }

  /// Returns an encoder that has encoded its graph to the pool.
  static func reuse(_ encoder: consuming GEncoder) {
    // An `encode(to:)` may have kept it, which is wrong but must not harm others.
    guard isKnownUniquelyReferenced(&encoder), forgetGraph(encoder) else { return }
    if encoder.storedUserInfo != nil { encoder.storedUserInfo = nil }
    encoder.state.pointee.forgetGraph()
    idle.put(encoder)
  }
}

// Not inlined: see `GDecoder.takeStream`.
@inline(never)
private func forgetGraph(_ encoder: GEncoder) -> Bool {
  encoder.tables.forgetGraph(withObjects: encoder.state.pointee.objects.count > 0)
}

// MARK: - Fields

extension GEncoder {
  /// Encodes a value under a key.
  ///
  /// - Throws: `GCodableError` when the key has been used in this value before, when a class could not be
  ///   decoded again, or when values nest too deeply; whatever the value's own `encode(to:)` throws.
  @inlinable
  @inline(__always)
  public func encode<Value: GEncodable, Key: RawRepresentable>(_ value: Value, for key: Key) throws
  where Key.RawValue == String {
    let next = state.pointee.node.pointee.prediction
    if let token = FieldToken.of(key),
      next.pointee.token == FieldToken.with(token, Value._graphKind(self))
    {
      state.pointee.node = next
      do { try value._graphWrite(self) } catch { throw noted(error) }
    } else {
      try encodeUnexpected(value, for: key)
    }
  }

  /// Encodes a value without a key; such values are decoded in the order in which they were encoded.
  ///
  /// - Throws: as `encode(_:for:)`.
  @inlinable
  @inline(__always)
  public func encode<Value: GEncodable>(_ value: Value) throws {
    let next = state.pointee.node.pointee.prediction
    if next.pointee.token == FieldToken.with(FieldToken.unkeyed, Value._graphKind(self)) {
      state.pointee.node = next
      do { try value._graphWrite(self) } catch { throw noted(error) }
    } else {
      try encodeUnexpected(value)
    }
  }

  /// Encodes a value under a key, or nothing if it is nil: `contains` then returns false.
  ///
  /// - Throws: as `encode(_:for:)`.
  @inlinable
  public func encodeIfPresent<Value: GEncodable, Key: RawRepresentable>(_ value: Value?, for key: Key) throws
  where Key.RawValue == String {
    try encode(IfPresent(value: value), for: key)
  }

  /// Encodes a reference, or a value with identity, only if it is encoded unconditionally elsewhere in the graph, before or
  /// after; otherwise nil is decoded.
  ///
  /// A value without identity is encoded unconditionally, which `.printWarnings` reports.
  ///
  /// - Throws: as `encode(_:for:)`.
  @inlinable
  public func encodeConditional<Value: GEncodable, Key: RawRepresentable>(
    _ value: Value?, for key: Key
  ) throws where Key.RawValue == String {
    try encode(Conditional(value: value), for: key)
  }

  /// Encodes a reference, or a value with identity, without a key and only if it is encoded
  /// unconditionally elsewhere; see `encodeConditional(_:for:)`.
  @inlinable
  public func encodeConditional<Value: GEncodable>(_ value: Value?) throws {
    try encode(Conditional(value: value))
  }
}

// MARK: - Values in place

extension GEncoder {
  /// Reserves room for `byteCount` bytes and `GCA_SLACK` more.
  @inlinable
  @inline(__always)
  package func reserve(byteCount: Int = 0) throws {
    if !state.pointee.out.hasRoom(byteCount) { try grow(byteCount) }
  }

  @usableFromInline
  @inline(never)
  func grow(_ byteCount: Int) throws {
    guard state.pointee.out.reserve(byteCount) else {
      throw failed(GCodableError(.noMemory, "no memory for \(byteCount) more bytes of the graph stream"))
    }
  }

  /// What is known about a type, found by its address, usually in one comparison.
  @inlinable
  @inline(__always)
  func encoderType<Value: GEncodable>(_ type: Value.Type) -> Pinned<EncoderType> {
    let metadata = UInt(bitPattern: ObjectIdentifier(type))
    let cached = state.pointee.cached(metadata).pointee
    return cached.pointee.metadata == metadata ? cached : findType(type, metadata)
  }

  /// Writes a value in place: the number of its shape, then its fields.
  @inlinable
  func writeRecord<Value: GEncodable>(_ value: Value, _ type: Pinned<EncoderType>) throws {
    try reserve()
    if gca_stack_pointer() < state.pointee.stackLimit || state.pointee.depth >= state.pointee.maximumDepth {
      return try writeDeepRecord(value, type)
    }
    state.pointee.depth += 1
    let outer = state.pointee.node
    let start = state.pointee.out.count
    let shape = state.pointee.expectedShape(type)
    state.pointee.out.putVarint(UInt64(shape))
    state.pointee.node = type.pointee.root
    do { try value.encode(to: self) } catch { throw failed(error, in: Value.self, leavingTo: outer) }
    if state.pointee.node != type.pointee.predictedEnd || shape != type.pointee.predictedShape {
      try endUnexpected(type, start: start, shape: shape)
    }
    state.pointee.node = outer
    state.pointee.depth &-= 1  // It was raised above.
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  @inline(never)
  func writeDeepRecord<Value: GEncodable>(
    _ value: Value, _ type: Pinned<EncoderType>
  ) throws {
    try onNewStack(Value.self) { try writeRecord(value, type) }
  }

  /// Writes a reference: the number of the object, which is added to the work list if new.
  @inlinable
  func writeReference<Value: GEncodable>(_ value: Value) throws {
    try reserve()
    // `plan` says that `Value` is a class, so the value is one pointer.
    let address = unsafe unsafeBitCast(value, to: UInt.self)
    let number = state.pointee.identity.number(address)
    if number < IdentityTable.weakOnly {
      state.pointee.out.putVarint(UInt64(number))
    } else {
      try writeNewReference(value, known: number)
    }
  }

  /// Prefetches the slot of a reference that will be looked up soon, and returns where the search starts; 0 after the last.
  @inlinable
  @inline(__always)
  func prefetchSlot(_ addresses: UnsafeBufferPointer<UInt>, _ index: Int) -> Int {
    unsafe index < addresses.count ? state.pointee.identity.prefetch(addresses[index]) : 0
  }

  /// Writes the references of an array by their addresses, without touching objects that have a number.
  @inlinable
  func writeReferences<Value: GEncodable>(
    _ values: UnsafeBufferPointer<Value>, of array: ArrayStorage
  ) throws {
    var array = array
    // `Value` is a class with the plan `reference`, so each value is one pointer. `values` keeps the objects.
    try unsafe values.withMemoryRebound(to: UInt.self) { addresses in
      // Slots are prefetched four references ahead.
      var (first, second, third, fourth) = unsafe (
        prefetchSlot(addresses, 0), prefetchSlot(addresses, 1), prefetchSlot(addresses, 2),
        prefetchSlot(addresses, 3)
      )
      for index in addresses.indices {
        let home = first
        (first, second, third) = (second, third, fourth)
        fourth = unsafe prefetchSlot(addresses, index + 4)
        try reserve()
        let number = unsafe state.pointee.identity.number(addresses[index], from: home)
        if number < IdentityTable.weakOnly {
          state.pointee.out.putVarint(UInt64(number))
        } else {
          let mask = state.pointee.identity.mask
          try unsafe writeNewReference(values, index, known: number, of: &array)
          guard state.pointee.identity.mask != mask else { continue }
          // The table has grown, so the slots have moved.
          (first, second, third, fourth) = unsafe (
            prefetchSlot(addresses, index + 1), prefetchSlot(addresses, index + 2),
            prefetchSlot(addresses, index + 3), prefetchSlot(addresses, index + 4)
          )
        }
      }
    }
  }
}
