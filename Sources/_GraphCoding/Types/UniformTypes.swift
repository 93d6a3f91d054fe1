// Linux has no uniform types.

#if canImport(UniformTypeIdentifiers)
  import UniformTypeIdentifiers

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// A type is its identifier; one that the system does not know comes back as far as it can be imported.
  extension UTType: _GraphRareType {
    public func encode(to encoder: GEncoder) throws {
      try encoder.encodeOutOfLine(identifier, for: .identifier)
    }

    public init(from decoder: GDecoder) throws {
      let identifier: String = try decoder.decodeOutOfLine(for: .identifier)
      guard let type = UTType(identifier) else {
        throw decoder.invalidValue(UTType.self, "the type \"\(identifier)\" is not known here")
      }
      self = type
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  extension UTType: BinaryIOType {
    public func write(to wbuffer: inout BinaryWriteBuffer) { identifier.write(to: &wbuffer) }

    public init(from rbuffer: inout BinaryReadBuffer) throws {
      try rbuffer.takeBox()
      let identifier = try String(from: &rbuffer)
      guard let type = UTType(identifier) else { throw BinaryIOError.invalid(UTType.self, identifier) }
      self = type
    }
  }
#endif
