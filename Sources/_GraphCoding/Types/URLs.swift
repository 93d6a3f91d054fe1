import Foundation
import _GraphSupport

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URL: _GraphRareType {
  /// Encodes the URL's own text and its base, if it has one.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(relativeString, for: .relative)
    try encoder.encodeOutOfLine(ifPresent: baseURL?.absoluteString, for: .base)
  }

  public init(from decoder: GDecoder) throws {
    let relative: String = try decoder.decodeOutOfLine(for: .relative)
    let base: String? = try decoder.decodeOutOfLine(ifPresent: .base)
    let baseURL = try base.map { base in
      guard let url = URL(string: base) else {
        throw decoder.invalidValue(URL.self, "\"\(base)\" is not the text of a URL")
      }
      return url
    }
    guard let url = URL(string: relative, relativeTo: baseURL) else {
      throw decoder.invalidValue(URL.self, "\"\(relative)\" is not the text of a URL")
    }
    self = url
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URL: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    relativeString.write(to: &wbuffer)
    try (baseURL?.absoluteString).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    let relative = try String(from: &rbuffer)
    let base = try String?(from: &rbuffer)
    let baseURL = try base.map { base in
      guard let url = URL(string: base) else { throw BinaryIOError.invalid(URL.self, "\"\(base)\"") }
      return url
    }
    guard let url = URL(string: relative, relativeTo: baseURL) else {
      throw BinaryIOError.invalid(URL.self, "\"\(relative)\"")
    }
    self = url
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URLQueryItem: _GraphRareType {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(name, for: .name)
    try encoder.encodeOutOfLine(ifPresent: value, for: .value)
  }

  public init(from decoder: GDecoder) throws {
    self.init(
      name: try decoder.decodeOutOfLine(for: .name),
      value: try decoder.decodeOutOfLine(ifPresent: .value))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URLQueryItem: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    name.write(to: &wbuffer)
    try value.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    self.init(name: try String(from: &rbuffer), value: try String?(from: &rbuffer))
  }
}
