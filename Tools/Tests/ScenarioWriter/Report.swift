import Foundation
import GraphCodable

/// Prints a line at once, also where a forked process or a signal ends this one.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Does a step, and prints what became of it.
func report(_ body: () throws -> Void) {
  do {
    try body()
    say("done")
  } catch let error as GCodableError {
    let reason = (error.context.underlyingError as? POSIXError)?.code.rawValue ?? 0
    say("error \(name(of: error.code)) \(reason) \(error)")
  } catch {
    say("error unknown 0 \(error)")
  }
}

/// What Python calls the code of an error.
private func name(of code: GCodableError.Code) -> String {
  switch code {
  case .file: "file"
  case .locked: "locked"
  case .notAnArchive: "notAnArchive"
  default: "\(code.rawValue)"
  }
}

/// Errors of several threads.
final class Failures: @unchecked Sendable {
  // `@unchecked`: `errors` is used under `lock` alone.
  private let lock = NSLock()
  private var errors: [any Error] = []

  func add(_ error: any Error) { lock.withLock { errors.append(error) } }
  var first: (any Error)? { lock.withLock { errors.first } }
}
