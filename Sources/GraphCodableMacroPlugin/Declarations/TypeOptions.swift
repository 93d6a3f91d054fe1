#if Macros
  import SwiftSyntax

  /// The arguments of `@GCodable`.
  struct TypeOptions {
    let attribute: AttributeSyntax
    var name: ExprSyntax?
    var aliases: [ExprSyntax] = []
    var version: ExprSyntax?
    var inherits: Bool?
    private var labels: [String: LabeledExprSyntax] = [:]

    init(_ attribute: AttributeSyntax) throws(Problem) {
      self.attribute = attribute
      var label = ""
      for argument in attribute.labeledArguments {
        if let own = argument.label?.text {
          label = own
          labels[label] = argument
        }
        switch label {
        case "name": name = argument.expression.isNil ? nil : argument.expression
        case "was": aliases.append(argument.expression)
        case "version": version = argument.expression
        case "inherits":
          if argument.expression.isNil { continue }
          guard let literal = argument.expression.as(BooleanLiteralExprSyntax.self) else {
            throw Problem("'inherits' is 'true' or 'false', written out", at: argument.expression)
          }
          inherits = literal.literal.tokenKind == .keyword(.true)
        default: break
        }
      }
    }

    /// Options only for classes.
    func problems(forValues kind: String) -> [Problem] {
      ["name", "was", "version", "inherits"].compactMap { label in
        labels[label].map {
          Problem("'\(label)' is for classes: an archive does not hold the type of \(kind)", at: $0)
            .fix("remove '\(label)'", replacing: attribute, with: attribute.removing(label))
        }
      }
    }

    func argument(_ label: String) -> LabeledExprSyntax? { labels[label] }
  }

  extension ExprSyntax {
    var isNil: Bool { self.is(NilLiteralExprSyntax.self) }

    /// The text of a literal without interpolations.
    var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
  }
#endif
