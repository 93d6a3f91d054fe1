import CGraphArchive
import _GraphFiles
import _GraphSupport

/// Values inside containers and optionals, preceded by their kind.
extension GEncoder {
  /// The kind of the elements of a container, or of an optional's value.
  @inlinable
  @inline(__always)
  package func nestedKind<Value: GEncodable>(_ type: Value.Type) -> GraphKind {
    state.pointee.isCareful ? carefulKind(type) : Value._graphKind(self)
  }

  /// Writes a value as `nestedKind`.
  @inlinable
  @inline(__always)
  package func writeNested<Value: GEncodable>(_ value: Value) throws {
    if state.pointee.isCareful { try writeCareful(value) } else { try value._graphWrite(self) }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func carefulKind<Value: GEncodable>(_ type: Value.Type) -> GraphKind {
    encoderType(type).pointee.plan == .dynamicIdentity ? .taggedIdentity : Value._graphKind(self)
  }

  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writeCareful<Value: GEncodable>(_ value: Value) throws {
    let type = encoderType(Value.self)
    if type.pointee.plan == .dynamicIdentity {
      try writeDynamic(value, type)
    } else {
      try value._graphWrite(self)
    }
  }

  /// Writes an object that holds a value, with a shape of the boxed form unless the value is a record.
  @_semantics("optimize.sil.specialize.generic.never")
  func writeBoxed<Value: GEncodable>(_ value: Value, _ type: Pinned<EncoderType>) throws {
    guard type.pointee.isBoxed else { return try writeRecord(value, type) }
    try reserve()
    let number = tables.shapes.number(of: type.pointee.root, type, isOpen: false)
    state.pointee.out.putVarint(UInt64(number))
    state.pointee.out.putByte(plainKind(Value.self).rawValue)
    try nested(in: Value.self) { try value._graphWritePlain(self) }
  }
}

/// A field that holds a value, or nothing for nil.
@usableFromInline
struct IfPresent<Value: GEncodable>: GEncodable {
  @usableFromInline let value: Value?

  @inlinable init(value: Value?) { self.value = value }

  @inlinable static func _graphKind(_ encoder: GEncoder) -> GraphKind { .taggedIfPresent }

  @inlinable
  func _graphWrite(_ encoder: GEncoder) throws {
    try encoder.reserve()
    guard let value else { return encoder.state.pointee.out.putByte(GraphKind.absent.rawValue) }
    encoder.state.pointee.out.putByte(encoder.nestedKind(Value.self).rawValue)
    try encoder.writeNested(value)
  }

  @usableFromInline func encode(to encoder: GEncoder) throws { try encoder.encodeIfPresentOutOfPlace() }
}

/// A field that holds a conditional reference.
@usableFromInline
struct Conditional<Value: GEncodable>: GEncodable {
  @usableFromInline let value: Value?

  @inlinable init(value: Value?) { self.value = value }

  @inlinable static func _graphKind(_ encoder: GEncoder) -> GraphKind { .taggedConditional }

  @inlinable
  func _graphWrite(_ encoder: GEncoder) throws {
    try encoder.reserve()
    if _canBeClass(Value.self) == 1, encoder.encoderType(Value.self).pointee.plan == .reference {
      // The plan says that `Value` is a class: one pointer, zero for nil, read without a retain.
      let address = unsafe unsafeBitCast(value, to: UInt.self)
      let number = address == 0 ? 0 : encoder.state.pointee.identity.number(address)
      if address != 0, number != IdentityTable.notFound {
        encoder.state.pointee.out.putByte(GraphKind.conditional.rawValue)
        return encoder.state.pointee.out.putVarint(UInt64(number & ~IdentityTable.weakOnly))
      }
    }
    guard let value else { return encoder.state.pointee.out.putByte(GraphKind.null.rawValue) }
    try encoder.writeConditional(value)
  }

  @usableFromInline func encode(to encoder: GEncoder) throws { try encoder.encodeIfPresentOutOfPlace() }
}

extension GEncoder {
  fileprivate func encodeIfPresentOutOfPlace() throws {
    throw failed(GCodableError(.internalInconsistency, "a field's wrapper is not a value of its own"))
  }
}

extension GEncoder {
  /// Writes the inside of a container, one level deeper, on a new stack if this one runs out.
  @inlinable
  @inline(__always)
  func nested(in type: Any.Type, _ body: () throws -> Void) throws {
    if gca_stack_pointer() < state.pointee.stackLimit + Nesting.containerReserve
      || state.pointee.depth >= state.pointee.maximumDepth
    {
      return try onNewStack(type) { try nested(in: type, body) }
    }
    state.pointee.depth += 1
    try body()
    state.pointee.depth &-= 1  // It was raised above.
  }

  /// Continues on a new stack, unless that is too deep.
  @usableFromInline
  @inline(never)
  func onNewStack(_ type: Any.Type, _ body: () throws -> Void) throws {
    guard state.pointee.depth < state.pointee.maximumDepth else {
      var error = Nesting.tooDeep(state.pointee.maximumDepth)
      error.typeName = _typeName(type, qualified: true)
      throw failed(error)
    }
    let limit = state.pointee.stackLimit
    defer { state.pointee.stackLimit = limit }
    try Nesting.onNewStack {
      state.pointee.stackLimit = Nesting.stackLimit
      try body()
    }
  }
}
