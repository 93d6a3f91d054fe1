import _GraphFiles
import _GraphSupport

/// What a writer knows about a type: looked up once, because a conformance costs 50 to 100 ns each time.
class AnyEncodableType {}

/// How values of a type are written.
class EncodableType<Value: Encodable>: AnyEncodableType {
  /// What a field of the type holds.
  let kind: GraphKind
  /// Whether values are records or containers, whose parts can become those of another record.
  let hasParts: Bool
  /// Its owner, which outlives it.
  @safe unowned(unsafe) let writer: CodableWriter

  init(_ kind: GraphKind, hasParts: Bool = true, _ writer: CodableWriter) {
    self.kind = kind
    self.hasParts = hasParts
    self.writer = writer
  }

  /// Writes a value as `kind`.
  func write(_ value: Value) throws { preconditionFailure("every type is of a subclass") }

  /// Writes a conditional reference, as `tagged`.
  ///
  /// Values of most types have no identity.
  func writeConditional(_ value: Value) throws {
    try writer.encoder.reserve()
    writer.graph.pointee.out.putByte(kind.rawValue)
    try write(value)
  }

  /// Writes the elements of an array, without kind and count.
  func writeElements(_ elements: UnsafeBufferPointer<Value>) throws {
    var index = 0
    try writer.withElements(&index) { index in
      // The array holds the elements during the call.
      while index.pointee < elements.count {
        try unsafe write(elements[index.pointee])
        index.pointee += 1
      }
    }
  }
}

/// A type that is `GCodable` as well.
final class NativeEncodable<Value: Encodable & GEncodable>: EncodableType<Value> {
  init(_ writer: CodableWriter) {
    super.init(
      writer.encoder.nestedKind(Value.self), hasParts: Value.self is any EncodableContainer.Type, writer)
  }

  override func write(_ value: Value) throws { try writer.encoder.writeNested(value) }

  override func writeConditional(_ value: Value) throws { try writer.encoder.writeConditional(value) }
}

/// A struct, enum or class that encodes its own fields.
///
/// Its adapter is the argument of the class, which carries metadata and conformances: in generic code, Swift looks them up each
/// time.
final class RecordEncodable<Value, Adapter: EncodableAdapter>: EncodableType<Value>
where Adapter.Value == Value {
  private let type: Pinned<EncoderType>

  init(_ writer: CodableWriter) {
    type = writer.encoder.encoderType(Adapter.self)
    super.init(type.pointee.kind, writer)
  }

  override func write(_ value: Value) throws {
    switch type.pointee.plan {
    case .record: try writer.writeRecord(value, type)
    case .reference: try writer.encoder.writeReference(Adapter(value))
    case .dynamicIdentity: try writer.encoder.writeDynamic(Adapter(value), type)
    }
  }

  override func writeConditional(_ value: Value) throws {
    try writer.encoder.writeConditional(Adapter(value))
  }

  override func writeElements(_ elements: UnsafeBufferPointer<Value>) throws {
    guard type.pointee.plan == .reference else { return try unsafe super.writeElements(elements) }
    // One pointer each, as `Value`.
    try unsafe elements.withMemoryRebound(to: Adapter.self) {
      try unsafe writer.encoder.writeReferences($0, of: ArrayStorage())
    }
  }
}
