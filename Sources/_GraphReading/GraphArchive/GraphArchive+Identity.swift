import CGraphArchive
import _GraphCoding
import _GraphFiles
import _GraphSupport

extension GraphArchive {
  /// A hash of an archive's values, which survives other compression.
  ///
  /// It is not a cryptographic one: it tells changes by accident apart, and finds copies, but proves nothing about who made an archive.
  public struct Identity: Hashable, Sendable, CustomStringConvertible {
    private let low: UInt64
    private let high: UInt64

    fileprivate init(_ hash: gca_hash128) { (low, high) = (hash.low, hash.high) }

    /// 32 hexadecimal digits, those of the upper half first.
    public var description: String {
      [high, low].map { number in
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    }
  }

  /// A hash of the values, and of the names of fields and classes: the same for archives that were repacked without another precision, and another
  /// one after a change of any value.
  ///
  /// Metadata, attributes, the user version and names that are for people alone are no part of it, nor is how anything is compressed,
  /// filtered, divided into blocks or aligned. Equal graphs that were encoded apart have the same one where they have the same bytes, for which
  /// sets and dictionaries need ``GraphEncoder/Options/canonicalOrder``.
  ///
  /// - Throws: `damaged` or `malformed`; `unsupported` where this version cannot expand a segment; `file` when the file cannot be read.
  /// - Complexity: O(n) in the size of the archive before compression. 64 MiB of each array are in memory.
  public func identity() throws -> Identity {
    try withReader { reader in
      var builder = ByteBuilder(Array("gcvalues".utf8))
      unsafe contents.identifyingBytes.withUnsafeBytes { unsafe builder.append(IdentityRun.hash(of: $0)) }
      for place in [contents.graph, contents.objectIndex] {
        if let placed = place.segment {
          builder.append(try reader.identityHash(of: placed))
        } else if case .embedded(let bytes) = place {
          unsafe bytes.withUnsafeBytes { unsafe builder.append(IdentityRun.hash(of: $0)) }
        }
      }
      for placed in contents.bulk {
        builder.fixed(UInt64(placed.segment.format.rawValue))
        builder.fixed(UInt64(placed.segment.elementByteCount))
        builder.append(try reader.identityHash(of: placed))
      }
      return unsafe builder.bytes.withUnsafeBytes {
        unsafe Identity(gca_hash128_bytes($0.baseAddress, $0.count))
      }
    }
  }
}

/// The hash of a run of bytes, which is that of the hashes of its pieces: so it takes no more memory than some of them.
private struct IdentityRun {
  static let pieceByteCount = 1 << 20
  private var builder = ByteBuilder()

  init(byteCount: UInt64) { builder.fixed(byteCount) }

  /// Adds bytes behind those before, which are whole pieces.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
      let piece = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[start..<min(start + Self.pieceByteCount, bytes.count)])
      unsafe builder.append(gca_hash128_bytes(piece.baseAddress, piece.count))
    }
  }

  /// The hash of all that was added.
  var bytes: [UInt8] {
    var result = ByteBuilder()
    unsafe builder.bytes.withUnsafeBytes { unsafe result.append(gca_hash128_bytes($0.baseAddress, $0.count)) }
    return result.bytes
  }

  static func hash(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var run = Self(byteCount: UInt64(bytes.count))
    unsafe run.add(bytes)
    return run.bytes
  }
}

extension ArchiveReader {
  /// The hash of the bytes of a segment before compression.
  fileprivate func identityHash(of placed: PlacedSegment) throws -> [UInt8] {
    let open = try open(placed)
    let byteCount = Int(open.segment.rawByteCount)
    var run = IdentityRun(byteCount: open.segment.rawByteCount)
    let step = 64 * IdentityRun.pieceByteCount
    for start in stride(from: 0, to: byteCount, by: step) {
      let bytes = try bytes(start..<min(start + step, byteCount), of: open)
      withExtendedLifetime(bytes) { unsafe run.add(bytes.buffer) }
    }
    return run.bytes
  }
}

extension ByteBuilder {
  fileprivate mutating func append(_ hash: gca_hash128) {
    fixed(hash.low)
    fixed(hash.high)
  }

  fileprivate mutating func number(_ number: some BinaryInteger) { fixed(UInt64(number)) }

  fileprivate mutating func text(_ text: String) {
    number(text.utf8.count)
    append(Array(text.utf8))
  }
}

extension Contents {
  /// What tables say of the values, in a form without choices.
  fileprivate var identifyingBytes: [UInt8] {
    var builder = ByteBuilder()
    builder.number(keys.count)
    for key in keys { builder.text(key) }
    builder.number(classes.count)
    for stored in classes {
      builder.text(stored.mangledName)
      builder.number(stored.version)
    }
    builder.number(layouts.count)
    for layout in layouts {
      builder.number(layout.fields.count)
      for field in layout.fields {
        builder.number(field.keyNumber)
        builder.number(field.format.rawValue)
      }
    }
    builder.number(shapes.count)
    for shape in shapes {
      let flags = [(shape.isClass, 1), (shape.isOpen, 2), (shape.isBoxed, 4), (shape.isList, 32)]
      builder.number(flags.reduce(0) { $1.0 ? $0 | $1.1 : $0 })
      builder.number(shape.classNumber)
      builder.number(shape.fields.count)
      for field in shape.fields {
        builder.number(field.keyNumber)
        builder.number(field.kind.rawValue)
      }
    }
    builder.number(objectCount)
    builder.number(storedObjectCount)
    return builder.bytes
  }
}
