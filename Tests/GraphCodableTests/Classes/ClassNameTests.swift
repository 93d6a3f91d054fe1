import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Class names")
struct ClassNameTests {
  @Test func namesAreComparedByTheirBytes() {
    let (composed, decomposed) = ("App.Caf\u{E9}", "App.Cafe\u{301}")
    #expect(composed == decomposed)
    #expect(ClassName.qualifiedName(composed) != .qualifiedName(decomposed))
    #expect(ClassName.mangledName(composed) != .mangledName(decomposed))
    #expect(ClassName.mangledName(composed) != .qualifiedName(composed))
    #expect(ClassName.qualifiedName(composed) == .qualifiedName(composed))
    // The Kelvin sign is equal to a letter.
    #expect(Set([ClassName.mangledName("K"), .mangledName("\u{212A}"), .qualifiedName("K")]).count == 3)
  }

  @Test func classesAreSetForNamesThatDifferInBytesAlone() throws {
    let bytes = try encoded([Animal(1)])
    func named(_ name: String) throws -> Bytes {
      try Forge(bytes).changingContents {
        $0.classes[0].mangledName = "3App4GoneC"
        $0.classes[0].qualifiedName = name
      }
    }
    let decoder = GraphDecoder()
    decoder.setClass(Dog.self, for: .qualifiedName("App.Caf\u{E9}"))
    decoder.setClass(Cat.self, for: .qualifiedName("App.Cafe\u{301}"))
    #expect(try decoder.decode([Animal].self, from: named("App.Caf\u{E9}"))[0] is Dog)
    #expect(try decoder.decode([Animal].self, from: named("App.Cafe\u{301}"))[0] is Cat)
  }

  @Test func aLocalClassIsFoundByBothNamesThatSwiftGives() throws {
    final class Local: GCodable {
      init() {}
      init(from decoder: GDecoder) throws {}
      func encode(to encoder: GEncoder) throws {}
    }
    Local.register()
    let bytes = try encoded([Local()])
    for name in [
      ClassName.qualifiedName(_typeName(Local.self, qualified: true)),
      .mangledName(try #require(_mangledTypeName(Local.self))),
    ] {
      let decoder = GraphDecoder()
      decoder.setClass(LocalBase.self, for: name)
      #expect(try decoder.decode([LocalBase].self, from: bytes).count == 1, "\(name)")
    }
  }
}
