@testable import MacroExpansion
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// The macros, for types that conform to nothing yet.
private let macros: [String: MacroSpec] = {
  var macros = Dictionary(
    uniqueKeysWithValues: [
      "GKey", "GIgnored", "GConditional", "GDeferred", "GDefault", "GPrecision", "GAttributes", "GWrapped",
    ].map {
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
///   - showsLines: whether the code tells which lines of the source it stands for.
func expectExpansion(
  _ source: String, _ expanded: String? = nil, missing: [String] = ["GEncodable", "GDecodable"],
  says diagnostics: [DiagnosticSpec] = [], fixed: String? = nil, fixes: [String]? = nil,
  showsLines: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) {
  var specs = macros
  specs["GCodable"] = MacroSpec(
    type: GCodableMacro.self, conformances: missing.map { "\(raw: $0)" })
  specs["GCodableMembers"] = MacroSpec(
    type: GCodableMembersMacro.self, conformances: missing.map { "\(raw: $0)" })
  // Names are written with the module in front, as this compiler takes it.
  let written = (expanded ?? "").replacing("GraphCodable.", with: ModuleNames.ours)
    .replacing("Swift.", with: ModuleNames.swift)
  UserLines.$areWritten.withValue(showsLines) {
    assertMacroExpansion(
      source, expandedSource: written, diagnostics: diagnostics, macroSpecs: specs, applyFixIts: fixes,
      fixedSource: fixed,
      indentationWidth: .spaces(2),
      failureHandler: { failure in
        // Of a wrong source only the diagnostics count.
        if expanded == nil, failure.message.hasPrefix("Macro expansion did not produce") { return }
        Issue.record("\(failure.message)", sourceLocation: sourceLocation)
      })
  }
}
