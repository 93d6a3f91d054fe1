import Foundation
import GraphCodable

/// The rank whose error all ranks have thrown.
///
/// It is the `underlyingError` of the `GCodableError`.
public struct MPIFailedRank: LocalizedError, CustomStringConvertible, Sendable {
  /// The lowest rank on which an error was thrown.
  public let rank: Int
  /// The error itself, on that rank alone.
  public let cause: (any Error)?
  /// Whether all processes that were started together have thrown it.
  let isOfWorld: Bool

  /// The rank, and on that rank its error.
  public var description: String { "rank \(rank) has thrown\(cause.map { ": \($0)" } ?? " an error")" }

  /// The same text.
  public var errorDescription: String? { description }
}

/// Steps that all ranks have made, or none goes on.
extension MPICommunicator {
  /// Calls a function on each rank, and throws on all of them if any has thrown.
  ///
  /// Collective. The function must not be: a rank on which it throws would no longer take part.
  ///
  ///     let own = try world.agree { try read(inputs[world.rank]) }
  ///
  /// - Returns: what the function has returned on this rank.
  /// - Throws: on all ranks the error of the lowest one that has thrown: a `GCodableError` with its code (`invalidValue`
  ///   for other errors), its message and its rank, caused by an ``MPIFailedRank``; and ``MPIError``.
  /// - Complexity: two or three collective calls of MPI.
  public func agree<Value>(_ body: () throws -> Value) throws -> Value {
    let own = Result { try body() }
    let failure = own.failure.map { RankFailure($0, of: rank) }
    let first = try minimum(failure == nil ? size : rank)
    guard first < size else { return try own.get() }
    let bytes = try broadcast(failure?.bytes() ?? [], from: first)
    throw try RankFailure(bytes).error(on: self, own.failure)
  }

  /// Calls a function on rank 0, and gives all ranks what it returns or throws.
  ///
  /// Collective.
  func fromRoot<Value: GCodable>(_ body: () throws -> Value) throws -> Value {
    var bytes: [UInt8] = []
    var own: (any Error)?
    if rank == 0 {
      do { bytes = try Answer(value: body()).bytes() } catch {
        own = error
        bytes = try Answer<Value>(failure: RankFailure(error, of: 0)).bytes()
      }
    }
    let answer = try GraphDecoder().decode(Answer<Value>.self, from: broadcast(bytes))
    if let value = answer.value { return value }
    guard let failure = answer.failure else { throw GCodableError(.malformed, "rank 0 has sent nothing") }
    throw failure.error(on: self, own)
  }

  /// What rank 0 says: one of both.
  private struct Answer<Value: GCodable>: GCodable {
    var value: Value?
    var failure: RankFailure?

    init(value: Value? = nil, failure: RankFailure? = nil) { (self.value, self.failure) = (value, failure) }

    private enum Key: String { case value, failure }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(value, for: Key.value)
      try encoder.encode(failure, for: Key.failure)
    }

    init(from decoder: GDecoder) throws {
      value = try decoder.decode(for: Key.value)
      failure = try decoder.decode(for: Key.failure)
    }
  }
}

/// The error of a rank, as the others get to know it.
struct RankFailure: Error, GCodable {
  let rank: Int
  let code: GCodableError.Code
  let message: String

  /// Takes over an error of a rank, or the one that it got from another.
  init(_ error: any Error, of rank: Int) {
    if let known = error as? RankFailure {
      self = known
      return
    }
    self.rank = rank
    code = (error as? GCodableError)?.code ?? .invalidValue
    let text = "\(error)"
    // The error to throw says its code again.
    let name = "\(code.name): "
    message = text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text
  }

  init(_ bytes: [UInt8]) throws { self = try GraphDecoder().decode(Self.self, from: bytes) }

  /// The error to throw on a rank, which may have one itself.
  func error(on communicator: MPICommunicator, _ own: (any Error)?) -> GCodableError {
    let cause = rank == communicator.rank ? own : nil
    return GCodableError(
      code, "rank \(rank) of \(communicator.size): \(message)",
      underlyingError: MPIFailedRank(rank: rank, cause: cause, isOfWorld: communicator.isWorld))
  }

  private enum Key: String { case rank, code, message }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(rank, for: Key.rank)
    try encoder.encode(code.rawValue, for: Key.code)
    try encoder.encode(message, for: Key.message)
  }

  init(from decoder: GDecoder) throws {
    rank = try decoder.decode(for: Key.rank)
    code = GCodableError.Code(rawValue: try decoder.decode(for: Key.code))
    message = try decoder.decode(for: Key.message)
  }
}

extension GEncodable {
  /// The value as an archive, to be sent.
  func bytes(by encoder: GraphEncoder = GraphEncoder()) throws -> [UInt8] {
    try [UInt8](encoder.encode(self) as Data)
  }
}

extension Error {
  /// Whether all processes that were started together have thrown it.
  var isOfAllRanks: Bool {
    ((self as? GCodableError)?.context.underlyingError as? MPIFailedRank)?.isOfWorld ?? false
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
