// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension URL: GCodable {
  private enum Key: String { case relative, base }

  /// Encodes the URL's own text and its base, if it has one.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(relativeString, for: Key.relative)
    try encoder.encodeIfPresent(baseURL?.absoluteString, for: Key.base)
  }

  public init(from decoder: GDecoder) throws {
    let relative: String = try decoder.decode(for: Key.relative)
    let base: String? = try decoder.decodeIfPresent(for: Key.base)
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

extension URL: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    relativeString.write(to: &wbuffer)
    try (baseURL?.absoluteString).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
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

extension URLQueryItem: GCodable {
  private enum Key: String { case name, value }

  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encodeIfPresent(value, for: Key.value)
  }

  public init(from decoder: GDecoder) throws {
    self.init(name: try decoder.decode(for: Key.name), value: try decoder.decodeIfPresent(for: Key.value))
  }
}

extension URLQueryItem: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    name.write(to: &wbuffer)
    try value.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(name: try String(from: &rbuffer), value: try String?(from: &rbuffer))
  }
}
