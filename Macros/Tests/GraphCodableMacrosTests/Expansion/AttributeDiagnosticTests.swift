import Foundation
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Attributes in wrong places")
struct AttributeDiagnosticTests {
  private func expect(
    _ source: String, says message: String, line: Int = 2, column: Int = 3, remove name: String,
    fixed: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectExpansion(
      source,
      says: [
        DiagnosticSpec(
          message: message, line: line, column: column, fixIts: [FixItSpec(message: "remove '@\(name)'")])
      ],
      fixed: fixed, sourceLocation: sourceLocation)
  }

  @Test func attributesNeedTheMacro() {
    expect(
      "struct S {\n  @GKey(\"k\") var a: Int\n}",
      says: "'@GKey' says nothing without '@GCodable' in front of the type", remove: "GKey",
      fixed: "struct S {\n  var a: Int\n}")
  }

  @Test func functionsAreNotStored() {
    expect(
      "@GCodable struct S {\n  @GIgnored func f() {}\n}", says: "'@GIgnored' is for stored properties",
      remove: "GIgnored", fixed: "@GCodable struct S {\n  func f() {}\n}")
  }

  @Test func computedPropertiesAreNotStored() {
    expect(
      "@GCodable struct S {\n  @GKey(\"k\") var a: Int { 3 }\n}",
      says: "a computed property is not stored, so '@GKey' says nothing", remove: "GKey",
      fixed: "@GCodable struct S {\n  var a: Int { 3 }\n}")
  }

  @Test func lazyPropertiesAreNotStored() {
    expect(
      "@GCodable struct S {\n  @GKey(\"k\") lazy var a = 3\n}",
      says: "a lazy property is not stored, so '@GKey' says nothing", remove: "GKey",
      fixed: "@GCodable struct S {\n  lazy var a = 3\n}")
  }

  @Test func propertiesOfTypesAreNotStored() {
    expect(
      "@GCodable struct S {\n  @GDefault(1) static var a = 3\n}",
      says: "'@GDefault' is for properties of instances", remove: "GDefault",
      fixed: "@GCodable struct S {\n  static var a = 3\n}")
  }

  @Test func casesHaveKeysAlone() {
    expect(
      "@GCodable enum E {\n  @GIgnored case a\n}", says: "'@GIgnored' is for properties, not for cases",
      remove: "GIgnored", fixed: "@GCodable enum E {\n  case a\n}")
  }
}

@Suite("@GPacked: wrong structs")
struct PackedDiagnosticTests {
  private func expect(
    _ property: String, says message: String, column: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectExpansion(
      "@GPacked struct S {\n  \(property)\n}",
      says: [
        DiagnosticSpec(
          message: message, line: 2, column: column,
          fixIts: [FixItSpec(message: "store the struct by '@GCodable'")])
      ],
      fixed: "@GCodable struct S {\n  \(property)\n}", sourceLocation: sourceLocation)
  }

  @Test func referencesAreRefused() {
    for (property, type) in [
      ("var name: String", "String"), ("var values: [Int]", "[Int]"), ("var any: any Error", "any Error"),
      ("var pairs: [Int: Int]", "[Int: Int]"), ("var f: () -> Void", "() -> Void"),
      ("var object: AnyObject", "AnyObject"),
    ] {
      let column = property.distance(
        from: property.startIndex, to: property.range(of: ": ")!.upperBound)
      expect(
        property, says: "a packed struct holds numbers, and no references, which '\(type)' has",
        column: column + 3)
    }
    expect(
      "weak var object: Node?", says: "a packed struct holds numbers, and no references", column: 20)
  }

  @Test func optionalsAndTuplesAreRefused() {
    expect(
      "var value: Int?", says: "an optional has bits that say nothing, and cannot be packed", column: 14)
    expect(
      "var pair: (Int, Int)", says: "a tuple cannot be packed; declare each number by itself", column: 13)
  }

  @Test func onlyStructsArePacked() {
    expectExpansion(
      "@GPacked class C { var a: Int }",
      says: [
        DiagnosticSpec(
          message: "'@GPacked' is for structs", line: 1, column: 1,
          fixIts: [FixItSpec(message: "remove '@GPacked'")])
      ],
      fixed: "class C { var a: Int }")
    expectExpansion(
      "@GPacked struct S<T> { var a: T }",
      says: [
        DiagnosticSpec(
          message: "a packed struct has the same layout always, so it cannot be generic", line: 1, column: 18)
      ])
    expectExpansion(
      "@GPacked struct S {}",
      says: [DiagnosticSpec(message: "a packed struct has at least one property", line: 1, column: 17)])
  }

  @Test func conditionsAndAttributesAreRefused() {
    expectExpansion(
      "@GPacked struct S {\n  #if A\n  var a: Int\n  #endif\n}",
      says: [DiagnosticSpec(message: "a packed struct has the same properties always", line: 2, column: 3)])
    expectExpansion(
      "@GPacked struct S {\n  @GKey(\"x\") var a: Int\n  @GKey(\"x\") var b: Int\n}",
      says: [DiagnosticSpec(message: "the key \"x\" is used twice", line: 3, column: 18)])
  }
}
