import Foundation

/// A file that a command writes as a whole.
enum NewFile {
  /// Writes a file; an earlier one of that name is replaced when the new one is complete.
  ///
  /// - Throws: `Failure` for an address, and where the file cannot be written.
  static func write(_ data: Data, to name: String) throws(Failure) {
    let url = try writableURL(name)
    do { try data.write(to: url, options: .atomic) } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
      throw Failure("\(name): cannot be written: \(cause.localizedDescription)", status: .outputFailed)
    }
  }
}
