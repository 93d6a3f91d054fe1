import Foundation
import GraphCodable

/// A way for bytes into the library.
public struct FuzzTarget: Sendable {
  /// What `make fuzz TARGET=` and the folder of its kept inputs call it.
  public let name: String
  /// The form of its inputs, as far as a mutator knows it.
  public let form: Form
  /// Valid inputs to start from.
  public let seeds: @Sendable () throws -> [Bytes]
  /// Reads an input.
  ///
  /// What the library refuses is no error.
  ///
  /// - Throws: `Finding`.
  public let run: @Sendable (Bytes) throws -> Void

  /// What checksums an input has.
  public enum Form: Sendable { case archive, series, bytes }

  /// What the library must not do.
  public struct Finding: Error, CustomStringConvertible {
    /// What happened.
    public let description: String
    init(_ description: String) { self.description = description }
  }

  /// All targets in Swift.
  public static let all: [FuzzTarget] = [
    .graph, .codable, .confusion, .inspection, .parts, .recovery, .series, .messages, .set, .binary, .names,
    .cyclic,
    .polymorphic,
  ]
}

/// Whether `body` returned; the errors that bad input may lead to are taken.
///
/// - Parameter ofCodable: whether errors of `Codable` are among them.
/// - Throws: `Finding` for every other error.
@discardableResult
func accepts(
  _ what: @autoclosure () -> String, ofCodable: Bool = true, _ body: () throws -> Void
) throws -> Bool {
  do {
    try body()
    return true
  } catch let error as GCodableError {
    guard error.code != .internalInconsistency else { throw FuzzTarget.Finding("\(what()): \(error)") }
  } catch is DecodingError where ofCodable {
  } catch let error as FuzzTarget.Finding {
    throw error
  } catch { throw FuzzTarget.Finding("\(what()): not an error of the library: \(error)") }
  return false
}

/// The same with a value that was decoded, which must encode, and then decode again.
func decodes<Value>(
  _ what: @autoclosure () -> String, ofCodable: Bool, _ decode: () throws -> Value,
  encode: (Value) throws -> Bytes, again: (Bytes) throws -> Value, release: (Value) -> Void
) throws {
  /// A value may be allowed to be as large as it is, and its encoding a little larger.
  func goesRound<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch let error as GCodableError {
      guard error.code == .limitExceeded else {
        throw FuzzTarget.Finding("\(what()): what was decoded does not go round: \(error)")
      }
      return nil
    }
  }
  try accepts(what(), ofCodable: ofCodable) {
    let bytes: Bytes?
    do {
      // Gone before it is there again.
      let value = try decode()
      defer { release(value) }
      bytes = try goesRound { try encode(value) }
    }
    if let bytes { _ = try goesRound { release(try again(bytes)) } }
  }
}

extension Bytes {
  /// A number that follows from the bytes, FNV-1a.
  var checksum: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
