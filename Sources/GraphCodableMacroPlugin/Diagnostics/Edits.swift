#if Macros
  import SwiftSyntax

  /// Changes to declarations, offered as fix-its.
  extension VariableDeclSyntax {
    /// With an attribute added at the front.
    func adding(attribute: String) -> VariableDeclSyntax {
      var changed = self
      changed.leadingTrivia = []
      let new = AttributeSyntax(stringLiteral: attribute).with(\.trailingTrivia, .space)
      changed.attributes = AttributeListSyntax([.attribute(new)] + Array(changed.attributes))
      changed.leadingTrivia = leadingTrivia
      return changed
    }

    /// Without an attribute.
    func removing(_ attribute: AttributeSyntax) -> VariableDeclSyntax {
      var changed = self
      changed.attributes = attributes.removing(attribute)
      changed.leadingTrivia = leadingTrivia
      return changed
    }

    /// As a variable.
    var asVariable: VariableDeclSyntax {
      with(\.bindingSpecifier.tokenKind, .keyword(.var))
    }
  }

  extension AttributeListSyntax {
    /// Compared by text, because the compiler passes attributes and declarations from different trees.
    func removing(_ attribute: AttributeSyntax) -> AttributeListSyntax {
      filter { $0.trimmedDescription != attribute.trimmedDescription }
    }
  }

  extension AttributeSyntax {
    /// With an argument added to its list, or replacing the one with that label.
    func setting(_ label: String, to value: String) -> AttributeSyntax {
      var arguments = self.labeledArguments.map { $0.trimmedDescription.dropSuffix(",") }
      arguments.removeAll { $0.hasPrefix("\(label):") }
      arguments.append("\(label): \(value)")
      var changed = AttributeSyntax(
        stringLiteral: "@\(attributeName.trimmedDescription)(\(arguments.joined(separator: ", ")))")
      changed.leadingTrivia = leadingTrivia
      changed.trailingTrivia = trailingTrivia
      return changed
    }

    /// Without the arguments of a label.
    func removing(_ label: String) -> AttributeSyntax {
      var rest: [String] = []
      var isRemoved = false
      for argument in labeledArguments {
        // Unlabeled arguments belong to the labeled one before.
        if let own = argument.label?.text { isRemoved = own == label }
        if !isRemoved { rest.append(argument.trimmedDescription.dropSuffix(",")) }
      }
      let name = attributeName.trimmedDescription
      var changed = AttributeSyntax(
        stringLiteral: rest.isEmpty ? "@\(name)" : "@\(name)(\(rest.joined(separator: ", ")))")
      changed.leadingTrivia = leadingTrivia
      changed.trailingTrivia = trailingTrivia
      return changed
    }

    var labeledArguments: [LabeledExprSyntax] {
      guard case .argumentList(let list)? = arguments else { return [] }
      return Array(list)
    }

    /// The name without the module.
    var baseName: String {
      attributeName.as(IdentifierTypeSyntax.self)?.name.text
        ?? attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }
  }

  extension String {
    func dropSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
  }
#endif
