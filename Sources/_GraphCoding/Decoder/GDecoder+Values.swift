import _GraphFiles
import _GraphSupport

/// Values that are not what their type usually looks like.
extension GDecoder {
  /// Reads a value of any kind, by the stored tag if there is one.
  ///
  /// - Throws: `valueNotFound` for nil, `typeMismatch` for a kind that `Value` cannot be read from.
  @usableFromInline
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func readOther<Value: GDecodable>(_ type: Value.Type, _ kind: GraphKind) throws -> Value {
    switch kind {
    case .tagged:
      return try Value._graphRead(self, state.pointee.stream.readTagged(kind))
    case .reference, .conditional:
      return try readReference(type)
    case .record where type is AnyClass:
      let shape = try readShape()
      guard shape.pointee.isClass else { throw typeMismatch(type, "the archive has a value") }
      let instance = try readInstance(type, shape)
      guard let value = instance as? Value else {
        throw typeMismatch(type, "the archive has an instance of \(Swift.type(of: instance))")
      }
      return value
    case .record where !(type is any _GraphLeafDecodable.Type):
      if type is any _GraphContainerEncodable.Type { try checkParts(ofRecordAs: type) }
      return try readRecord(type)
    case .null, .absent:
      throw GCodableError(
        .valueNotFound, "there is nil where a value is asked for; decode an optional",
        typeName: _typeName(type, qualified: true), byteOffset: streamOffset)
    default:
      throw typeMismatch(type, "the archive has a value of kind \(kind)")
    }
  }

  /// Checks that a record requested as a container does not consist only of parts with keys, none of which a
  /// container would take.
  private func checkParts<Value>(ofRecordAs type: Value.Type) throws {
    let cursor = state.pointee.stream.input.cursor
    let shape = try readShape()
    state.pointee.stream.input.cursor = cursor
    guard shape.pointee.fieldCount > 0, !shape.pointee.isOpen, shape.pointee.fields[0].unkeyedCount == 0
    else { return }
    throw typeMismatch(type, "the archive has a record whose parts have keys")
  }

  /// Reads an integer that was stored as another integer type, if it fits.
  @usableFromInline
  @inline(never)
  func readInteger<Value: GDecodable & FixedWidthInteger>(_ type: Value.Type, _ kind: GraphKind) throws
    -> Value
  {
    func fit(_ value: some FixedWidthInteger) throws -> Value {
      guard let result = Value(exactly: value) else { throw outOfRange(type, value) }
      return result
    }
    switch kind {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
      switch try state.pointee.stream.readLeaf(kind) {
      case .signed(let value): return try fit(value)
      case .unsigned(let value): return try fit(value)
      default: throw malformed("\(kind) is no integer")
      }
    default: return try readOther(type, kind)
    }
  }

  @usableFromInline
  @inline(never)
  func outOfRange(_ type: Any.Type, _ value: some FixedWidthInteger) -> GCodableError {
    invalidValue(type, "\(value) is out of its range")
  }

  /// The error for a number that its own kind cannot hold.
  @usableFromInline
  @inline(never)
  func beyondKind(_ kind: GraphKind, _ value: some FixedWidthInteger) -> GCodableError {
    malformed("\(value) has more bits than \(kind)")
  }

  /// Reads a float that was stored as a narrower one.
  @usableFromInline
  @inline(never)
  func readFloat<Value: GDecodable & BinaryFloatingPoint>(_ type: Value.Type, _ kind: GraphKind) throws
    -> Value
  {
    let bitCount = 1 + Value.exponentBitCount + Value.significandBitCount
    switch kind {
    case .float32 where Value.exponentBitCount == Double.exponentBitCount:
      if state.pointee.stream.input.has(4) {
        return Value(Float(bitPattern: state.pointee.stream.input.takeUInt32()))
      }
    case .float16 where bitCount != 16, .float32 where bitCount != 32, .float64 where bitCount != 64:
      throw typeMismatch(type, "the archive has a value of kind \(kind)")
    case .float16, .float32, .float64: break
    default: return try readOther(type, kind)
    }
    throw malformed("the stream ends inside a value")
  }
}

// MARK: - What is being decoded

extension GDecoder {
  /// The version that the class being decoded had when it was encoded.
  ///
  /// - Throws: `valueNotFound` for values, and for instances that were stored without their class.
  public var encodedTypeVersion: UInt32 {
    get throws {
      guard state.pointee.classIndex >= 0 else { throw noClass("encodedTypeVersion") }
      return tables.classes.version(state.pointee.classIndex)
    }
  }

  /// The encoded class, if the class being decoded replaces it; nil otherwise.
  ///
  /// - Throws: as `encodedTypeVersion`.
  public var replacedType: (any GDecodable.Type)? {
    get throws {
      guard state.pointee.classIndex >= 0 else { throw noClass("replacedType") }
      return try tables.classes.resolve(state.pointee.classIndex).replaced
    }
  }

  @inline(never)
  private func noClass(_ property: String) -> GCodableError {
    GCodableError(
      .valueNotFound, "\(property) is known only while an instance is decoded that was stored with its class",
      byteOffset: streamOffset)
  }
}
