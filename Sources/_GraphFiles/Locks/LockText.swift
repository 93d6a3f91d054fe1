import CGraphArchive
import Foundation
import _GraphSupport

/// What a lock file says: lines of text, for people as well.
struct LockText: Sendable {
  /// All of it.
  let bytes: [UInt8]
  /// Its text; nil for a file that is not a lock, or is unfinished.
  var holder: Holder? { Self.holder(String(decoding: bytes, as: UTF8.self)) }

  /// Which process has made a lock, of what, and when.
  struct Holder: Sendable {
    let process: ProcessIdentity
    /// The number of the file or folder in its file system.
    let fileNumber: UInt64
    let date: Date
  }

  /// Stands for whatever file has the name.
  static let anyFile: UInt64 = 0

  private static let firstLine = "gcodable-lock 1"

  /// A new lock of this process, distinct from every other one.
  init(of fileNumber: UInt64) {
    let process = ProcessIdentity.current
    let lines =
      process.lines + [
        ("file", "\(fileNumber)"), ("since", Date().formatted(.iso8601)),
        ("nonce", String(UInt64.random(in: .min ... .max), radix: 36)),
      ]
    let text = lines.reduce(into: Self.firstLine + "\n") { $0 += "\($1.0) \($1.1)\n" }
    self.init(Array(text.utf8))
  }

  /// Reads the text of a lock file.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func holder(_ text: String) -> Holder? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The last line reveals a partial file.
    guard lines.first == firstLine[...], lines.dropLast().last?.hasPrefix("nonce ") == true else {
      return nil
    }
    let values = Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
      }, uniquingKeysWith: { first, _ in first })
    guard let process = ProcessIdentity(values), let fileNumber = values["file"].flatMap(UInt64.init),
      let date = values["since"].flatMap({ try? Date($0, strategy: .iso8601) })
    else { return nil }
    return Holder(process: process, fileNumber: fileNumber, date: date)
  }

  /// A number that identifies this lock in file names.
  var name: String {
    let hash = unsafe bytes.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
    return String(hash, radix: 16)
  }

  /// Whether its process can no longer write what it has locked.
  ///
  /// - Parameter fileNumber: of what is to be locked now. If a process of this host has locked another file, that one
  ///   has lost its name since.
  func isStale(for fileNumber: UInt64?) -> Bool {
    guard let holder else { return false }
    switch holder.process.state {
    case .isGone: return true
    case .runs: return fileNumber.map { ![$0, Self.anyFile].contains(holder.fileNumber) } ?? false
    case .isElsewhere: return false
    }
  }
}
