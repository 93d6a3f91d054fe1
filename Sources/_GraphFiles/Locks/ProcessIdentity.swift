import CGraphArchive
import Foundation
import _GraphSupport

/// A process and where it runs, as it stands in lock files and in the names of temporary files.
struct ProcessIdentity: Sendable {
  private let process: gca_process

  private init(_ process: gca_process) { self.process = process }

  /// This process.
  ///
  /// Determined each time, because a forked process is another one.
  static var current: ProcessIdentity {
    var process = gca_process()
    unsafe gca_process_this(&process)
    return ProcessIdentity(process)
  }

  /// The name of its host.
  var host: String { Self.text(process.host) }
  /// Its number.
  var processID: Int { Int(process.id) }

  /// What became of it.
  enum State: Sendable {
    case runs
    /// It ran on this machine, and has ended.
    case isGone
    /// Only another machine, or another container of this one, can say.
    case isElsewhere
  }

  /// Whether it still runs, as far as this machine can say.
  var state: State {
    var process = process
    var here = Self.current.process
    return switch unsafe gca_process_look(&process, &here) {
    case GCA_PROCESS_RUNS: .runs
    case GCA_PROCESS_GONE: .isGone
    default: .isElsewhere
    }
  }

  // MARK: Names

  /// What the names of temporary files end with.
  private static let temporarySuffix = ".gcodable-tmp"

  /// A name for a temporary file, which no other has.
  func temporaryName() -> String {
    var process = process
    let number = UInt64.random(in: .min ... .max)
    // Its own zero is written behind the name.
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(GCA_TEMPORARY_NAME_MAX)) {
      unsafe gca_temporary_name($0.baseAddress, &process, number, Self.temporarySuffix)
      return unsafe String(cString: $0.baseAddress!)
    }
  }

  /// Removes the temporary files of a folder that processes of this host have left when they were killed.
  static func removeAbandonedFiles(in folder: String) {
    var here = current.process
    unsafe gca_file_remove_abandoned(folder, temporarySuffix, &here)
  }

  // MARK: Text

  /// Lines with a word and a value each.
  var lines: [(String, String)] {
    [
      ("host", host), ("process", "\(process.id)"), ("started", "\(process.started)"),
      ("space", "\(process.space)"), ("machine", Self.text(process.machine)),
      ("boot", Self.text(process.boot)),
    ]
  }

  /// Reads the lines.
  ///
  /// - Returns: nil where they are not complete.
  init?(_ lines: [String: String]) {
    var process = gca_process()
    guard let id = lines["process"].flatMap(Int32.init), id > 0,
      let started = lines["started"].flatMap(UInt64.init), let space = lines["space"].flatMap(UInt64.init),
      let host = lines["host"], !host.isEmpty,
      Self.set(&process.host, host), Self.set(&process.machine, lines["machine"] ?? ""),
      Self.set(&process.boot, lines["boot"] ?? "")
    else { return nil }
    (process.id, process.started, process.space) = (Int64(id), started, space)
    self.process = process
  }

  /// The text in an array of C, which Swift sees as a tuple of bytes.
  private static func text<Field>(_ field: Field) -> String {
    unsafe withUnsafeBytes(of: field) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Sets an array of C.
  ///
  /// - Returns: false if it has no room for the text and a zero.
  private static func set<Field: BitwiseCopyable>(_ field: inout Field, _ text: String) -> Bool {
    unsafe withUnsafeMutableBytes(of: &field) { bytes in
      guard text.utf8.count < bytes.count else { return false }
      unsafe bytes.copyBytes(from: text.utf8)
      return true
    }
  }
}
