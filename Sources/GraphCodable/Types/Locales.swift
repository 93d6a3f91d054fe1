// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// Locales and time zones are stored by their identifier, and made from it by the system that decodes them.
// `current` is stored as what it is when it is encoded; `autoupdatingCurrent` comes back as itself, and so
// as whatever is current where it is decoded. The identifier of a fixed offset from GMT has no seconds, so
// offsets with seconds are refused.

private enum IdentifierKey: String { case identifier, isAutoupdating }

extension Locale: GCodable {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encode(identifier, for: IdentifierKey.identifier)
    try encoder.encode(self == .autoupdatingCurrent, for: IdentifierKey.isAutoupdating)
  }

  public init(from decoder: GDecoder) throws {
    let identifier: String = try decoder.decode(for: IdentifierKey.identifier)
    let isAutoupdating: Bool = try decoder.decode(for: IdentifierKey.isAutoupdating)
    self = isAutoupdating ? .autoupdatingCurrent : Locale(identifier: identifier)
  }
}

extension Locale: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    identifier.write(to: &wbuffer)
    (self == .autoupdatingCurrent).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let identifier = try String(from: &rbuffer)
    self = try Bool(from: &rbuffer) ? .autoupdatingCurrent : Locale(identifier: identifier)
  }
}

extension TimeZone {
  /// - Throws: `invalidValue` where the identifier is that of another offset from GMT.
  private func checkIdentifier() throws {
    guard self != .autoupdatingCurrent, identifier.hasPrefix("GMT"),
      TimeZone(identifier: identifier)?.secondsFromGMT() != secondsFromGMT()
    else { return }
    throw BinaryIOError.invalid(
      TimeZone.self, "an offset of \(secondsFromGMT()) s, whose identifier \(identifier) is another's,")
  }
}

extension TimeZone: GCodable {
  /// - Throws: `invalidValue` for an offset from GMT that is not in whole minutes.
  public func encode(to encoder: GEncoder) throws {
    try checkIdentifier()
    try encoder.encode(identifier, for: IdentifierKey.identifier)
    try encoder.encode(self == .autoupdatingCurrent, for: IdentifierKey.isAutoupdating)
  }

  /// - Throws: `invalidValue` for a time zone that this system does not know.
  public init(from decoder: GDecoder) throws {
    let identifier: String = try decoder.decode(for: IdentifierKey.identifier)
    let isAutoupdating: Bool = try decoder.decode(for: IdentifierKey.isAutoupdating)
    guard let zone = isAutoupdating ? .autoupdatingCurrent : TimeZone(identifier: identifier) else {
      throw decoder.invalidValue(TimeZone.self, "the time zone \"\(identifier)\" is not known here")
    }
    self = zone
  }
}

extension TimeZone: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try checkIdentifier()
    identifier.write(to: &wbuffer)
    (self == .autoupdatingCurrent).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let identifier = try String(from: &rbuffer)
    guard let zone = try Bool(from: &rbuffer) ? .autoupdatingCurrent : TimeZone(identifier: identifier) else {
      throw BinaryIOError.invalid(TimeZone.self, "\"\(identifier)\"")
    }
    self = zone
  }
}
