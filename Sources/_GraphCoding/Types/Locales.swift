import Foundation
import _GraphSupport

// Locales and time zones are stored by their identifier, and made from it by the system that decodes them.
// `current` is stored as what it is when it is encoded; `autoupdatingCurrent` comes back as itself, and so
// as whatever is current where it is decoded. Foundation's identifiers of fixed offsets from GMT are rounded
// to minutes, so others are stored as their seconds. Foundation compares and hashes identifiers, in quadratic time where they
// have many combining marks; so such ones, and long ones, are refused, which no system has. Encoding refuses them, too.

extension String {
  /// Whether Foundation may be asked for what has this identifier.
  fileprivate var isIdentifier: Bool { utf8.count <= 1024 && !CombiningMarks.exceed(16, in: self) }

  /// The identifier, which may be stored.
  ///
  /// - Throws: `invalidValue` for one that decoding would refuse.
  fileprivate func asIdentifier(of type: Any.Type) throws -> String {
    guard isIdentifier else {
      throw BinaryIOError.invalid(type, "\(Quotation(self)), which is too long for an identifier,")
    }
    return self
  }
}

extension Locale {
  /// - Returns: nil for an identifier that is too long to be one.
  fileprivate init?(storedIdentifier identifier: String, isAutoupdating: Bool) {
    guard identifier.isIdentifier else { return nil }
    self = isAutoupdating ? .autoupdatingCurrent : Locale(identifier: identifier)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Locale: _GraphRareType {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(identifier.asIdentifier(of: Self.self), for: .identifier)
    try encoder.encodeOutOfLine(self == .autoupdatingCurrent, for: .isAutoupdating)
  }

  public init(from decoder: GDecoder) throws {
    let identifier: String = try decoder.decodeOutOfLine(for: .identifier)
    let isAutoupdating: Bool = try decoder.decodeOutOfLine(for: .isAutoupdating)
    guard let locale = Locale(storedIdentifier: identifier, isAutoupdating: isAutoupdating) else {
      throw decoder.invalidValue(Locale.self, "\(Quotation(identifier)) is too long for an identifier")
    }
    self = locale
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Locale: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try identifier.asIdentifier(of: Self.self).write(to: &wbuffer)
    (self == .autoupdatingCurrent).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    let identifier = try String(from: &rbuffer)
    let isAutoupdating = try Bool(from: &rbuffer)
    guard let locale = Locale(storedIdentifier: identifier, isAutoupdating: isAutoupdating) else {
      throw BinaryIOError.invalid(Locale.self, "\(Quotation(identifier))")
    }
    self = locale
  }
}

extension TimeZone {
  /// The identifier; for an offset from GMT that it does not tell, the seconds: "GMT+12345s".
  private var storedIdentifier: String {
    let seconds = secondsFromGMT()
    guard identifier.hasPrefix("GMT"), TimeZone(identifier: identifier)?.secondsFromGMT() != seconds else {
      return identifier
    }
    return "GMT\(seconds < 0 ? "" : "+")\(seconds)s"
  }

  private init?(storedIdentifier identifier: String) {
    guard identifier.isIdentifier else { return nil }
    if identifier.hasPrefix("GMT"), identifier.hasSuffix("s"),
      let seconds = Int(identifier.dropFirst(3).dropLast())
    {
      guard (-64_800...64_800).contains(seconds) else { return nil }
      self.init(secondsFromGMT: seconds)
    } else {
      self.init(identifier: identifier)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimeZone: _GraphRareType {
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(storedIdentifier.asIdentifier(of: Self.self), for: .identifier)
    try encoder.encodeOutOfLine(self == .autoupdatingCurrent, for: .isAutoupdating)
  }

  /// - Throws: `invalidValue` for a time zone that this system does not know.
  public init(from decoder: GDecoder) throws {
    let identifier: String = try decoder.decodeOutOfLine(for: .identifier)
    let isAutoupdating: Bool = try decoder.decodeOutOfLine(for: .isAutoupdating)
    guard let zone = isAutoupdating ? .autoupdatingCurrent : TimeZone(storedIdentifier: identifier) else {
      throw decoder.invalidValue(TimeZone.self, "the time zone \(Quotation(identifier)) is not known here")
    }
    self = zone
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimeZone: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try storedIdentifier.asIdentifier(of: Self.self).write(to: &wbuffer)
    (self == .autoupdatingCurrent).write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    let identifier = try String(from: &rbuffer)
    guard let zone = try Bool(from: &rbuffer) ? .autoupdatingCurrent : TimeZone(storedIdentifier: identifier)
    else {
      throw BinaryIOError.invalid(TimeZone.self, "\(Quotation(identifier))")
    }
    self = zone
  }
}
