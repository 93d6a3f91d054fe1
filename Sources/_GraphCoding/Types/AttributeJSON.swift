import Foundation
import _GraphSupport

/// Attributes of Foundation's scope as names and JSON.
enum AttributeJSON {
  /// What can be done with one attribute, whatever the type of its value.
  private struct Coder: Sendable {
    let name: String
    /// The JSON of the attribute, which is taken out; nil where it is not there.
    let take: @Sendable (inout AttributeContainer) throws -> String?
    let put: @Sendable (inout AttributeContainer, String) throws -> Void

    init<Key: AttributedStringKey>(_ key: Key.Type) where Key.Value: Codable & Sendable {
      name = key.name
      take = { try Self.take(key, from: &$0) }
      put = { try Self.put($1, as: key, into: &$0) }
    }

    // One function for all attributes: the compiler would make one for each.

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private static func take<Key: AttributedStringKey>(
      _ key: Key.Type, from attributes: inout AttributeContainer
    ) throws -> String? where Key.Value: Codable & Sendable {
      guard let value = attributes[key] else { return nil }
      attributes[key] = nil
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private static func put<Key: AttributedStringKey>(
      _ json: String, as key: Key.Type, into attributes: inout AttributeContainer
    ) throws where Key.Value: Codable & Sendable {
      attributes[key] = try JSONDecoder().decode(Key.Value.self, from: Data(json.utf8))
    }
  }

  private typealias Scope = AttributeScopes.FoundationAttributes

  /// By name, which is the order in the archive.
  private static let coders: [Coder] = {
    var coders = [
      Coder(Scope.LinkAttribute.self), Coder(Scope.LanguageIdentifierAttribute.self),
      Coder(Scope.PersonNameComponentAttribute.self), Coder(Scope.DateFieldAttribute.self),
      Coder(Scope.NumberFormatAttributes.NumberPartAttribute.self),
      Coder(Scope.NumberFormatAttributes.SymbolAttribute.self),
      Coder(Scope.AlternateDescriptionAttribute.self), Coder(Scope.ImageURLAttribute.self),
      Coder(Scope.ReplacementIndexAttribute.self), Coder(Scope.MeasurementAttribute.self),
      Coder(Scope.ByteCountAttribute.self), Coder(Scope.DurationFieldAttribute.self),
    ]
    #if canImport(Darwin)
      coders += [
        Coder(Scope.InlinePresentationIntentAttribute.self), Coder(Scope.PresentationIntentAttribute.self),
        Coder(Scope.MorphologyAttribute.self),
      ]
    #elseif compiler(>=6.3)
      coders.append(Coder(Scope.WritingDirectionAttribute.self))
    #endif
    return coders.sortedOutOfLine { $0.name < $1.name }
  }()

  /// What it takes to compare a value, as runs with equal attributes are to become one.
  static func cost(of json: String) -> CombiningMarks.Cost {
    guard let start = json.utf8.firstIndex(of: UInt8(ascii: "\\")) else {
      return CombiningMarks.cost(of: json)
    }
    // Marks may be escaped.
    var text = String.UnicodeScalarView(json.unicodeScalars[..<start])
    var rest = json.unicodeScalars[start...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", rest.popFirst() == "u", let unit = UInt32(String(rest.prefix(4)), radix: 16)
      else {
        text.append(scalar)
        continue
      }
      rest = rest.dropFirst(4)
      // Of a pair of surrogates, each counts as a mark: some are.
      text.append(Unicode.Scalar(unit) ?? "\u{300}")
    }
    return CombiningMarks.cost(of: String(text))
  }

  /// - Throws: `limitExceeded` for a value that takes long to compare; `invalidValue` for one of more brackets than any attribute has.
  private static func check(_ json: String) throws {
    // Foundation's decoder traps where a text ends just as its brackets nest too deeply.
    guard json.utf8.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) <= 256 else {
      throw BinaryIOError.invalid(AttributedString.self, "an attribute with more than 256 brackets")
    }
    guard cost(of: json).longestCount <= CombiningMarks.maximumTextCount else {
      throw OverlongText.refused("an attribute")
    }
  }

  /// - Throws: `invalidValue` for attributes that are not in the scope.
  static func encode(_ attributes: AttributeContainer) throws -> (names: [String], values: [String]) {
    var left = attributes
    var result: (names: [String], values: [String]) = ([], [])
    for coder in coders {
      guard let value = try coder.take(&left) else { continue }
      try check(value)
      result.names.append(coder.name)
      result.values.append(value)
    }
    guard left == AttributeContainer() else {
      throw BinaryIOError.invalid(
        AttributedString.self, "a string with attributes that are not Foundation's, \(left),")
    }
    return result
  }

  /// - Throws: `invalidValue` for names that are not known here, and values that are none of the attribute.
  static func decode(_ names: [String], _ values: [String]) throws -> AttributeContainer {
    guard names.count == values.count else {
      throw BinaryIOError.invalid(
        AttributedString.self, "\(names.count) attributes with \(values.count) values")
    }
    var attributes = AttributeContainer()
    for (name, value) in zip(names, values) {
      do {
        let wanted = ByteString(name)
        guard let coder = coders.first(where: { ByteString($0.name) == wanted }) else {
          throw BinaryIOError.invalid(AttributedString.self, "an attribute \(Quotation(name)) not known here")
        }
        try check(value)
        try coder.put(&attributes, value)
      } catch let error as GCodableError {
        throw error
      } catch {
        // Whatever Foundation throws.
        throw GCodableError(
          .invalidValue, "\(Quotation(value)) is no value of the attribute \(name)",
          typeName: "AttributedString",
          underlyingError: error)
      }
    }
    return attributes
  }
}
