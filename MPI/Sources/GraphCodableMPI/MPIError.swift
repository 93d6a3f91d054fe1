import CGraphCodableMPI
import COpenMPI
import Foundation

/// A failed call of MPI, after which ranks can no longer agree on anything.
///
/// An error of a set or a graph is a `GCodableError` instead, the same on all ranks.
public struct MPIError: LocalizedError, CustomStringConvertible, Sendable {
  /// The function of MPI.
  public let function: String
  /// What it returned.
  public let code: Int
  /// What MPI says about that.
  public let description: String
  /// The `description`.
  public var errorDescription: String? { description }

  init(_ function: String, _ code: Int32) {
    (self.function, self.code) = (function, Int(code))
    var text = [CChar](repeating: 0, count: Int(MPI_MAX_ERROR_STRING))
    var length: Int32 = 0
    // The text has the room that MPI asks for.
    let result = unsafe MPI_Error_string(code, &text, &length)
    let bytes = text.prefix(result == Int32(MPI_SUCCESS) ? Int(length) : 0).map { UInt8(bitPattern: $0) }
    description = "\(function): \(bytes.isEmpty ? "error \(code)" : String(decoding: bytes, as: UTF8.self))"
  }

  static func check(_ code: Int32, _ function: String) throws(Self) {
    guard code == Int32(MPI_SUCCESS) else { throw Self(function, code) }
  }
}
