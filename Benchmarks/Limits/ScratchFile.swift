import Foundation

/// A file that is removed when its owner lets it go, which a measurement does after its time is taken.
final class ScratchFile {
  let url: URL

  /// Reserves a new name in `folder`; makes no file.
  init(in folder: URL) {
    url = folder.appendingPathComponent("benchmark-\(UUID().uuidString).scratch")
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var byteCount: Int? {
    (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? Int
  }

  /// Writes `bytes` with as few calls as the system allows; with `synchronized`, waits until the disk has
  /// them.
  func write(_ bytes: [UInt8], synchronized: Bool) throws {
    let file = try descriptor(open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644))
    defer { close(file) }
    try bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(file, bytes.baseAddress! + offset, bytes.count - offset)
        guard count > 0 else { throw currentError() }
        offset += count
      }
    }
    if synchronized, fsync(file) != 0 { throw currentError() }
  }

  /// Reads the whole file into memory that has not been touched before.
  func read() throws -> Pages {
    let file = try descriptor(open(url.path, O_RDONLY))
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw currentError() }
    let pages = Pages(byteCount: Int(status.st_size))
    var offset = 0
    while offset < pages.bytes.count {
      let count = Foundation.read(file, pages.bytes.baseAddress! + offset, pages.bytes.count - offset)
      guard count > 0 else { throw currentError() }
      offset += count
    }
    return pages
  }

  private func descriptor(_ value: Int32) throws -> Int32 {
    guard value >= 0 else { throw currentError() }
    return value
  }

  private func currentError() -> any Error {
    NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: url.path])
  }
}
