// A result is a record of one key, which says what it is.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Result: GEncodable where Success: GEncodable, Failure: GEncodable {
  public func encode(to encoder: GEncoder) throws {
    switch self {
    case .success(let value): try encoder.encodeOutOfLine(value, for: .success)
    case .failure(let error): try encoder.encodeOutOfLine(error, for: .failure)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Result: GDecodable where Success: GDecodable, Failure: GDecodable {
  public init(from decoder: GDecoder) throws {
    if try decoder.contains(StandardKey.success) {
      self = .success(try decoder.decodeOutOfLine(for: .success))
    } else {
      self = .failure(try decoder.decodeOutOfLine(for: .failure))
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Result: BinaryOType where Success: BinaryOType, Failure: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    switch self {
    case .success(let value):
      true.write(to: &wbuffer)
      try value.write(to: &wbuffer)
    case .failure(let error):
      false.write(to: &wbuffer)
      try error.write(to: &wbuffer)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Result: BinaryIType where Success: BinaryIType, Failure: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self =
      try Bool(from: &rbuffer)
      ? .success(try rbuffer.read(Success.self)) : .failure(try rbuffer.read(Failure.self))
  }
}

// There is no value of it to encode, but a `Result` that cannot fail has it as its failure.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Never: GCodable, BinaryIOType {
  public func encode(to encoder: GEncoder) throws {}

  public init(from decoder: GDecoder) throws {
    throw decoder.typeMismatch(Never.self, "the archive has a value")
  }

  public func write(to wbuffer: inout BinaryWriteBuffer) throws {}

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    throw BinaryIOError.invalid(Never.self, "what the archive has")
  }
}
