import Foundation

/// Memory straight from the system, so that a measurement knows whether its pages have been touched before.
///
/// `malloc` would hand out a mixture: what an earlier iteration freed is warm, what comes from the system is
/// not.
final class Pages {
  let bytes: UnsafeMutableRawBufferPointer

  /// Maps `byteCount` bytes, none of them touched.
  init(byteCount: Int) {
    let address = mmap(nil, max(byteCount, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0)
    guard let address, address != MAP_FAILED else { fatalError("no memory for \(byteCount) bytes") }
    bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }

  /// Maps memory and copies `source` into it.
  convenience init(copying source: [UInt8]) {
    self.init(byteCount: source.count)
    bytes.copyBytes(from: source)
  }

  deinit {
    munmap(bytes.baseAddress, max(bytes.count, 1))
  }

  func hasSameBytes(as other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in
      guard other.count == bytes.count else { return false }
      return other.isEmpty || memcmp(bytes.baseAddress!, other.baseAddress!, other.count) == 0
    }
  }

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = MAP_ANONYMOUS
  #endif
}
