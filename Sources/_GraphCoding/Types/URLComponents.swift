import Foundation
import _GraphSupport

// Components are stored as the text of their URL if parsing it restores them. Others, such as a relative path
// after a host, are stored part by part, percent-encoded as they are.

extension URLComponents {
  /// The text from which `URLComponents(string:)` makes the same components.
  fileprivate var text: String? {
    guard let text = string, let again = URLComponents(string: text), again == self, again.string == text
    else { return nil }
    return text
  }

  /// The form stored if there is no such text.
  fileprivate struct Parts {
    var scheme, user, password, host: String?
    var port: Int?
    var path: String
    var query, fragment: String?
  }

  fileprivate var parts: Parts {
    Parts(
      scheme: scheme, user: percentEncodedUser, password: percentEncodedPassword, host: encodedHost,
      port: port,
      path: percentEncodedPath, query: percentEncodedQuery, fragment: percentEncodedFragment)
  }

  /// Components from parts; nil if Foundation would trap on one.
  fileprivate init?(_ parts: Parts) {
    self.init()
    guard (parts.port ?? 0) >= 0,
      Self.isPart(parts.scheme, \.scheme, "", ":"),
      // A colon is part of the user when set, but not when parsed.
      Self.isPart(
        parts.user?.replacingOccurrences(of: ":", with: "%3A"), \.percentEncodedUser, "s://", "@h"),
      Self.isPart(parts.password, \.percentEncodedPassword, "s://u:", "@h"),
      Self.isPart(parts.host, \.encodedHost, "s://", ""),
      Self.isPart(parts.path, \.percentEncodedPath, parts.path.hasPrefix("/") ? "s://h" : "s:", ""),
      Self.isPart(parts.query, \.percentEncodedQuery, "s:?", ""),
      Self.isPart(parts.fragment, \.percentEncodedFragment, "s:#", "")
    else { return nil }
    scheme = parts.scheme
    percentEncodedUser = parts.user
    percentEncodedPassword = parts.password
    encodedHost = parts.host
    port = parts.port
    percentEncodedPath = parts.path
    percentEncodedQuery = parts.query
    percentEncodedFragment = parts.fragment
  }

  /// Whether a text is a part: it is found again in a URL that has it in its place.
  ///
  /// The parser refuses what the setters trap on.
  private static func isPart<Part>(
    _ text: String?, _ part: KeyPath<URLComponents, Part>, _ prefix: String, _ suffix: String
  ) -> Bool {
    guard let text else { return true }
    return URLComponents(string: prefix + text + suffix)?[keyPath: part] as? String == text
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URLComponents: _GraphRareType {
  public func encode(to encoder: GEncoder) throws {
    if let text { return try encoder.encodeOutOfLine(text, for: .text) }
    let parts = parts
    try encoder.encodeOutOfLine(ifPresent: parts.scheme, for: .scheme)
    try encoder.encodeOutOfLine(ifPresent: parts.user, for: .user)
    try encoder.encodeOutOfLine(ifPresent: parts.password, for: .password)
    try encoder.encodeOutOfLine(ifPresent: parts.host, for: .host)
    try encoder.encodeOutOfLine(ifPresent: parts.port, for: .port)
    try encoder.encodeOutOfLine(parts.path, for: .path)
    try encoder.encodeOutOfLine(ifPresent: parts.query, for: .query)
    try encoder.encodeOutOfLine(ifPresent: parts.fragment, for: .fragment)
  }

  public init(from decoder: GDecoder) throws {
    if let text: String = try decoder.decodeOutOfLine(ifPresent: .text) {
      guard let components = URLComponents(string: text) else {
        throw decoder.invalidValue(URLComponents.self, "\"\(text)\" is not the text of a URL")
      }
      self = components
      return
    }
    let parts = Parts(
      scheme: try decoder.decodeOutOfLine(ifPresent: .scheme),
      user: try decoder.decodeOutOfLine(ifPresent: .user),
      password: try decoder.decodeOutOfLine(ifPresent: .password),
      host: try decoder.decodeOutOfLine(ifPresent: .host),
      port: try decoder.decodeOutOfLine(ifPresent: .port),
      path: try decoder.decodeOutOfLine(for: .path),
      query: try decoder.decodeOutOfLine(ifPresent: .query),
      fragment: try decoder.decodeOutOfLine(ifPresent: .fragment))
    guard let components = URLComponents(parts) else {
      throw decoder.invalidValue(URLComponents.self, "a part has characters that it cannot have")
    }
    self = components
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URLComponents: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let text = text
    try text.write(to: &wbuffer)
    if text != nil { return }
    let parts = parts
    try parts.scheme.write(to: &wbuffer)
    try parts.user.write(to: &wbuffer)
    try parts.password.write(to: &wbuffer)
    try parts.host.write(to: &wbuffer)
    try parts.port.write(to: &wbuffer)
    parts.path.write(to: &wbuffer)
    try parts.query.write(to: &wbuffer)
    try parts.fragment.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    let components: URLComponents?
    if let text = try String?(from: &rbuffer) {
      components = URLComponents(string: text)
    } else {
      let (scheme, user) = (try String?(from: &rbuffer), try String?(from: &rbuffer))
      let (password, host) = (try String?(from: &rbuffer), try String?(from: &rbuffer))
      components = URLComponents(
        Parts(
          scheme: scheme, user: user, password: password, host: host, port: try Int?(from: &rbuffer),
          path: try String(from: &rbuffer), query: try String?(from: &rbuffer),
          fragment: try String?(from: &rbuffer)))
    }
    guard let components else { throw BinaryIOError.invalid(URLComponents.self, "what is not part of a URL") }
    self = components
  }
}
