import Foundation
import GraphCodable

/// Calls `body` with a name for a file or a folder, which is removed afterwards.
func withPlace<Result>(_ body: (URL) throws -> Result) throws -> Result {
  // In memory, where there is such a folder.
  let shared = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
  let folder =
    FileManager.default.isWritableFile(atPath: shared.path) ? shared : FileManager.default.temporaryDirectory
  let url = folder.appendingPathComponent("graphcodable-fuzz-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url)
}

/// Calls `body` with a file of some bytes.
func withFile<Result>(_ bytes: Bytes, _ body: (URL) throws -> Result) throws -> Result {
  try withPlace { url in
    try Data(bytes).write(to: url)
    return try body(url)
  }
}
