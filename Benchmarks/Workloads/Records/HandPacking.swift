/// W1 packed by hand with `UnsafeMutableRawBufferPointer`: the limit for a coder of these records.
///
/// It knows the type beforehand, writes no key, no tag and no checksum, and trusts what it reads: a count,
/// then per record the fields in order, each little-endian number in full width, the name with one byte of
/// length.
enum HandPacking {
  /// What one record takes beside its name: id, length of the name, three coordinates, flag.
  private static let fixedByteCount = 8 + 1 + 3 * 8 + 1

  static func encode(_ records: [Record]) -> [UInt8] {
    let byteCount = records.reduce(8) { $0 + fixedByteCount + $1.name.utf8.count }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
      var writer = Writer(bytes: UnsafeMutableRawBufferPointer(buffer))
      writer.store(records.count.littleEndian)
      for record in records {
        writer.store(record.id.littleEndian)
        writer.store(record.name)
        writer.store(record.x.bitPattern.littleEndian)
        writer.store(record.y.bitPattern.littleEndian)
        writer.store(record.z.bitPattern.littleEndian)
        writer.store(UInt8(record.flag ? 1 : 0))
      }
      initializedCount = writer.offset
    }
  }

  static func decode(_ bytes: [UInt8]) -> [Record] {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(bytes: bytes)
      let count = Int(littleEndian: reader.load())
      return [Record](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        for index in 0..<count {
          let record = Record(
            id: Int(littleEndian: reader.load()),
            name: reader.loadString(),
            x: reader.loadDouble(),
            y: reader.loadDouble(),
            z: reader.loadDouble(),
            flag: reader.load() as UInt8 != 0)
          buffer.initializeElement(at: index, to: record)
        }
        initializedCount = count
      }
    }
  }
}

private struct Writer {
  let bytes: UnsafeMutableRawBufferPointer
  var offset = 0

  @inline(__always)
  mutating func store<Value: BitwiseCopyable>(_ value: Value) {
    bytes.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    offset += MemoryLayout<Value>.size
  }

  @inline(__always)
  mutating func store(_ string: String) {
    var string = string
    string.withUTF8 { utf8 in
      store(UInt8(utf8.count))
      UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: UnsafeRawBufferPointer(utf8))
      offset += utf8.count
    }
  }
}

private struct Reader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  @inline(__always)
  mutating func load<Value: BitwiseCopyable>() -> Value {
    defer { offset += MemoryLayout<Value>.size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  @inline(__always)
  mutating func loadDouble() -> Double {
    Double(bitPattern: UInt64(littleEndian: load()))
  }

  @inline(__always)
  mutating func loadString() -> String {
    let length = Int(load() as UInt8)
    defer { offset += length }
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }
}
