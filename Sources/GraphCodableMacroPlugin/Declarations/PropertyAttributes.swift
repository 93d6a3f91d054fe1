#if Macros
  import SwiftSyntax

  /// The attributes of a property or case that the macros understand.
  struct PropertyAttributes {
    static let names = [
      "GKey", "GIgnored", "GConditional", "GDeferred", "GDefault", "GPrecision", "GAttributes", "GWrapped",
    ]

    private(set) var all: [String: AttributeSyntax] = [:]
    /// The key, where it is not the name.
    private(set) var key: ExprSyntax?
    private(set) var olderKeys: [ExprSyntax] = []
    /// Whether the property is stored by a wrapper.
    private(set) var isWrapped = false
    /// Whether it has no other attributes.
    private(set) var areOwn = true

    init(_ attributes: AttributeListSyntax) throws(Problem) {
      let keepsWrapper = !attributes.contains { $0.as(AttributeSyntax.self)?.baseName == "GWrapped" }
      for element in attributes {
        guard case .attribute(let attribute) = element else {
          areOwn = false  // Under `#if`.
          continue
        }
        let name = attribute.baseName
        guard Self.names.contains(name) else {
          isWrapped = isWrapped || (keepsWrapper && Self.isWrapper(name))
          areOwn = false
          continue
        }
        all[name] = attribute
        if name == "GKey" { try readKey(attribute) }
      }
    }

    private mutating func readKey(_ attribute: AttributeSyntax) throws(Problem) {
      var isOlder = false
      for argument in attribute.labeledArguments {
        guard argument.expression.literalText != nil else {
          throw Problem("a key is a string literal without interpolation", at: argument.expression)
        }
        if argument.label?.text == "was" { isOlder = true }
        if isOlder { olderKeys.append(argument.expression) } else { key = argument.expression }
      }
    }

    subscript(name: String) -> AttributeSyntax? { all[name] }

    /// The argument of an attribute, if it has one.
    func argument(of name: String) -> ExprSyntax? { all[name]?.labeledArguments.first?.expression }

    /// An apparent wrapper: a type name that is neither a global actor, a compiler attribute nor a known macro.
    private static func isWrapper(_ name: String) -> Bool {
      name.first?.isUppercase == true && !name.isGlobalActor && !others.contains(name)
    }

    private static let others: Set<String> = [
      "NSCopying", "NSManaged", "IBOutlet", "IBInspectable", "GKInspectable",
      // From Observation and SwiftData.
      "ObservationIgnored", "ObservationTracked", "Attribute", "Relationship", "Transient",
    ]
  }
#endif
