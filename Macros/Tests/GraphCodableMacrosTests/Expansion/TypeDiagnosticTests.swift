import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("@GCodable: wrong types")
struct TypeDiagnosticTests {
  @Test func actorsAreRefused() {
    expectExpansion(
      "@GCodable actor Counter { var count = 0 }",
      says: [
        DiagnosticSpec(
          message:
            "an actor cannot be coded: its state is read from outside without waiting; store a struct of it",
          line: 1, column: 11, fixIts: [FixItSpec(message: "make it a class")])
      ],
      fixed: "@GCodable class Counter { var count = 0 }")
  }

  @Test func protocolsAreRefused() {
    expectExpansion(
      "@GCodable protocol Counter {}",
      says: [
        DiagnosticSpec(
          message: "'@GCodable' is for structs, enums and classes", line: 1, column: 1,
          fixIts: [FixItSpec(message: "remove '@GCodable'")])
      ],
      fixed: "protocol Counter {}")
  }

  @Test func superclassThatDoesNotConformIsNamed() {
    expectExpansion(
      """
      @GCodable
      class Printer: Machine {
        var pages: Int
        init(pages: Int) { self.pages = pages; super.init() }
      }
      """,
      says: [
        DiagnosticSpec(
          message: "the superclass 'Machine' does not adopt GCodable, so its properties would be lost",
          line: 2,
          column: 16, fixIts: [FixItSpec(message: "store the properties of this class alone")])
      ],
      fixed: """
        @GCodable(inherits: false)
        class Printer: Machine {
          var pages: Int
          init(pages: Int) { self.pages = pages; super.init() }
        }
        """)
  }

  @Test func superclassThatIsSaidToConformIsNamed() {
    expectExpansion(
      "@GCodable(version: 2, inherits: true) class Printer: Machine { var pages = 0 }",
      says: [
        DiagnosticSpec(
          message: "the superclass 'Machine' does not adopt GCodable, so its properties would be lost",
          line: 1,
          column: 54, fixIts: [FixItSpec(message: "store the properties of this class alone")])
      ],
      fixed: "@GCodable(version: 2, inherits: false) class Printer: Machine { var pages = 0 }")
  }

  @Test func classWithoutSuperclassInheritsNothing() {
    expectExpansion(
      "@GCodable(inherits: true) class Printer { var pages = 0 }",
      says: [
        DiagnosticSpec(
          message: "'Printer' has no superclass", line: 1, column: 11,
          fixIts: [FixItSpec(message: "remove 'inherits'")])
      ],
      fixed: "@GCodable class Printer { var pages = 0 }")
  }

  @Test func inheritanceIsSaidByALiteral() {
    expectExpansion(
      "@GCodable(inherits: flag) class Printer: Machine {}",
      says: [DiagnosticSpec(message: "'inherits' is 'true' or 'false', written out", line: 1, column: 21)])
  }

  @Test func valuesHaveNoNamesAndVersions() {
    expectExpansion(
      #"@GCodable(name: "p", was: "q", "r", version: 2) struct Point { var x: Int }"#,
      says: ["name", "was", "version"].enumerated().map { index, label in
        DiagnosticSpec(
          message: "'\(label)' is for classes: an archive does not hold the type of a struct", line: 1,
          column: [11, 22, 37][index], fixIts: [FixItSpec(message: "remove '\(label)'")])
      })
    expectExpansion(
      "@GCodable(version: 2) enum Choice { case a }",
      says: [
        DiagnosticSpec(
          message: "'version' is for classes: an archive does not hold the type of an enum", line: 1,
          column: 11,
          fixIts: [FixItSpec(message: "remove 'version'")])
      ],
      fixed: "@GCodable enum Choice { case a }")
  }

  @Test func enumsWithoutCasesAreRefused() {
    expectExpansion(
      "@GCodable enum Never {}",
      says: [
        DiagnosticSpec(message: "an enum without cases has no values to store", line: 1, column: 16)
      ])
  }

  @Test func genericClassesNeedConstraints() {
    expectExpansion(
      "@GCodable class Holder<Value> { var value: [Value]; init(_ value: [Value]) { self.value = value } }",
      says: [
        DiagnosticSpec(
          message: "a class with 'Value' in it needs 'Value: GCodable'", line: 1, column: 24,
          fixIts: [FixItSpec(message: "add the constraint")])
      ],
      fixed:
        "@GCodable class Holder<Value: GCodable> { var value: [Value]; init(_ value: [Value]) { self.value = value } }"
    )
  }

