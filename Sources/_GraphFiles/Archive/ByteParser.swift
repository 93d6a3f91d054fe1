import CGraphArchive
import _GraphSupport

/// Reads numbers and strings of the archive's own tables, checking every one against what is there.
@safe  // The bytes outlive the parser.
@usableFromInline
package struct ByteParser {
  @usableFromInline var reader: StreamReader
  /// Where the first byte lies in the archive, for error messages.
  let origin: UInt64
  /// What is being read, for error messages.
  let subject: String

  /// Parses `bytes`, which must outlive the parser.
  package init(_ bytes: UnsafeRawBufferPointer, origin: UInt64, subject: String) {
    self.origin = origin
    self.subject = subject
    reader = unsafe StreamReader(bytes)
  }

  var offset: UInt64 { origin + reader.offset }
  package var left: Int { reader.left }

  @usableFromInline
  @inline(never)
  package func malformed(_ message: String) -> GCodableError {
    GCodableError(.malformed, "\(subject): \(message)", byteOffset: offset)
  }

  /// Inlined: the object index is a list of them.
  @inlinable
  @inline(__always)
  package mutating func varint() throws -> UInt64 {
    guard let value = reader.nextVarint() else { throw malformed("ends inside a number") }
    return value
  }

  mutating func byte() throws -> UInt8 {
    guard let value = reader.nextByte() else { throw malformed("ends before a byte") }
    return value
  }

  mutating func fixed16() throws -> UInt16 {
    guard let value = reader.nextUInt16() else { throw malformed("ends inside a number") }
    return value
  }

  mutating func fixed32() throws -> UInt32 {
    guard let value = reader.nextUInt32() else { throw malformed("ends inside a number") }
    return value
  }

  package mutating func fixed64() throws -> UInt64 {
    guard let value = reader.nextUInt64() else { throw malformed("ends inside a number") }
    return value
  }

  /// A number of things that take at least `byteCount` bytes each.
  package mutating func count(of things: String, atLeast byteCount: Int = 1) throws -> Int {
    let value = try varint()
    guard value <= UInt64(left / max(byteCount, 1)) else {
      throw malformed("says \(value) \(things), but has \(left) bytes left")
    }
    return Int(value)
  }

  package mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard let bytes = unsafe reader.nextBytes(count) else {
      throw malformed("ends inside \(count) bytes")
    }
    return unsafe bytes
  }

  /// XXH3-64 of what has been read from `start` on, an offset in the archive.
  func hash(from start: UInt64) -> UInt64 {
    let read = unsafe reader.bytesTaken(from: start - origin)
    return unsafe gca_hash64_bytes(read.baseAddress, read.count)
  }

  mutating func string() throws -> String {
    let bytes = try unsafe bytes(count(of: "bytes of a string"))
    guard let string = unsafe String(validatingUTF8Bytes: bytes) else {
      throw malformed("holds a name that is not UTF-8")
    }
    return string
  }
}

/// Writes the archive's own tables.
@usableFromInline
package struct ByteBuilder {
  @usableFromInline package var bytes: [UInt8]

  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  @inlinable package mutating func varint(_ value: UInt64) {
    if value < 0x80 { return bytes.append(UInt8(value) << 1 | 1) }  // The one-byte form.
    var scratch: (UInt64, UInt64) = (0, 0)
    unsafe withUnsafeMutableBytes(of: &scratch) { scratch in
      let size = unsafe gca_varint_write(scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), value)
      unsafe bytes.append(contentsOf: scratch.prefix(Int(size)))
    }
  }

  @inlinable package mutating func byte(_ value: UInt8) { bytes.append(value) }

  @inlinable package mutating func fixed<Value: FixedWidthInteger>(_ value: Value) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func string(_ value: String) {
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  package mutating func append(_ more: [UInt8]) { bytes += more }

  /// Adds zeros up to a number of bytes.
  package mutating func pad(to byteCount: Int) {
    bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count))
  }
}
