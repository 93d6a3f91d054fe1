import Foundation
import _GraphCoding

// As in `_GraphCoding/Decoder/UnavailableCalls.swift`.

extension GraphArchive {
  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'decode(Model.self)', or 'decode(codable: Model.self)'"
  )
  @_disfavoredOverload
  public func decode() throws -> Any { throw neverCalled() }

  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'decode(Model.self, at: path)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func decode(at path: GraphPath) throws -> Any { throw neverCalled() }
}

extension GraphDecoder {
  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: url)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read(from url: URL) throws -> Any { throw neverCalled() }

  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what to decode: 'read(Model.self, from: url)', or 'codable: Model.self'"
  )
  @_disfavoredOverload
  public func read<Root>(from url: URL) throws -> Root { throw neverCalled() }
}
