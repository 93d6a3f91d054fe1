import _GraphSupport

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.writeString(self) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.readString() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Substring: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.writeString(String(self)) }
  public init(from rbuffer: inout BinaryReadBuffer) throws { self.init(try rbuffer.readString()) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Character: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { wbuffer.writeString(String(self)) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let string = try rbuffer.readString()
    guard let character = string.first, string.index(after: string.startIndex) == string.endIndex else {
      throw BinaryIOError.invalid(Character.self, "\(Quotation(string))")
    }
    self = character
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Unicode.Scalar: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) { value.write(to: &wbuffer) }
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let value = try UInt32(from: &rbuffer)
    guard let scalar = Unicode.Scalar(value) else { throw BinaryIOError.invalid(Unicode.Scalar.self, value) }
    self = scalar
  }
}

extension RawRepresentable where RawValue: BinaryOType {
  /// Writes the raw value, even if the type does not adopt `BinaryOType` itself.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try wbuffer.hashed { try rawValue.write(to: &$0) }
  }
}

extension RawRepresentable where RawValue: BinaryIType {
  /// Reads the raw value, even if the type does not adopt `BinaryIType` itself.
  ///
  /// - Throws: `invalidValue` for a raw value that the type does not have.
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let text = rbuffer.markedText
    let rawValue = try rbuffer.read(RawValue.self)
    // Enums compare it with their cases.
    try rbuffer.takeMarks(since: text)
    guard let value = Self(rawValue: rawValue) else {
      throw BinaryIOError.invalid(Self.self, rawValueText(rawValue))
    }
    self = value
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: BinaryOType where Wrapped: BinaryOType {
  @_semantics("optimize.sil.specialize.generic.never")
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    guard let self else { return false.write(to: &wbuffer) }
    true.write(to: &wbuffer)
    try wbuffer.nested { try self.write(to: &$0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: BinaryIType where Wrapped: BinaryIType {
  @_semantics("optimize.sil.specialize.generic.never")
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self = try Bool(from: &rbuffer) ? rbuffer.nested { try $0.read(Wrapped.self) } : nil
  }
}
