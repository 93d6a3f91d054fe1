import Testing

/// Shapes that nothing can code, and what the compiler says of them at the user's lines.
@Suite("@GCodable: shapes that are refused")
struct RefusedShapeTests {
  private func lines(_ errors: [String]) -> [Int] {
    errors.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
  }

  @Test func valuesOfInferredTypesAreRefused() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable struct A {
        var a = (1, 2)
        let b = { 1 }
        var c = [{ 1 }]
        var d = Int.self
        let e = \\String.count
        var f = ["a": (1, 2)]
        let j = (x: 1, y: 2)
        var k = [Int].self
        var fine = ((1)), made = { 1 }(), level = Level.low.self
        @GIgnored let ignored = { 1 }
      }
      @GCodable enum Level { case low }
      @GCodable final class B {
        var a = (1, 2)
        var b = [{ 1 }]
        init() {}
      }
      """)
    #expect(source.elsewhere == [])
    #expect(lines(source.errors) == Array(3...10) + [16, 17], "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("cannot be stored") })
  }

  @Test func parameterPacksAreRefused() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodableMacros
      @GCodable struct A<each T: GCodable> {
        var n: Int
        var t: (repeat each T)
        var o: (repeat Optional<each T>)?
      }
      @GCodable struct B<each T> {
        let id = UUID()
        var n = 1
      }
      """)
    #expect(source.elsewhere == [])
    #expect(lines(source.errors) == [5, 6, 9], "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("parameter pack") })
  }

  @Test func payloadsThatCannotBeStoredAreRefused() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable enum A {
        case a(Int)
        case b(@Sendable () -> Void)
        case c(x: [() -> Void]?)
        case d((Int, Int))
        case e(Result<Int, any Error>)
        case f([String: Int.Type])
        indirect case g(Any?, x: A)
      }
      """)
    #expect(source.elsewhere == [])
    #expect(lines(source.errors) == Array(4...9), "\(source.errors)")
  }

  @Test func typesThatCannotBeCopiedOrEscapeAreRefused() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable struct A: ~Copyable { var x = 1 }
      @GCodable enum B: ~Copyable { case a(Int) }
      @GCodable struct C<T: ~Copyable>: ~Copyable { var x = 1 }
      @GCodable struct D: ~Escapable { var x = 1 }
      """)
    #expect(source.elsewhere == [])
    let ours = source.errors.filter { $0.contains("cannot be coded") }
    #expect(lines(ours) == [2, 3, 4, 5], "\(source.errors)")
    #expect(Set(lines(source.errors)) == [2, 3, 4, 5])
  }

  @Test func initializersThatASuperclassRequiresAreAskedForAtTheClass() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      @GCodable class Base { required init() {}; var a = 1 }

      @GCodable final class Leaf: Base {
        var b = 2
        var c: [Int] = []
      }
      """)
    #expect(source.elsewhere == [])
    #expect(lines(source.errors) == [4] && source.errors[0].contains("'init()'"), "\(source.errors)")
  }

  @Test func packedStructsWithOtherStorageAreRefused() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodableMacros
      @propertyWrapper struct Clamped { var wrappedValue: Double }
      @GPacked struct A {
        var a: Double
        lazy var b = 1
        init() { a = 1 }
      }
      @GPacked struct B {
        @Clamped var a: Double
      }
      @GPacked struct C {
        var a: Double { didSet {} }
      }
      @GPacked struct D {
        var a: CGFloat
        var b: Float
      }
      @GPacked struct E {
        var a: Date
        var b: UInt8
      }
      """)
    #expect(source.elsewhere == [])
    #expect(lines(source.errors) == [6, 10, 13, 17, 21], "\(source.errors)")
  }

  @Test func objectsBehindOtherNamesOfProtocolsAreNamedAtTheirProperties() throws {
    let source = try CompiledSource(
      """
      import GraphCodableMacros
      protocol Animal: AnyObject, GCodable {}
      typealias AnyAnimal = any Animal
      @GCodable struct A {
        var a: Int

        var b: AnyAnimal
        var c: [Animal]
      }
      """)
    #expect(source.elsewhere == [])
    #expect(Set(lines(source.errors)) == [7, 8], "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("any Animal") })
  }
}
