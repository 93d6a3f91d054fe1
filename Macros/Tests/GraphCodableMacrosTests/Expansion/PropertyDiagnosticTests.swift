import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("@GCodable: wrong properties")
struct PropertyDiagnosticTests {
  /// A wrong property on the second line of a type.
  private func expect(
    _ property: String, in type: String = "struct S", says message: String, column: Int,
    severity: DiagnosticSeverity = .error, fix: String? = nil, fixed: String? = nil,
    allFixes: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fixes = (allFixes ?? fix.map { [$0] } ?? []).map { FixItSpec(message: $0) }
    expectExpansion(
      "@GCodable \(type) {\n  \(property)\n}",
      says: [
        DiagnosticSpec(message: message, line: 2, column: column, severity: severity, fixIts: fixes)
      ],
      fixed: fixed.map { "@GCodable \(type) {\n  \($0)\n}" }, fixes: fix.map { [$0] },
      sourceLocation: sourceLocation)
  }

  @Test func tuplesAreRefused() {
    expect(
      "var pair: (Int, Int) = (1, 2)", says: "tuples cannot be stored; use a struct", column: 13,
      fix: "leave the property out by '@GIgnored'", fixed: "@GIgnored var pair: (Int, Int) = (1, 2)")
    expect(
      "var pairs: [(Int, Int)] = []", says: "tuples cannot be stored; use a struct", column: 14,
      fix: "leave the property out by '@GIgnored'", fixed: "@GIgnored var pairs: [(Int, Int)] = []")
  }

  @Test func functionsAndMetatypesAreRefused() {
    expect(
      "var action: (() -> Void)? = nil", says: "functions cannot be stored", column: 15,
      fix: "leave the property out by '@GIgnored'", fixed: "@GIgnored var action: (() -> Void)? = nil")
    expect(
      "var type: Int.Type = Int.self", says: "metatypes cannot be stored", column: 13,
      fix: "leave the property out by '@GIgnored'", fixed: "@GIgnored var type: Int.Type = Int.self")
  }

  @Test func patternsOfTuplesAreTakenApart() {
    let message = "properties in a tuple cannot be told apart; declare each by itself"
    expect(
      "var (a, b): (Int, String) = (1, \"b\")", says: message, column: 7, fix: "declare each by itself",
      fixed: "var a: Int = 1, b: String = \"b\"")
    expect(
      "var (a, b) = (1, 2)", says: message, column: 7, fix: "declare each by itself",
      fixed: "var a = 1, b = 2")
    expect("var (a, b) = pair", says: message, column: 7)
  }

  @Test func ignoredPropertiesNeedAValue() {
    expect(
      "@GIgnored var cache: [Int]", says: "'cache' is ignored and needs an initial value", column: 17,
      fix: "give it an initial value", fixed: "@GIgnored var cache: [Int] = <#value#>")
  }

  @Test func attributesOfIgnoredPropertiesSayNothing() {
    expect(
      "@GIgnored @GKey(\"k\") var cache = 3",
      says: "an ignored property is not stored, so '@GKey' says nothing",
      column: 13, fix: "remove '@GKey'", fixed: "@GIgnored var cache = 3")
  }

  @Test func attributesOfConstantsSayNothing() {
    expect(
      "@GKey(\"k\") let version = 3", says: "a constant with a value is not stored, so '@GKey' says nothing",
      column: 3,
      fix: "make it a variable", fixed: "@GKey(\"k\") var version = 3")
  }

  @Test func valuesCannotWait() {
    expect(
      "@GDeferred var next: Node?",
      says: "only a property of a class can be deferred: a copy of a value would not get it", column: 3,
      fix: "remove '@GDeferred'", fixed: "var next: Node?")
  }

  @Test func constantsCannotWait() {
    expect(
      "@GDeferred let next: Node?", in: "final class Link",
      says: "'next' is set after 'init(from:)' and cannot be a constant", column: 14,
      fix: "make it a variable",
      fixed: "@GDeferred var next: Node?")
  }

  @Test func whatWaitsNeedsAValueBefore() {
    expect(
      "@GDeferred var next: Node", in: "final class Link",
      says: "'next' is set after 'init(from:)' and needs a value before", column: 24, fix: "make it optional",
      fixed: "@GDeferred var next: Node!")
  }

