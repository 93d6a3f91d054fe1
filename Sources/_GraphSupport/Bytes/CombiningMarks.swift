/// Runs of combining marks, such as accents, which Swift sorts whenever it hashes or compares a string: in quadratic time.
///
/// 4,096 of them take 4 ms each time, and 100,000 more than a second. Text that people write has less than ten in a row, and
/// Unicode's stream-safe format 30.
package enum CombiningMarks {
  /// The most that names have in a row: of classes, and keys of metadata.
  package static let maximumNameCount = 256

  /// Whether a string has more than a number of combining marks in a row.
  ///
  /// - Complexity: O(1) for short strings and ASCII, O(n) for others.
  package static func exceed(_ most: Int, in string: String) -> Bool {
    // A mark has two bytes at least.
    guard string.utf8.count / 2 > most, string.utf16.count != string.utf8.count else { return false }
    var string = string
    // Only the text that makes a look at the scalars necessary is looked at twice.
    return string.withUTF8 { unsafe mayExceed(most, in: $0) } && exceed(most, inScalarsOf: string)
  }

  /// Whether more scalars in a row than a number may be marks, by the first bytes of their UTF-8.
  private static func mayExceed(_ most: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var count = 0
    for index in bytes.indices {
      let byte = unsafe bytes[index]
      if byte & 0xC0 == 0x80 { continue }
      switch byte {
      // Latin, Greek, most of Cyrillic, Chinese and Korean have none.
      case 0xCC, 0xCD, 0xD2, 0xD6...0xD9, 0xDB...0xDD, 0xDF, 0xE0...0xE3, 0xEA, 0xEF, 0xF0:
        count += 1
        if count > most { return true }
      default: count = 0
      }
    }
    return false
  }

  private static func exceed(_ most: Int, inScalarsOf string: String) -> Bool {
    var count = 0
    for scalar in string.unicodeScalars {
      count = isReordered(scalar) ? count + 1 : 0
      if count > most { return true }
    }
    return false
  }

  /// Whether a scalar is a mark that has a place among those around it, or decomposes into such.
  static func isReordered(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0xF73, 0xF75, 0xF81: true  // Of class 0, and made of two that are not.
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }
}
