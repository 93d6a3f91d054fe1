import _GraphCoding
import _GraphFiles
import _GraphSupport

/// The strings of a nested packed array, whose innermost arrays are their bytes.
package struct PackedTexts {
  package let array: NestedArray

  /// - Returns: nil for arrays of anything but strings.
  package init?(_ array: NestedArray) {
    guard array.elements.isText else { return nil }
    self.array = array
  }

  /// The level of the arrays that are strings.
  var level: Int { array.shape.levels.count - 1 }

  /// How many strings there are in all.
  package var count: Int {
    var arrays = 0..<1
    for level in 0..<level { arrays = array.shape.parts(of: arrays, at: level) }
    return arrays.count
  }

  /// Where the bytes of a string are.
  func bytes(_ index: Int) -> Range<Int> { array.shape.parts(of: index, at: level) }

  /// The strings that have some bytes.
  ///
  /// - Complexity: O(log n).
  package func strings(with range: Range<Int>) -> Range<Int> {
    let all = 0..<count
    let first = all.partitioningIndex { bytes($0).upperBound > range.lowerBound }
    return first..<max(all.partitioningIndex { bytes($0).lowerBound >= range.upperBound }, first)
  }

  /// Bytes of strings that are looked at together, unless one is longer.
  private static let pieceByteCount = 1 << 18

  /// Calls a closure with some of the strings, by their places among all: their bytes, which need not be UTF-8.
  ///
  /// - Complexity: O(n) in their bytes; what is expanded is a piece of the array at a time.
  package func forEach(
    in strings: Range<Int>, _ decoder: GDecoder, _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let open = try decoder.openSegment(of: array.elements)
    var index = strings.lowerBound
    while index < strings.upperBound {
      var (end, range) = (index, bytes(index))
      while end < strings.upperBound, end == index || range.count < Self.pieceByteCount {
        range = range.lowerBound..<bytes(end).upperBound
        end += 1
      }
      func visit(_ piece: UnsafeRawBufferPointer) throws {
        for string in index..<end {
          let bytes = bytes(string)
          // The piece has the bytes of all strings from `index` to `end`.
          let text = unsafe UnsafeRawBufferPointer(
            rebasing: piece[(bytes.lowerBound - range.lowerBound)..<(bytes.upperBound - range.lowerBound)])
          try unsafe body(string, text)
        }
      }
      if let open {
        try unsafe decoder.withBytes(range, of: array.elements, in: open, visit)
      } else {
        try unsafe decoder.withBytes(range, of: array.elements, visit)
      }
      index = end
    }
  }

  /// The bytes of some of the strings.
  package func bytes(in strings: Range<Int>, _ decoder: GDecoder) throws -> [[UInt8]] {
    var bytes: [[UInt8]] = []
    try unsafe forEach(in: strings, decoder) { unsafe bytes.append(Array($1)) }
    return bytes
  }

  /// - Throws: `invalidValue` for a string that is not UTF-8.
  package func check(_ decoder: GDecoder) throws {
    try unsafe forEach(in: 0..<count, decoder) { _, bytes in
      guard unsafe String(validatingUTF8Bytes: bytes) != nil else {
        throw decoder.invalidValue(String.self, "\(bytes.count) bytes are not valid UTF-8")
      }
    }
  }
}
