// Linux has no System module: there the types come from the package swift-system, which this package does
// not depend on.

#if canImport(System)
  import System

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// A path is its bytes, which need not be UTF-8.
  extension FilePath: _GraphRareType {
    public func encode(to encoder: GEncoder) throws {
      try encoder.encodeOutOfLine(platformBytes, for: .bytes)
    }

    public init(from decoder: GDecoder) throws {
      guard let path = FilePath(platformBytes: try decoder.decodeOutOfLine(for: .bytes)) else {
        throw decoder.invalidValue(FilePath.self, "a path has a zero byte")
      }
      self = path
    }

    private var platformBytes: [UInt8] {
      unsafe withPlatformString { start in
        var bytes: [UInt8] = []
        var next = unsafe start
        while unsafe next.pointee != 0 {  // A platform string ends with a zero.
          unsafe bytes.append(UInt8(bitPattern: next.pointee))
          unsafe next += 1
        }
        return bytes
      }
    }

    private init?(platformBytes bytes: [UInt8]) {
      if bytes.contains(0) { return nil }
      let characters = bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0]
      self = unsafe characters.withUnsafeBufferPointer { buffer in
        unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
      }
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension FilePath: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) throws { try platformBytes.write(to: &wbuffer) }

    public init(from rbuffer: inout BinaryReadBuffer) throws {
      try rbuffer.takeBox()
      guard let path = FilePath(platformBytes: try [UInt8](from: &rbuffer)) else {
        throw BinaryIOError.invalid(FilePath.self, "a path with a zero byte")
      }
      self = path
    }
  }

  // Stored as raw values. A descriptor is meaningful only in the process that opened it.
  extension Errno: GCodable, BinaryIOType {}
  extension FilePermissions: GCodable, BinaryIOType {}
  extension FileDescriptor: GCodable, BinaryIOType {}
  extension FileDescriptor.AccessMode: GCodable, BinaryIOType {}
  extension FileDescriptor.OpenOptions: GCodable, BinaryIOType {}
  extension FileDescriptor.SeekOrigin: GCodable, BinaryIOType {}
#endif
