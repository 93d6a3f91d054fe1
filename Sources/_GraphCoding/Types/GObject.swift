import _GraphFiles
import _GraphSupport

/// An object behind a protocol, stored as the object that it is: with its class, its identity and all its references.
///
/// An existential type such as `any Animal` does not conform to a protocol itself, so neither it nor an array of it can be
/// decoded. `@GCodable` puts this type in its place; code by hand does the same:
///
///     protocol Animal: AnyObject, GCodable { var name: String { get } }
///
///     func encode(to encoder: GEncoder) throws {
///       try encoder.encode(animals.map { GObject<any Animal>($0) }, for: Key.animals)
///     }
///
///     init(from decoder: GDecoder) throws {
///       animals = try decoder.decode([GObject<any Animal>].self, for: Key.animals).map(\.object)
///     }
///
/// Its bytes are those of an optional reference, so a property may change from `Dog` or `Dog?` to `any Animal`.
public struct GObject<Object> {
  private let storage: Storage

  /// What is to be encoded has its coding with it: to look for it costs 100 ns for each object.
  private enum Storage {
    case encodable(any GEncodable & AnyObject)
    case decoded(Object)
  }

  /// Wraps an object.
  ///
  /// - Parameter object: an object whose protocol adopts `AnyObject` and `GCodable`, and that is an `Object`.
  public init(_ object: any GEncodable & GDecodable & AnyObject) { storage = .encodable(object) }

  /// For a message that says what to do.
  @available(
    *, unavailable,
    message:
      "only objects can be stored behind a protocol: let it adopt AnyObject and GCodable, or store an enum of values"
  )
  @_disfavoredOverload
  public init<Value>(_ value: Value) { fatalError() }

  /// The object.
  ///
  /// - Precondition: it is an `Object`, as all that have been decoded are.
  public var object: Object {
    switch storage {
    case .decoded(let object): return object
    case .encodable(let object):
      guard let object = object as? Object else {
        preconditionFailure("\(type(of: object)) is no \(Object.self)")
      }
      return object
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GObject: GEncodable {
  public static var _graphPlainKind: GraphKind { .tagged }

  public static func _graphKind(_ encoder: GEncoder) -> GraphKind { .tagged }

  public func _graphWrite(_ encoder: GEncoder) throws { try _graphWritePlain(encoder) }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    func write<Value: GEncodable>(_ value: Value) throws {
      try encoder.reserve()
      encoder.state.pointee.out.putByte(encoder.nestedKind(Value.self).rawValue)
      try encoder.writeNested(value)
    }
    try write(encodable(encoder))
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }

  fileprivate func encodable(_ encoder: GEncoder) throws -> any GEncodable {
    switch storage {
    case .encodable(let object): return object
    case .decoded(let object):
      guard let object = object as? any GEncodable else {
        throw encoder.failed(
          GCodableError(.invalidValue, "\(type(of: object as Any)) does not adopt GEncodable"))
      }
      return object
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GObject: GDecodable, StandIn {
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    switch kind {
    case .reference, .conditional:
      return try decoder.readObject(Self.self, decoder.state.pointee.stream.readObjectNumber())
    case .record:
      // An object without an identity, by an option.
      let shape = try decoder.readShape()
      guard shape.pointee.isClass else { throw decoder.typeMismatch(Self.self, "the archive has a value") }
      let instance = try decoder.readInstance(Self.self, shape)
      guard let object = Self(instance: instance) else {
        throw decoder.typeMismatch(Self.self, "the archive has an instance of \(type(of: instance))")
      }
      return object
    default: return try decoder.readOther(Self.self, kind)
    }
  }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }

  package static var subject: Any.Type { Object.self }
  package static var maker: (any GDecodable.Type)? { Object.self as? any GDecodable.Type }
  package var subject: Any { object }

  package init?(instance: AnyObject) {
    guard let object = instance as? Object else { return nil }
    storage = .decoded(object)
  }
}

extension GEncoder {
  /// Encodes an object behind a protocol only if it is encoded unconditionally elsewhere; see `encodeConditional(_:for:)`.
  public func encodeConditional<Object, Key: RawRepresentable>(
    _ object: GObject<Object>?, for key: Key
  ) throws where Key.RawValue == String {
    func encode<Value: GEncodable>(_ value: Value) throws {
      try self.encode(Conditional(value: Optional(value)), for: key)
    }
    guard let object else { return try self.encode(Conditional<GObject<Object>>(value: nil), for: key) }
    try encode(object.encodable(self))
  }
}
