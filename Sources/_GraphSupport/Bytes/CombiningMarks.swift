/// Runs of combining marks, such as accents, which Swift sorts whenever it hashes or compares a string: in quadratic time.
///
/// 4,096 of them take 4 ms each time, and 100,000 more than a second. Text that people write has less than ten in a row, and
/// Unicode's stream-safe format 30.
@usableFromInline package enum CombiningMarks {
  /// The most that names have in a row: of keys and classes, and keys of metadata.
  ///
  /// Other text costs nothing up to there.
  @inlinable package static var maximumNameCount: Int { 256 }

  /// The most that an encoder allows in strings that a decoder hashes or compares, and a decoder by default.
  @inlinable package static var maximumTextCount: Int { 4096 }

  /// What a string costs where it is hashed or compared.
  package struct Cost {
    /// The marks of the longest run.
    package var longestCount = 0
    /// In steps of a decoder: a mark of a run takes those in front of it a quarter of a nanosecond each, and a step some 30.
    package var stepCount = 0

    /// That of text without long runs.
    package static let none = Cost()
  }

  /// Whether a string has more than a number of combining marks in a row.
  ///
  /// - Complexity: O(1) for short strings, O(n) for others.
  package static func exceed(_ most: Int, in string: String) -> Bool {
    cost(of: string, from: most).longestCount > most
  }

  /// What a string costs with its runs that are longer than a number of marks, or than what costs nothing.
  ///
  /// - Complexity: O(1) for short strings, O(n) for others.
  package static func cost(of string: String, from most: Int = maximumNameCount) -> Cost {
    let free = min(most, maximumNameCount)
    // A mark has two bytes at least.
    guard string.utf8.count / 2 > free else { return .none }
    var string = string
    // Only the text that makes a look at the scalars necessary is looked at twice.
    guard string.withUTF8({ unsafe mayExceed(free, in: UnsafeRawBufferPointer($0)) }) else { return .none }
    return cost(ofScalarsOf: string, beyond: free)
  }

  /// Whether more scalars in a row than a number may be marks, by the first bytes of their UTF-8.
  private static func mayExceed(_ most: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    var (count, index) = (0, 0)
    while index < bytes.count {
      // Most text is ASCII.
      if index + 8 <= bytes.count,
        unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        count = 0
        index += 8
        continue
      }
      let byte = unsafe bytes[index]
      index += 1
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

  private static func cost(ofScalarsOf string: String, beyond free: Int) -> Cost {
    var (cost, count) = (Cost.none, 0)
    func endRun() {
      if count > free {
        cost.longestCount = max(cost.longestCount, count)
        let (square, isLarge) = count.multipliedReportingOverflow(by: count)
        let (sum, isTooLarge) = cost.stepCount.addingReportingOverflow(isLarge ? .max : 1 + square / 128)
        cost.stepCount = isTooLarge ? .max : sum
      }
      count = 0
    }
    for scalar in string.unicodeScalars {
      if isReordered(scalar) { count += 1 } else if count > 0 { endRun() }
    }
    endRun()
    return cost
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
