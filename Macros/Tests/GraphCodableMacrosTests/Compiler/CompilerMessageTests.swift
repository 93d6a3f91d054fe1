import Testing

/// What the compiler says of a user's source, and that it says it at a line of that.
@Suite("@GCodable: what the compiler says")
struct CompilerMessageTests {
  @Test func typesThatAreNotCodedAreNamedAtTheirProperties() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      struct Other {}
      @GCodable struct A {
        var a = 1
        var b: Other
      }
      @GCodable final class B {
        var a = 1

        var b: Other?
        init() {}
      }
      @GCodable enum C {
        case a(Int)
        case b(x: Other)
      }
      @GCodable struct D<T> {
        var t: T
        var o: [Other]
      }
      @GPacked struct E {
        var a: Double
        var b: Other
      }
      """)
    #expect(source.elsewhere == [])
    #expect(
      Set(source.errors.compactMap { $0.split(separator: ":").first }) == ["5", "10", "15", "19", "21"])
    #expect(
      source.errors.allSatisfy { $0.contains("Other") || $0.contains("_GraphPackable") }, "\(source.errors)")
  }

  @Test func valuesBehindProtocolsAreRefusedAtTheirProperties() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      protocol Shape: GCodable {}
      protocol Watching: AnyObject {}
      @GCodable struct A {
        var a = 1

        var shape: any Shape
      }
      @GCodable final class B {
        var all: [any Watching] = []
        init() {}
      }
      @GCodable struct C {
        var a: any Error
        var b: [String: Any]
        var c: AnyObject?
        var d: any GCodable
        var e: Result<Int, any Error>
        var f: ((Int) -> Void)?
        var g: [(Int, Int)]
        var h: any Shape.Type
        var i: any Codable & Sendable
        var j: Set<AnyHashable>
      }
      @GCodable enum D {
        case a(any Hashable)
        case b(() -> Void)
      }
      """)
    #expect(source.elsewhere == [])
    let lines = Set(source.errors.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } })
    #expect(lines == Set([7, 10] + Array(14...23) + [26, 27]), "\(source.errors)")
    let advice = source.errors.filter { $0.hasPrefix("7:") || $0.hasPrefix("10:") }
    #expect(advice.allSatisfy { $0.contains("let it adopt AnyObject and GCodable") }, "\(advice)")
  }

  @Test func wrappersOfOthersAreNamedAtTheirProperties() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @propertyWrapper struct Foreign { var wrappedValue: Int }
      @GCodable struct A {
        var a = 1
        @Foreign var b = 2
      }
      """)
    #expect(source.elsewhere == [])
    #expect(source.errors.count >= 1 && source.errors.allSatisfy { $0.hasPrefix("5:") }, "\(source.errors)")
    #expect(source.errors.contains { $0.contains("@GWrapped") })
  }

  @Test func constantsOfClassesAreWarnedOf() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodableMacros
      @GCodable final class A {
        let id = UUID()
        let version = 3
        @GIgnored let fine = UUID()
        let made: [Int] = [1, 2].map { $0 }
        let color: Color = .red
        init() {}
      }
      @GCodable enum Color { case red }
      @GCodable struct B { let id = UUID() }
      """)
    #expect(source.elsewhere == [] && source.errors == [])
    #expect(source.warnings.compactMap { $0.split(separator: ":").first } == ["4", "7", "8"])
    #expect(source.warnings.allSatisfy { $0.contains("is not stored") })
  }

  @Test func deprecatedAndUnavailableNamesAreNotReportedAgain() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable enum A {
        case a
        @available(*, deprecated) case b(Int)
        @available(*, unavailable) case c
      }
      @GCodable struct B {
        @available(*, deprecated) var a = 1
        @available(*, deprecated) var b: Int?
        var c = [1].map { $0 }
      }
      @GCodable final class C {
        @available(*, deprecated) var a = 1
        init() {}
      }
      @available(*, deprecated) @GCodable struct D { var x = 1 }
      @available(*, deprecated) @GCodable(name: "e", was: "f") class E { var x = 1; init() {} }
      """)
    #expect(source.messages == [] && source.elsewhere == [])
  }

  @Test func isolatedConformancesAreAskedForAtTheType() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @MainActor protocol Screen {}

      @GCodable final class Home: Screen {
        var title = ""
        init() {}
      }
      """)
    #expect(source.elsewhere == [] && !source.errors.isEmpty)
    #expect(source.errors.allSatisfy { $0.hasPrefix("4:") || $0.hasPrefix("5:") }, "\(source.errors)")
  }

  @Test func errorsOfPublicTypesBringNoOthers() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable public struct A { public var a: (Int, Int) }
      @GCodable public final class B { public var a: (Int, Int) = (1, 2); init() {} }
      @GCodable open class C { public var a: (Int, Int) = (1, 2); init() {} }
      @GCodable public enum D { case a((Int, Int)) }
      """)
    #expect(source.elsewhere == [])
    #expect(source.errors.count == 4, "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("tuples cannot be stored") })
  }

  @Test func errorsOfIsolatedTypesBringNoOthers() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @MainActor class Base { var base = 1; init() {} }
      @GCodable final class A: Base {
        var a = 1
        override init() { super.init() }
      }
      @MainActor @GCodable final class B { var a: (Int, Int) }
      @MainActor @GCodable struct C { var a: () -> Void }
      @GCodable struct D: ~Copyable { var a = 1 }
      """)
    #expect(source.elsewhere == [])
    #expect(
      source.errors.map { $0.split(separator: ":").first } == ["3", "7", "8", "9"], "\(source.errors)")
  }

  @Test func errorsInGenericTypesAreAtTheirParameters() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable class A<T: Hashable> {
        var t: T
        init(_ t: T) { self.t = t }
      }
      @GCodable final class B<C: Collection> {
        var c: C.Element
        init(_ c: C.Element) { self.c = c }
      }
      """)
    #expect(source.elsewhere == [])
    #expect(source.errors.map { $0.split(separator: ":").first } == ["2", "6"], "\(source.errors)")
    #expect(source.errors.contains { $0.contains("'C.Element: GCodable'") })
  }

  @Test func withoutTheTraitAttributesNameIt() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable struct A { var x = 1 }
      @GCodable(version: 2) final class B {
        @GKey("a", was: "b") var a = 1
        @GIgnored var b = 2
        @GDefault(3) var c: Int
        @GWrapped @GDeferred @GConditional var d: B?
        @GPrecision(.absolute(1)) var e = 1.0
        @GAttributes(["unit": "nm"]) var f = [1.0]
        init() { c = 1 }
      }
      @GPacked struct C { var x: Double }
      """, hasTrait: false)
    #expect(source.errors.allSatisfy { $0.contains("enable the trait 'Macros'") }, "\(source.errors)")
    let lines = Set(source.errors.compactMap { $0.split(separator: ":").first })
    #expect(lines == ["2", "3", "4", "5", "6", "7", "8", "9", "12"])
  }

  @Test(arguments: ["private", "fileprivate", "internal", "package", "public"])
  func allCombinationsOfAccessCompile(_ outer: String) throws {
    let kinds = [
      "@GCodable INNER struct N { var x = 1 }", "@GCodable INNER struct N { var x = [1].map { $0 } }",
      "@GCodable INNER struct N<T> { var x: T }", "@GPacked INNER struct N { var x: Double }",
      "@GCodable INNER class N { var x = 1; init() {} }",
      "@GCodable INNER final class N { var x = 1; init() {} }",
      "@GCodable(name: \"NAME\", was: \"oldNAME\", version: 2) INNER class N { var x = 1; init() {} }",
      "@GCodable INNER enum N { case a(x: Int), b }", "@GCodable INNER enum N: String { case a, b }",
      "@GCodableMembers INNER struct N: GCodable { var x = 1; init() {} }",
      "@GCodableMembers INNER class N: GCodable { var x = 1; init() {} }",
    ]
    var lines = ["import GraphCodableMacros"]
    for around in ["enum", "struct", "final class"] {
      for inner in ["fileprivate", "", "internal", "package", "public"] {
        for kind in kinds {
          let number = lines.count
          let type = kind.replacing("INNER", with: inner).replacing("NAME", with: "n\(number)")
          lines.append("\(outer) \(around) O\(number) { \(type) }")
        }
      }
    }
    let source = try CompiledSource(lines.joined(separator: "\n"), "-package-name", "p")
    #expect(source.messages == [] && source.elsewhere == [])
  }

  @Test func paddingOfPackedStructsIsFound() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GPacked struct A { var a: Double; var b: UInt32 }
      @GPacked struct B { var a: UInt8; var b: Double }
      @GPacked struct C {
        var a: Double
        var b: Float
        var c: Bool
      }
      @GPacked struct D { var a: SIMD3<Float> }
      @GPacked struct E { var a: SIMD4<Double>; var b = 1.0 }
      @GPacked struct F { var a: SIMD4<Float>; var b: Double; var c: Int32 = 1; var d: UInt16; var e: Bool; var f = true }
      @GPacked struct G { var a = 1.0, b = 2; var c: SIMD2<Double> }
      @GPacked struct H { var inside: G }
      """)
    #expect(source.elsewhere == [])
    #expect(
      source.errors.map { $0.split(separator: ":").first } == ["2", "3", "7", "9", "10", "13"],
      "\(source.errors)")
    #expect(source.errors.dropLast().allSatisfy { $0.contains("padding") })
  }

  @Test func overloadedCasesAreRefused() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable enum A { case a(x: Int); @GKey("a2") case a(y: Int) }
      @GCodable enum B {
        case a(Int)
        case b
        @GKey("other") case a(Int, z: Int)
      }
      @GCodable enum C {
        #if os(Linux)
          case a(x: Int)
        #else
          case a(y: Int)
        #endif
      }
      """)
    #expect(source.elsewhere == [])
    #expect(source.errors.map { $0.split(separator: ":").first } == ["2", "6"], "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("@GKey") })
  }
}
