import Foundation
import GraphCodable

extension FuzzTarget {
  /// Archives of which what is intact becomes a new file: as they are, and with a byte that is another one.
  static let recovery = FuzzTarget(
    name: "recovery", form: .archive, seeds: { try graph.seeds() },
    run: { bytes in
      let isValid = (try? GraphArchive(bytes).verify()) != nil
      try recover(bytes, from: isValid)
      guard !bytes.isEmpty else { return }
      var damaged = bytes
      damaged[Int(bytes.checksum % UInt64(bytes.count))] ^= 1 << (bytes.checksum >> 61)
      try recover(damaged, from: isValid)
    })

  /// - Parameter isValid: whether the archive was valid before it was damaged. One whose checksums hold, and which is
  ///   malformed all the same, is copied as it is.
  private static func recover(_ bytes: Bytes, from isValid: Bool) throws {
    try withFile(bytes) { url in
      try withPlace { newURL in
        guard try accepts("recovery", { _ = try GraphArchive.recover(url, to: newURL) }) else {
          guard !FileManager.default.fileExists(atPath: newURL.path) else {
            throw Finding("a recovery that failed has left a file")
          }
          return
        }
        do { try GraphArchive(newURL).verify() } catch let error as GCodableError {
          // What is recovered may be larger than the archive that it is from.
          let isDamaged = [.damaged, .notAnArchive, .wrongSize].contains(error.code)
          guard error.code == .limitExceeded || (!isValid && !isDamaged) else {
            throw Finding("what was recovered is not valid: \(error)")
          }
        }
      }
    }
  }
}
