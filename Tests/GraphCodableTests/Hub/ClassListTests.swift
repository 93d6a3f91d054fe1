import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Classes of an archive")
struct ClassListTests {
  @Test func theyAreListedWithWhatIsMadeOfThem() throws {
    let bytes = try script {
      try $0.encode(OldName("a"))
      try $0.encode(Base(name: "b"))
      try $0.encode(Derived(name: "c", size: 1))
    }
    let archive = try GraphArchive(bytes)
    #expect(
      archive.classes.map { $0.qualifiedName.split(separator: ".").last } == ["OldName", "Base", "Derived"])
    let decoder = GraphDecoder()
    decoder.setClass(NameOnly.self, for: .qualifiedName(_typeName(Derived.self, qualified: true)))
    let found = archive.resolvedClasses(using: decoder)
    #expect(found.map(\.stored) == archive.classes)
    #expect(found[0].type == NewName.self && found[0].replaced == OldName.self)
    #expect(found[1].type == Base.self && found[1].replaced == nil)
    #expect(found[2].type == NameOnly.self && found[2].replaced == nil)
    #expect(found.allSatisfy { $0.error == nil })
  }

  private struct Plain: Codable { var name = "plain" }
  private class Hidden: Codable { var name = "hidden" }

  @Test func aClassThatIsNotFoundHasItsError() throws {
    GTypesRepository.shared.register(codable: Hidden.self)
    let archive = try GraphArchive(GraphEncoder().encode(codable: [Hidden()]) as Bytes)
    #expect(archive.resolvedClasses().first?.type == Hidden.self)
    let forged = try Forge(GraphEncoder().encode(codable: [Hidden()]) as Bytes).changingContents {
      $0.classes[0].mangledName = "4Gone4TypeC"
    }
    let gone = try #require(GraphArchive(forged).resolvedClasses().first)
    #expect(gone.type == nil && gone.error?.code == .classNotFound)
    #expect(gone.stored.mangledName == "4Gone4TypeC")
    try #expect(GraphArchive(GraphEncoder().encode(codable: Plain()) as Bytes).resolvedClasses().isEmpty)
  }

  @Test func theCheckingCodersShowWhatTheyAreAskedFor() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let bytes = try GraphCodableUti.checkEncoder(root: ["a": 1], dumpOptions: .readable) as Bytes
      print("between")
      _ = try GraphCodableUti.checkDecoder(type: [String: Int].self, data: bytes, dumpOptions: .showHeader)
    }
    let parts = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "between")
    #expect(parts.count == 2)
    #expect(parts.first?.contains("== BODY ") == true && parts.first?.contains("HEADER") == false)
    #expect(parts.last?.contains("Decoded Classes") == true && parts.last?.contains("== HEADER ") == true)
  }
}
