import Foundation

extension GCodableError: LocalizedError {
  /// The ``description``, so that `localizedDescription` has all of it: what to do, and where the error was found.
  public var errorDescription: String? { description }
}
