import Foundation

/// Names of files as texts, also those that are not UTF-8.
///
/// A byte that belongs to no UTF-8 stands in a text as one of the last 128 scalars of Unicode, which belong to nobody; where a
/// name has these scalars themselves, each of their bytes does, so that every name has one text and every text one name.
/// Messages show such a byte as `\xE9`.
enum FileName {
  /// The arguments of this program.
  static let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { number in
    CommandLine.unsafeArgv[number].map { text(UnsafeBufferPointer(start: $0, count: strlen($0))) }
  }

  private static let scalars = UInt32(0x10FF80)...0x10FFFF

  static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar.value) }

  /// Whether a name is UTF-8.
  static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isByte) }

  static func text(_ name: some Sequence<CChar>) -> String {
    var rest = name.map { UInt8(bitPattern: $0) }[...]
    var text = ""
    while let first = rest.first {
      let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if let valid = String(validating: rest.prefix(count), as: UTF8.self), isUTF8(valid) {
        text += valid
        rest = rest.dropFirst(count)
      } else {
        if let scalar = Unicode.Scalar(0x10FF00 + UInt32(first)) { text.unicodeScalars.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// The name in an address, whose bytes that are not UTF-8 have escapes of their own.
  static func text(ofPercentEncoded path: String) -> String {
    var (bytes, rest) = ([UInt8](), Array(path.utf8)[...])
    while let first = rest.popFirst() {
      let byte =
        first == UInt8(ascii: "%") ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
      if byte != nil { rest = rest.dropFirst(2) }
      bytes.append(byte ?? first)
    }
    return text(bytes.map { CChar(bitPattern: $0) })
  }

  /// The bytes of a name, with a zero behind them.
  static func bytes(_ text: String) -> [CChar] {
    text.unicodeScalars.flatMap { scalar in
      isByte(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }.map { CChar(bitPattern: $0) } + [0]
  }

  /// The names in a folder, in alphabetical order, but for those of itself and the one above.
  ///
  /// - Returns: nil where they cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let directory = opendir(bytes(folder)) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // The name ends with a zero, within the entry, which stays as it is until the next one is read.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 1) {
          text(UnsafeBufferPointer(start: $0, count: strlen($0)))
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What is at a path; of a link, the link itself.
  static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(bytes(path), &status) == 0 ? status : nil
  }
}

/// Files whose names, or those of folders on the way, are not UTF-8, by other names: URLs cannot have theirs.
///
/// Only Linux has such files. There an open file has a name of its own, and so has a folder.
///
/// `@unchecked`: the list is used under `lock` alone.
final class OpenNames: @unchecked Sendable {
  static let shared = OpenNames()
  private let lock = NSLock()
  private var descriptors: [(name: String, descriptor: Int32)] = []

  /// Files are opened at once by their new names, and folders soon.
  private static let maximumCount = 64

  /// The path of a file; the one that was given where there is no other.
  func path(_ name: String) -> String {
    guard let slash = name.lastIndex(of: "/") else { return open(name) ?? name }
    let last = String(name[name.index(after: slash)...])
    // Only the folder needs another name; so files can be made there.
    guard FileName.isUTF8(last), !last.isEmpty else { return open(name) ?? name }
    return open(String(name[...slash])).map { $0 + "/" + last } ?? name
  }

  /// `O_PATH`, which the headers keep from Swift.
  private let pathOnly: Int32 = 0o10_000_000

  private func open(_ name: String) -> String? {
    #if os(Linux)
      lock.withLock {
        if let known = descriptors.first(where: { $0.name == name }) { return Self.path(known.descriptor) }
        // Also what this process may not read, which it is told then.
        let descriptor = Glibc.open(FileName.bytes(name), pathOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        descriptors.append((name, descriptor))
        if descriptors.count > Self.maximumCount { close(descriptors.removeFirst().descriptor) }
        return Self.path(descriptor)
      }
    #else
      nil
    #endif
  }

  private static func path(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
