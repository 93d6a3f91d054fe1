import _GraphSupport

// The text of a path: keys with dots between them, and indices and ranges in brackets. A key that could be taken for something else
// is quoted, in brackets: `scores["a.b"][3]`. What has a meaning is ASCII, so that bytes can be looked at one by one.

extension GraphPath: CustomStringConvertible {
  /// The text of the path, `bodies[3].position`; empty for the root.
  ///
  /// A key is quoted, as in `scores["a.b"]`, if it is empty or contains a dot, a bracket, a quotation mark, a backslash, a
  /// space or a control character.
  public var description: String {
    if let invalidText { return invalidText }
    return steps.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .range(let range): text += "[\(range)]"
      case .key(let key): PathText.append(key, to: &text)
      }
    }
  }
}

extension GraphPath: LosslessStringConvertible, ExpressibleByStringLiteral {
  /// The path that a text describes; nil if it is not the text of a path.
  ///
  /// - Complexity: O(n) in the length of the text.
  public init?(_ description: String) {
    var parser = PathParser(rest: Substring(description).utf8)
    guard let steps = parser.steps() else { return nil }
    self.init(steps)
  }

  /// The path that a literal describes.
  ///
  /// A literal that is not a path, such as `"a[1..2]"`, gives a path without steps whose use throws the error
  /// `invalidPath`. For texts that are not literals, use `init?(_:)`.
  public init(stringLiteral text: String) { self = Self(text as String) ?? Self(invalid: text) }
}

/// Reads the steps of a path; every function returns nil for what is none.
private struct PathParser {
  var rest: Substring.UTF8View

  mutating func steps() -> [GraphPath.Step]? {
    var steps: [GraphPath.Step] = []
    while let next = rest.first {
      if next == UInt8(ascii: "[") {
        rest.removeFirst()
        guard let step = inBrackets() else { return nil }
        steps.append(step)
      } else {
        guard steps.isEmpty || take(".") else { return nil }
        guard let key = bareKey() else { return nil }
        steps.append(.key(key))
      }
    }
    return steps
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func bareKey() -> String? {
    let key = rest.prefix(while: PathText.isBare)
    rest = rest[key.endIndex...]
    return key.isEmpty ? nil : String(Substring(key))
  }

  private mutating func inBrackets() -> GraphPath.Step? {
    if take("\"") {
      guard let key = quotedKey(), take("]") else { return nil }
      return .key(key)
    }
    let digits = rest.prefix { $0 != UInt8(ascii: "]") }
    rest = rest[digits.endIndex...]
    guard take("]") else { return nil }
    if let index = Self.integer(digits) { return .index(index) }
    let lower = digits.prefix { $0 != UInt8(ascii: ".") }
    let rest = digits[lower.endIndex...]
    guard rest.starts(with: "..<".utf8), let start = Self.integer(lower),
      let end = Self.integer(rest.dropFirst(3)), start >= 0, start <= end
    else { return nil }
    return .range(start..<end)
  }

  /// An integer as it is written: no plus sign, no zeros in front.
  private static func integer(_ digits: Substring.UTF8View) -> Int? {
    guard let integer = Int(Substring(digits)), "\(integer)".utf8.elementsEqual(digits) else { return nil }
    return integer
  }

  private mutating func quotedKey() -> String? {
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escaped() else { return nil }
        bytes += escaped
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> [UInt8]? {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "u"):
      guard take("{") else { return nil }
      let digits = rest.prefix { $0 != UInt8(ascii: "}") }
      rest = rest[digits.endIndex...]
      guard let value = UInt32(Substring(digits), radix: 16), let scalar = Unicode.Scalar(value), take("}")
      else {
        return nil
      }
      return Array(String(scalar).utf8)
    default: return nil
    }
  }
}
