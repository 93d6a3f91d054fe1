import _GraphFiles
import _GraphSupport

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GBinaryEncodable {
  public static var _graphPlainKind: GraphKind { .binary }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeBinary(self, UnitType(Self.self))
  }

  @_semantics("optimize.sil.specialize.generic.never")
  public func _graphWrite(_ encoder: GEncoder) throws {
    let type = encoder.encoderType(Self.self)
    switch type.pointee.plan {
    case .record: try encoder.writeBinary(self, UnitType(Self.self))
    case .reference: try encoder.writeReference(self)
    case .dynamicIdentity: try encoder.writeDynamic(self, type)
    }
  }

  /// Never called, because a data unit has no parts that the encoder could see.
  public func encode(to encoder: GEncoder) throws { throw unreachable(Self.self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GBinaryDecodable {
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    switch kind {
    case .binary:
      return try decoder.readBinary(Self.self, UnitType(Self.self)) { try $0.read(Self.self) }
    case .reference: return try decoder.readReference(Self.self)
    default: return try decoder.readOther(Self.self, kind)
    }
  }

  /// Always throws: a data unit has no parts that the decoder could see.
  public init(from decoder: GDecoder) throws {
    throw decoder.typeMismatch(Self.self, "the archive has a value with fields")
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GEncodable where Self: GBinaryEncodable & GPackable {
  public static var _graphEncodedFormat: PackedFormat { .unit }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GDecodable where Self: GBinaryDecodable & GPackable {
  public static var _graphDecodedFormat: PackedFormat { .unit }
}

@inline(never)
private func unreachable(_ type: Any.Type) -> GCodableError {
  .internalInconsistency(
    type, .init(debugDescription: "a type that writes its own bytes is coded by them alone"))
}

extension GEncoder {
  /// Writes a container of `GPackable` elements as one data unit.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writeUnit<Container>(_ container: Container, _ type: UnitType) throws {
    guard let container = container as? any BinaryOType else {
      throw failed(
        GCodableError(
          .internalInconsistency, "a container of packable elements does not write its own bytes",
          typeName: _typeName(Container.self, qualified: true)))
    }
    try writeBinary(container, type)
  }

  /// Writes a data unit: what it is, its byte count, its bytes.
  @_semantics("optimize.sil.specialize.generic.never")
  func writeBinary(_ value: some BinaryOType, _ type: UnitType) throws {
    var buffer = BinaryWriteBuffer(version: binaryIOVersion, userInfo: userInfo)
    buffer.isCanonical = state.pointee.isCanonical
    buffer.maximumDepth = state.pointee.maximumDepth
    try value.write(to: &buffer)
    noteOverlongTexts(buffer.overlongTextCount)
    tables.unitTexts?.note(value, at: state.pointee.out.count)
    try reserve(byteCount: buffer.bytes.count + 2 * 9)
    state.pointee.out.putVarint(type.rawValue)
    state.pointee.out.putVarint(UInt64(buffer.bytes.count))
    unsafe buffer.bytes.withUnsafeBytes { unsafe state.pointee.out.putBytes($0.baseAddress, count: $0.count) }
  }
}

extension GDecoder {
  /// Reads a container of `GPackable` elements that is one data unit.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func readUnit<Container>(_ type: Container.Type, _ unitType: UnitType) throws -> Container {
    guard let readable = type as? any BinaryIType.Type,
      let container = try readBinary(type, unitType, { try readable.init(from: &$0) }) as? Container
    else { throw typeMismatch(type, "the archive has a value that only its type can read") }
    return container
  }

  /// Reads a data unit, which `body` must read to its end.
  @_semantics("optimize.sil.specialize.generic.never")
  func readBinary<Value>(
    _ type: Any.Type, _ unitType: UnitType, _ body: (inout BinaryReadBuffer) throws -> Value
  ) throws -> Value {
    let start = streamOffset
    let stored = try readVarint()
    guard unitType.reads(stored) else {
      throw typeMismatch(type, "the archive has a data unit of another type (\(stored))")
    }
    var buffer = unsafe BinaryReadBuffer(
      Bytes(try readBytes(try readVarint())), version: tables.userVersion, userInfo: userInfo,
      UnitAllowance(state, tables.classes))
    defer {
      state.pointee.emptyElementCount = buffer.allowance.emptyElementCount
      state.pointee.cursor.stepsLeft = buffer.allowance.stepCount
      noteMarks(buffer.markedText)
    }
    do {
      let value = try body(&buffer)
      guard buffer.remainingByteCount == 0 else {
        throw GCodableError(.malformed, "\(buffer.remainingByteCount) bytes of a data unit were not read")
      }
      // Of a value that is not made, nothing remains.
      state.pointee.roomByteCount = buffer.allowance.roomByteCount
      state.pointee.elementRoomByteCount = buffer.allowance.elementRoomByteCount
      return value
    } catch var error as GCodableError {
      error.byteOffset = start &+ (error.byteOffset ?? 0)
      throw error
    }
  }
}
