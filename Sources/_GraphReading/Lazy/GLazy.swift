import Foundation
import _GraphCoding
import _GraphFiles

/// A value that is decoded from its archive when it is first used.
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
/// It is encoded exactly like the value itself. When it is decoded from a file, from an entry of a series, or from memory
/// that a ``GraphArchive`` holds, the value stays in the archive: large arrays in their blocks, small values as their
/// bytes. The file stays open while the lazy value exists; replacing the file by another does no harm. A large array that
/// has not been used is copied block by block when it is encoded, still compressed, and compared with its checksums on
/// the way. Any other value is decoded before it is encoded.
///
/// Two kinds of values are decoded immediately, with the rest of the graph: those that refer to objects, because an object
/// has one identity in the whole graph; and those in memory that is lent for a call, as by `GraphDecoder.decode(_:from:)`.
///
/// Any number of threads may use a lazy value at the same time. The first one decodes it, while others wait.
public struct GLazy<Value> {
  private let content: LazyContent<Value>

  /// Makes a lazy value of one that is loaded.
  public init(_ value: Value) { content = LazyContent(value) }

  fileprivate init(_ content: LazyContent<Value>) { self.content = content }

  /// Returns the value, decoding it the first time.
  ///
  /// The limits of the decoder apply to each lazy value separately.
  ///
  /// - Throws: as decoding the value does, each time until it succeeds: errors of its type, and ``GCodableError``, such as
  ///   `damaged` for blocks that have changed, and `file` where the archive cannot be read.
  /// - Complexity: O(1); the first time, that of decoding the value.
  public func get() throws -> Value { try content.get() }

  /// Whether the value has been decoded, or was loaded from the start.
  public var isLoaded: Bool { content.isLoaded }
}

extension GLazy: Sendable where Value: Sendable {}

extension GLazy: AnyLazy {}

extension GLazy: CustomStringConvertible {
  /// The value, or a note that it has not been decoded.
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
  /// Decodes the value immediately, for other coders.
  ///
  /// ``GraphDecoder`` leaves values that are also ``GDecodable`` in the archive.
  public init(from decoder: any Decoder) throws {
    // An instance of a class by a container, which asks whether it may be made.
    self.init(
      Value.self is AnyClass
        ? try decoder.singleValueContainer().decode(Value.self) : try Value(from: decoder))
  }
}
