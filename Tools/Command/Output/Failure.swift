import ArgumentParser
import Foundation
import GraphCodable

/// Why a command cannot do its work, in words, and the exit status that says so.
struct Failure: Error {
  let message: String
  var status: ExitCode

  init(_ message: String, status: ExitCode = .failure) {
    self.message = message
    self.status = status
  }

  /// Something is wrong with a file, or with what is looked for in it.
  ///
  /// - Parameter subject: the file's name.
  init(_ error: any Error, in subject: String) {
    let subject = shownName(subject)
    switch error {
    case let failure as Failure: self = failure
    case let error as GCodableError where error.code == .file:
      self.init("\(subject): \(error.reason)", status: .unreadable)
    default: self.init("\(subject): \(error)")
    }
  }

  /// Writes the message to standard error.
  func print() {
    let name = Style.isInDiagnostics ? Style.bad.around("graphcodable:") : "graphcodable:"
    writeToStandardError("\(name) \(message.visible)\n")
  }
}

extension GCodableError {
  /// The message; for a file the system's reason alone, since the file is named anyway.
  var reason: String {
    guard code == .file else { return context.debugDescription }
    if let filePath, let name = context.debugDescription.firstRange(of: filePath + ": ") {
      return String(context.debugDescription[name.upperBound...])
    }
    let cause = context.underlyingError as? POSIXError
    return cause.map { String(cString: strerror($0.code.rawValue)) } ?? context.debugDescription
  }

  /// The same error, whose message says which part of a folder it is about.
  func about(_ subject: String) -> GCodableError {
    GCodableError(
      code, "\(subject): \(context.debugDescription)", byteOffset: byteOffset,
      underlyingError: context.underlyingError)
  }
}

extension ExitCode {
  /// The file cannot be opened or read.
  static let unreadable = ExitCode(EX_NOINPUT)
  /// Two graphs cannot be compared, whatever the reason: as other programs that compare say it.
  static let cannotCompare = ExitCode(2)
  /// The output cannot be written.
  static let outputFailed = ExitCode(EX_IOERR)
}
