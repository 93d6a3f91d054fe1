#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A wrong use of the macros: what, where, and what to write instead.
  struct Problem: Error {
    var node: Syntax
    var message: Message
    var fixes: [FixIt] = []

    init(_ message: String, at node: some SyntaxProtocol, _ severity: DiagnosticSeverity = .error) {
      self.node = Syntax(node)
      self.message = Message(message: message, severity: severity)
    }

    struct Message: DiagnosticMessage, FixItMessage {
      let message: String
      let severity: DiagnosticSeverity
      var diagnosticID: MessageID { MessageID(domain: "GraphCodable", id: message) }
      var fixItID: MessageID { diagnosticID }
    }

    var isError: Bool { message.severity == .error }

    /// Adds a change that fixes the use.
    func fix(_ title: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) -> Problem {
      var problem = self
      problem.fixes.append(
        FixIt(
          message: Message(message: title, severity: .error),
          changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))]))
      return problem
    }

    var diagnostic: Diagnostic { Diagnostic(node: node, message: message, fixIts: fixes) }
  }
#endif
