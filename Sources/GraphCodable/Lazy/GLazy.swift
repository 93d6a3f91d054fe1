import Foundation

/// A value of an archive that is decoded when it is used for the first time.
///
///     struct Snapshot: GCodable {
///       var name: String
///       var positions: GLazy<[SIMD3<Double>]>
///       …
///     }
///     var snapshot = try GraphArchive(url).decode(Snapshot.self)
///     snapshot.name = "after"
///     try GraphEncoder().write(snapshot, to: url)  // Copies the positions, without expanding them.
///     let positions = try snapshot.positions.get()
///
/// It is encoded as the value itself, and leaves no trace in the archive. What is decoded from a file or an entry of a
/// series, or from memory that a ``GraphArchive`` holds, waits in the archive: large arrays in their blocks, small
/// values as their bytes. The file stays open until nobody has the lazy value, and another file that takes its name is no
/// matter. An array of which nobody has asked for an element is copied block by block when it is encoded, as compressed as it
/// is, and compared with its checksums on the way.
///
/// Two kinds of values are decoded at once, with the rest of the graph: those that refer to objects, because these have
/// one identity in all of the graph; and those in memory that is lent for a call, as by
/// `GraphDecoder.decode(_:from:)`. All other values are encoded by decoding them first, unless they are a single large array.
///
/// Any number of threads may use a lazy value at the same time. The first one decodes it, while others wait.
public struct GLazy<Value> {
  private let content: LazyContent<Value>

  /// A value that is there.
  public init(_ value: Value) { content = LazyContent(value) }

  fileprivate init(_ content: LazyContent<Value>) { self.content = content }

  /// The value, which is decoded if this has not been done.
  ///
  /// - Throws: as decoding the value does, each time until it succeeds: its type's own errors, ``GCodableError``, such as
  ///   `damaged` for blocks that have changed, and `file` where the archive cannot be read. The limits of the decoder hold for each lazy value anew.
  /// - Complexity: O(1), the first time as for decoding the value.
  public func get() throws -> Value { try content.get() }

  /// Whether the value has been decoded, or was there from the start.
  public var isLoaded: Bool { content.isLoaded }
}

extension GLazy: Sendable where Value: Sendable {}

/// `GLazy`, of whatever value.
protocol AnyLazy {}
extension GLazy: AnyLazy {}

extension GLazy: CustomStringConvertible {
  /// The value, or that it has not been decoded.
  public var description: String {
    content.isLoaded ? (try? get()).map { "\($0)" } ?? "" : "GLazy<\(Value.self)>(not loaded)"
  }
}

/// What a lazy value and its copies share.
private final class LazyContent<Value>: @unchecked Sendable {
  // `@unchecked`: `state` is used under `lock` alone.
  private let lock = NSLock()
  private var state: State

  enum State {
    case value(Value)
    case stored(StoredValue, decode: (StoredValue) throws -> Value)
  }

  init(_ value: Value) { state = .value(value) }

  init(_ stored: StoredValue, _ decode: @escaping (StoredValue) throws -> Value) {
    state = .stored(stored, decode: decode)
  }

  func get() throws -> Value {
    try lock.withLock {
      switch state {
      case .value(let value): return value
      case .stored(let stored, let decode):
        let value = try decode(stored)
        state = .value(value)
        return value
      }
    }
  }

  /// What waits in the archive; nil from the first use on.
  var stored: StoredValue? {
    lock.withLock { if case .stored(let stored, _) = state { stored } else { nil } }
  }

  var isLoaded: Bool { stored == nil }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GLazy: GDecodable where Value: GDecodable {
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> GLazy<Value> {
    guard let stored = try decoder.leave(kind) else { return GLazy(try Value._graphRead(decoder, kind)) }
    return GLazy(LazyContent(stored) { try $0.decode { try $0.readGraph(Value.self) } })
  }

  public init(from decoder: GDecoder) throws { self = try decoder.decodeOutOfLine() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GLazy: GEncodable where Value: GEncodable {
  public static var _graphPlainKind: GraphKind { Value._graphPlainKind }

  public static func _graphKind(_ encoder: GEncoder) -> GraphKind { encoder.nestedKind(Value.self) }

  public func _graphWrite(_ encoder: GEncoder) throws {
    if let stored = content.stored, try encoder.copy(stored, as: Self._graphKind(encoder)) { return }
    try encoder.writeNested(get())
  }

  public func _graphWritePlain(_ encoder: GEncoder) throws {
    if let stored = content.stored, try encoder.copy(stored, as: encoder.plainKind(Value.self)) { return }
    try get()._graphWritePlain(encoder)
  }

  public func encode(to encoder: GEncoder) throws { try encoder.encodeOutOfLine(self) }
}

extension GLazy: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try get().encode(to: encoder) }
}

extension GLazy: Decodable where Value: Decodable {
  /// Decodes the value at once, for other coders.
  ///
  /// ``GraphDecoder`` leaves values that are ``GDecodable`` as well in the archive.
  public init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