  @Test func whatWaitsHasNoDefault() {
    expect(
      "@GDeferred @GDefault(nil) var next: Node?", in: "final class Link",
      says: "a deferred property keeps its initial value where the archive has none", column: 14,
      fix: "remove '@GDefault'", fixed: "@GDeferred var next: Node?")
  }

  @Test func conditionalPropertiesShouldBeOptional() {
    expect(
      "@GConditional var cover: Leaf", says: "'cover' may be missing in an archive and should be optional",
      column: 3,
      severity: .warning, fix: "make it optional", fixed: "@GConditional var cover: Leaf?")
  }

  @Test func unownedReferencesShouldWait() {
    expect(
      "unowned let bank: Bank", in: "final class Account",
      says: "'bank' must be set in 'init(from:)' and cannot wait for an object that leads here", column: 21,
      severity: .warning, fix: "let it wait", fixed: "unowned var bank: Bank!",
      allFixes: ["let it wait", "do not wait"])
  }

  @Test func strongSelfReferencesCannotEnd() {
    expect(
      "let next: Node", in: "final class Node",
      says:
        "'next' always refers to another 'Node', which can only end in a cycle; let it wait by '@GDeferred'",
      column: 13, severity: .warning, fix: "let it wait", fixed: "@GDeferred var next: Node!")
  }

  @Test func keysAreUsedOnce() {
    expectExpansion(
      """
      @GCodable struct S {
        var a: Int
        @GKey("a") var b: Int
        @GKey(was: "a") var c: Int
      }
      """,
      says: [
        DiagnosticSpec(
          message: "the key \"a\" is used twice", line: 3, column: 3,
          fixIts: [FixItSpec(message: "give the property a key of its own")]),
        DiagnosticSpec(
          message: "the key \"a\" is used twice", line: 4, column: 3,
          fixIts: [FixItSpec(message: "give the property a key of its own")]),
      ],
      fixed: """
        @GCodable struct S {
          var a: Int
          @GKey("<#key#>") var b: Int
          @GKey("<#key#>") var c: Int
        }
        """)
  }

  @Test func clausesOfAConditionMayUseTheSameKey() {
    expectExpansion(
      """
      @GCodable
      struct S {
        #if A
        var a: Int
        #else
        var a: String
        #endif
      }
      """,
      """
      struct S {
        #if A
        var a: Int
        #else
        var a: String
        #endif
      }

      extension S: GraphCodable.GEncodable, GraphCodable.GDecodable {
        private enum GCodingKey: Swift.String {
          #if A
          case a
          #else
          case a
          #endif
          case nothing_
        }

        func encode(to encoder: GraphCodable.GEncoder) throws {
          #if A
          try encoder.encode(self.a, for: GCodingKey.a)
          #else
          try encoder.encode(self.a, for: GCodingKey.a)
          #endif
        }

        init(from decoder: GraphCodable.GDecoder) throws {
          #if A
          self.a = try decoder.decode(for: GCodingKey.a)
          #else
          self.a = try decoder.decode(for: GCodingKey.a)
          #endif
        }
      }
      """)
  }

  @Test func keysAreLiterals() {
    expect(
      "@GKey(name) var a: Int", says: "a key is a string literal without interpolation", column: 9)
  }

  @Test func casesHaveNamesOfTheirOwn() {
    expectExpansion(
      """
      @GCodable enum E {
        case a
        @GKey(was: "a") case b
      }
      """,
      says: [DiagnosticSpec(message: "the key \"a\" is used twice", line: 3, column: 24)])
    expectExpansion(
      "@GCodable enum E {\n  @GKey(\"k\") case a, b\n}",
      says: [
        DiagnosticSpec(message: "'@GKey' is for one case: declare it by itself", line: 2, column: 3)
      ])
  }

  @Test func payloadsAreWhatCanBeStored() {
    expectExpansion(
      "@GCodable enum E {\n  case a((Int, Int))\n  case b(() -> Void)\n}",
      says: [
        DiagnosticSpec(message: "tuples cannot be stored; use a struct", line: 2, column: 10),
        DiagnosticSpec(message: "functions cannot be stored", line: 3, column: 10),
      ])
  }
}
