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

  /// Calls a closure with some of the strings, by their places among all: their bytes, which need not be UTF-8.
  ///
  /// - Complexity: O(n) in their bytes; what is expanded is a piece of the array at a time.
  package func forEach(
    in strings: Range<Int>, _ decoder: GDecoder, _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let reader = try PackedTextReader(self, decoder)
    for index in strings { try unsafe reader.withBytes(of: index) { try unsafe body(index, $0) } }
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

/// Reads the strings of an array in order, of which a piece is expanded at a time.
package final class PackedTextReader {
  private let texts: PackedTexts
  private let decoder: GDecoder
  private let open: ArchiveReader.OpenSegment?
  private let count: Int
  private var piece: RawBytes?
  /// Where the piece is among the bytes of all strings.
  private var range = 0..<0

  package init(_ texts: PackedTexts, _ decoder: GDecoder) throws {
    (self.texts, self.decoder, count) = (texts, decoder, texts.count)
    open = try decoder.openSegment(of: texts.array.elements)
  }

  /// Bytes of small blocks that are expanded together.
  private static let pieceByteCount = 1 << 18

  /// Calls a closure with the bytes of a string, which need not be UTF-8.
  package func withBytes<Result>(
    of index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard (0..<count).contains(index) else { throw decoder.malformed("a string is not in its array") }
    let bytes = texts.bytes(index)
    if case .stream(let all) = texts.array.elements.place {
      // The array has the bytes of all its strings.
      return try unsafe body(UnsafeRawBufferPointer(rebasing: all[bytes]))
    }
    if piece == nil || bytes.lowerBound < range.lowerBound || bytes.upperBound > range.upperBound {
      guard let open else { throw decoder.malformed("an array is nowhere") }
      // Up to the end of a block, of which a part takes as long.
      let blockByteCount = open.segment.blockByteCount
      let unit = max(Self.pieceByteCount / blockByteCount, 1) * blockByteCount
      let end = min((bytes.lowerBound / unit + 1) * unit, texts.array.elements.byteCount)
      range = bytes.lowerBound..<max(end, bytes.upperBound)
      piece = try decoder.tables.reader.bytes(range, of: open)
    }
    guard let piece else { throw decoder.malformed("an array is nowhere") }
    return try withExtendedLifetime(piece) {
      // The piece has all bytes of the string.
      try unsafe body(
        UnsafeRawBufferPointer(
          rebasing: piece.buffer[
            (bytes.lowerBound - range.lowerBound)..<(bytes.upperBound - range.lowerBound)]))
    }
  }
}
