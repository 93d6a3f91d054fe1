@testable import MacroExpansion
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// The macros, for types that conform to nothing yet.
private let macros: [String: MacroSpec] = {
  var macros = Dictionary(
    uniqueKeysWithValues: ["GKey", "GIgnored", "GConditional", "GDeferred", "GDefault", "GPrecision"].map {
      ($0, MacroSpec(type: PropertyAttributeMacro.self))
    })
  macros["GPacked"] = MacroSpec(type: GPackedMacro.self, conformances: ["GPackedStruct"])
  return macros
}()

/// Checks what a source expands to, and what is said about it.
///
/// - Parameters:
///   - missing: protocols of which the compiler would say that the type does not conform to them.
///   - fixed: the source with all fix-its.
func expectExpansion(
  _ source: String, _ expanded: String? = nil, missing: [String] = ["GEncodable", "GDecodable"],
  says diagnostics: [DiagnosticSpec] = [], fixed: String? = nil, fixes: [String]? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  var specs = macros
  specs["GCodable"] = MacroSpec(
    type: GCodableMacro.self, conformances: missing.map { "\(raw: $0)" })
  specs["GCodableMembers"] = MacroSpec(
    type: GCodableMembersMacro.self, conformances: missing.map { "\(raw: $0)" })
  assertMacroExpansion(
    source, expandedSource: expanded ?? "", diagnostics: diagnostics, macroSpecs: specs, applyFixIts: fixes,
    fixedSource: fixed,
    indentationWidth: .spaces(2),
    failureHandler: { failure in
      // Of a wrong source only the diagnostics count.
      if expanded == nil, failure.message.hasPrefix("Macro expansion did not produce") { return }
      Issue.record("\(failure.message)", sourceLocation: sourceLocation)
    })
}