  @Test func olderNamesNeedAName() {
    expectExpansion(
      #"@GCodable(was: "Old") class Segment {}"#,
      says: [
        DiagnosticSpec(
          message: "'was' needs 'name', by which archives know the class from now on", line: 1, column: 11,
          fixIts: [FixItSpec(message: "add 'name'")])
      ],
      fixed: #"@GCodable(name: "Segment", was: "Old") class Segment {}"#)
  }

  @Test func namesAreThoseThatArchivesCanHave() {
    for name in ["", "with space", "a@b", "größe"] {
      expectExpansion(
        "@GCodable(name: \"\(name)\") class Segment {}",
        says: [
          DiagnosticSpec(
            message: "an archive name has 1 to 255 ASCII characters without spaces and '@'", line: 1,
            column: 17)
        ])
    }
  }

  @Test func migrationNeedsAVersion() {
    expectExpansion(
      """
      @GCodable
      final class Specimen {
        func migrate(from version: UInt32, _ decoder: GDecoder) throws {}
      }
      """,
      says: [
        DiagnosticSpec(
          message: "'migrate(from:_:)' is not called without a 'version' in '@GCodable'", line: 3, column: 8,
          severity: .warning, fixIts: [FixItSpec(message: "add 'version'")])
      ],
      fixed: """
        @GCodable(version: 1)
        final class Specimen {
          func migrate(from version: UInt32, _ decoder: GDecoder) throws {}
        }
        """)
  }
}

@Suite("@GCodable: wrong places")
struct PlaceDiagnosticTests {
  @Test func typesInsideFunctionsAdoptGCodableThemselves() {
    expectExpansion(
      """
      func f() {
        @GCodable struct Local { var x = 1 }
      }
      """,
      says: [
        DiagnosticSpec(
          message: "'@GCodable' adopts GCodable by an extension, which a type inside a function cannot have",
          line: 2,
          column: 3, fixIts: [FixItSpec(message: "adopt GCodable in the declaration")])
      ],
      fixed: """
        func f() {
          @GCodableMembers struct Local: GCodable { var x = 1 }
        }
        """)
  }

  @Test func typesInsideTypesInsideFunctionsAdoptGCodableThemselves() {
    expectExpansion(
      """
      func f() {
        class Outer {
          @GCodable(name: "inner") final class Inner: Hashable { var x = 1 }
        }
      }
      """,
      says: [
        DiagnosticSpec(
          message: "'@GCodable' adopts GCodable by an extension, which a type inside a function cannot have",
          line: 3,
          column: 5, fixIts: [FixItSpec(message: "adopt GCodable in the declaration")])
      ],
      fixed: """
        func f() {
          class Outer {
            @GCodableMembers(name: "inner") final class Inner: Hashable, GCodable, GArchiveNamed { var x = 1 }
          }
        }
        """)
  }

  @Test func privateTypesInsideTypesAreMadeFileprivate() {
    expectExpansion(
      """
      struct Outer {
        @GCodable private enum Inner { case a }
      }
      """,
      says: [
        DiagnosticSpec(
          message:
            "'@GCodable' adopts GCodable by an extension, where what is private inside a type is not seen",
          line: 2, column: 13,
          fixIts: [
            FixItSpec(message: "make it 'fileprivate'"),
            FixItSpec(message: "adopt GCodable in the declaration"),
          ])
      ],
      fixed: """
        struct Outer {
          @GCodable fileprivate enum Inner { case a }
        }
        """, fixes: ["make it 'fileprivate'"])
  }

  @Test func typesInsidePrivateTypesInsideTypesAreNamed() {
    expectExpansion(
      """
      struct Outer {
        private enum Space {
          @GCodable struct Inner { var x: Int }
        }
      }
      """,
      says: [
        DiagnosticSpec(
          message:
            "'@GCodable' adopts GCodable by an extension, where 'Space', which is private inside a type, is not seen: "
            + "make it 'fileprivate'", line: 3, column: 5,
          fixIts: [FixItSpec(message: "adopt GCodable in the declaration")])
      ],
      fixed: """
        struct Outer {
          private enum Space {
            @GCodableMembers struct Inner: GCodable { var x: Int }
          }
        }
        """)
  }

  @Test func classesThatMayHaveASuperclassAreAskedForIt() {
    expectExpansion(
      "@GCodable class Printer: Machine { var pages = 0 }",
      says: [
        DiagnosticSpec(
          message: "if 'Machine' is a class, its properties are lost, because it does not adopt GCodable",
          line: 1,
          column: 26, severity: .warning,
          fixIts: [FixItSpec(message: "store the properties of this class alone")])
      ],
      fixed: "@GCodable(inherits: false) class Printer: Machine { var pages = 0 }")
  }
}
