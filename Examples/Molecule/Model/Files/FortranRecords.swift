/// Reads a file of Fortran records: each has its length in four bytes in front and again behind.
///
/// Every length is checked against the file before anything is read, so no input can make it trap.
struct FortranRecords {
  private let bytes: [UInt8]
  private let isSwapped: Bool
  /// Where the next record starts.
  private(set) var offset = 0

  /// Opens a file whose first record has the given length, in whichever byte order that is.
  ///
  /// - Throws: `MoleculeError.binary` if the first record has another length.
  init(_ bytes: [UInt8], firstLength: Int) throws {
    self.bytes = bytes
    guard bytes.count >= 4 else {
      throw MoleculeError.binary(offset: 0, "the file is truncated: it has only \(bytes.count) bytes")
    }
    let marker = Self.load(UInt32.self, bytes, 0)
    if Int(marker) == firstLength {
      isSwapped = false
    } else if Int(marker.byteSwapped) == firstLength {
      isSwapped = true
    } else {
      throw MoleculeError.binary(
        offset: 0, "this is no DCD file: its first record has to be \(firstLength) bytes long")
    }
  }

  /// Whether all records have been read.
  var isAtEnd: Bool { offset == bytes.count }

  /// The bytes of the next record.
  ///
  /// - Parameters:
  ///   - name: What the record is, for the error.
  ///   - length: How long it has to be, if that is known.
  mutating func next(_ name: String, length: Int? = nil) throws -> Range<Int> {
    let start = offset
    guard bytes.count - start >= 8 else { throw truncated(name) }
    let count = Int(integer(at: start))
    guard count >= 0 else {
      throw MoleculeError.binary(offset: start, "the record of \(name) has the length \(count)")
    }
    if let length, count != length {
      throw MoleculeError.binary(
        offset: start, "the record of \(name) has \(count) bytes instead of \(length)")
    }
    guard bytes.count - start - 8 >= count else { throw truncated(name) }
    let body = start + 4..<start + 4 + count
    let repeated = Int(integer(at: body.upperBound))
    guard repeated == count else {
      throw MoleculeError.binary(
        offset: body.upperBound,
        "the record of \(name) starts with the length \(count) and ends with \(repeated)")
    }
    offset = body.upperBound + 4
    return body
  }

  private func truncated(_ name: String) -> MoleculeError {
    .binary(offset: bytes.count, "the file is truncated inside of the record of \(name)")
  }

  /// The integer at an offset inside of a record.
  func integer(at offset: Int) -> Int32 {
    let raw = Self.load(UInt32.self, bytes, offset)
    return Int32(bitPattern: isSwapped ? raw.byteSwapped : raw)
  }

  /// The text in a range inside of a record, without blanks at its end.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self).trimmed
  }

  /// The single-precision numbers in a range inside of a record.
  func appendFloats(_ range: Range<Int>, to numbers: inout [Float]) {
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      numbers.append(float(at: offset))
    }
  }

  /// The single-precision number at an offset inside of a record.
  func float(at offset: Int) -> Float {
    Float(bitPattern: UInt32(bitPattern: integer(at: offset)))
  }

  /// The double-precision number at an offset inside of a record.
  func double(at offset: Int) -> Double {
    let raw = Self.load(UInt64.self, bytes, offset)
    return Double(bitPattern: isSwapped ? raw.byteSwapped : raw)
  }

  /// A little-endian integer; the caller has checked that it lies inside of the file.
  private static func load<Integer: FixedWidthInteger>(
    _: Integer.Type, _ bytes: [UInt8], _ offset: Int
  ) -> Integer {
    bytes[offset..<offset + MemoryLayout<Integer>.size].withUnsafeBytes { buffer in
      Integer(littleEndian: buffer.loadUnaligned(as: Integer.self))
    }
  }
}
