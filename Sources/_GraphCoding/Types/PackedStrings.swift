import _GraphFiles
import _GraphSupport

// An array of strings is a nested packed array: the lengths of the strings, then the UTF-8 of all of them in one run.

/// A byte of a string in an array.
///
/// Not for use outside the package.
@frozen
public struct _GraphUTF8: GEncodable, _GraphPackable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @inlinable public static var _graphPacked: PackedFormat { .utf8 }

  // Never called: no value of the type is encoded by itself.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func encode(to encoder: GEncoder) throws {}
}

/// A type that is stored as a string.
///
/// Not for use outside the package.
public protocol _GraphText: _GraphLeafEncodable, _GraphLeafDecodable {
  /// The string that is stored.
  var _graphText: String { get }
  /// - Throws: `invalidValue` for a string that stands for no value of the type.
  init(_graphText: String, _ decoder: GDecoder) throws
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _GraphText {
  @inlinable public static var _graphPlainKind: GraphKind { .string }

  @inlinable
  public static func _graphRowFormat(_ encoder: GEncoder?) -> _GraphRowFormat {
    _GraphRowFormat(depth: 1, element: _GraphUTF8.self)
  }

  @inlinable
  public func _graphAddRows(to rows: _GraphRows) { rows.add(_graphText) }

  @inlinable public static var _graphRowDepth: Int { 1 }

  @inlinable
  public static func _graphMakeRow(_ rows: _GraphRowReader, level: Int, index: Int) throws -> Self {
    try Self(_graphText: rows.string(level: level, index: index), rows.decoder)
  }
}

extension _GraphRows {
  /// Adds a string, as an array of its bytes.
  @usableFromInline
  func add(_ string: String) {
    var text = string
    enter(text.utf8.count)
    text.withUTF8 { unsafe elements.append(copying: PackedBytes(UnsafeRawBufferPointer($0))) }
    leave()
    if text.utf8.count > CombiningMarks.leastByteCount { longTexts.append(string) }
  }
}

extension CombiningMarks {
  /// Shorter strings have no runs that count: a mark has two bytes or more.
  static var leastByteCount: Int { 2 * maximumTextCount }
}

extension GEncoder {
  /// Writes strings without identity, as `writeRows` would.
  @usableFromInline
  func writeStrings(_ strings: UnsafeBufferPointer<String>) throws {
    var byteCount = 0
    let length = unsafe strings.first?.utf8.count ?? 0
    var isUniform = length > 0
    for index in strings.indices {
      let count = unsafe strings[index].utf8.count
      byteCount += count
      if count != length { isUniform = false }
    }
    try reserve()
    try putNestedHead(.utf8, nil, levelCount: 2)
    state.pointee.out.putVarint(strings.isEmpty ? 1 : UInt64(strings.count) << 1)
    if strings.isEmpty { state.pointee.out.putVarint(0) }
    state.pointee.out.putVarint(isUniform ? UInt64(length) << 1 : 1)
    if !isUniform {
      for index in strings.indices {
        try reserve()
        unsafe state.pointee.out.putVarint(UInt64(strings[index].utf8.count))
      }
    }
    guard byteCount >= BulkArray.minimumByteCount else {
      try reserve(byteCount: byteCount + 9)
      state.pointee.out.putVarint(0)
      for index in strings.indices {
        try reserve()
        if let small = unsafe SmallString(strings[index], isUsable: state.pointee.smallStrings) {
          state.pointee.out.put(small)
        } else {
          try unsafe putText(strings[index])
        }
      }
      return
    }
    try reserve()
    let bytes = try unsafe RawBytes(textOf: strings, byteCount: byteCount) { noteMarks(in: $0) }
    putNestedSegment(
      BulkArray(
        byteCount: byteCount, elementByteCount: 1, format: .utf8, rowElementCount: isUniform ? length : 0,
        compression: tables.compression, owner: OwnedBytes(bytes, elementByteCount: 1)))
  }

  /// Puts the bytes of a string that is not small.
  @inline(never)
  private func putText(_ string: String) throws {
    var string = string
    let byteCount = string.withUTF8 {
      unsafe state.pointee.out.putBytes($0.baseAddress, count: $0.count)
      return $0.count
    }
    if byteCount > CombiningMarks.leastByteCount { noteMarks(in: string) }
  }
}

extension RawBytes {
  /// The bytes of many strings, one after the other.
  ///
  /// - Parameters:
  ///   - byteCount: how many they are.
  ///   - note: is called with long strings.
  fileprivate convenience init(
    textOf strings: UnsafeBufferPointer<String>, byteCount: Int, note: (String) -> Void
  ) throws {
    try self.init(byteCount: byteCount)
    unsafe fill { memory in
      var place = 0
      for index in strings.indices {
        var string = unsafe strings[index]
        string.withUTF8 { text in
          // `byteCount` is the sum of the counts.
          unsafe UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyMemory(
            from: UnsafeRawBufferPointer(text))
          place += text.count
        }
        if string.utf8.count > CombiningMarks.leastByteCount { note(string) }
      }
    }
  }
}

/// Elements in memory of their own.
final class OwnedBytes: PackedOwner {
  private let bytes: RawBytes
  private let elementByteCount: Int

  init(_ bytes: RawBytes, elementByteCount: Int) {
    (self.bytes, self.elementByteCount) = (bytes, elementByteCount)
  }

  func withPackedBytes<Result>(_ body: (PackedBytes) throws -> Result) rethrows -> Result {
    try unsafe body(
      PackedBytes(
        start: bytes.buffer.baseAddress, count: bytes.buffer.count / elementByteCount,
        elementByteCount: elementByteCount, stride: elementByteCount))
  }

  // Nothing else has them.
  var isCopiedOnWrite: Bool { true }
}
