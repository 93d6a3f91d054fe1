import GraphCodable
import Testing

@testable import _GraphCoding
@testable import _GraphSupport

/// The library's own types as generic arguments: archives name them by the module that users import.
@Suite("Names of the library's types")
struct LibraryTypeTests {
  class Crate: GCodable {
    required init(from decoder: GDecoder) throws {}
    init() {}
    func encode(to encoder: GEncoder) throws {}
  }

  final class Box<Value>: Crate {}

  private var boxes: [Crate] {
    [
      Box<GArray<Double>>(), Box<GLazy<[Int]>>(), Box<GPartReference<Int>>(), Box<any GCodable>(),
      Box<[GraphPath: GPrecision]>(), Box<GraphEncoder.Options>(), Box<GraphArchiveSeries.Entry?>(),
    ]
  }

  @Test(arguments: 0..<7)
  func anArchiveNamesTheModuleThatUsersImport(index: Int) throws {
    let names = try StoredClassNames(type(of: boxes[index]))
    #expect(names.mangled.contains("12GraphCodable"))
    #expect(!names.mangled.contains("_Graph"))
    #expect(names.qualified.contains("GraphCodable."))
    #expect(!names.qualified.contains("_Graph"))
  }

  @Test func classesWithSuchArgumentsAreDecodedAsThemselves() throws {
    let boxes = boxes
    let bytes = try GraphEncoder().encode(boxes) as Bytes
    let copies = try GraphDecoder().decode([Crate].self, from: bytes)
    #expect(
      copies.map { ObjectIdentifier(type(of: $0)) } == boxes.map { ObjectIdentifier(type(of: $0)) })
    #expect(try !GraphArchive(bytes).classes.contains { $0.qualifiedName.contains("_Graph") })
  }

  @Test func anArchiveIsDecodedAfterATypeHasMoved() {
    let name = "3App3BoxCy12GraphCodable6GArrayVySdGG"
    let (here, there) = (
      LibraryTypes(modules: ["GArray": "_GraphCoding"]), LibraryTypes(modules: ["GArray": "Elsewhere"])
    )
    #expect(MangledName.expanded(name, here) == "3App3BoxCy12_GraphCoding6GArrayVySdGG")
    #expect(MangledName.expanded(name, there) == "3App3BoxCy9Elsewhere6GArrayVySdGG")
    #expect(MangledName.inArchive("3App3BoxCy9Elsewhere6GArrayVySdGG", there) == name)
    #expect(MangledName.inArchive("3App3BoxCy12_GraphCoding6GArrayVySdGG", there).contains("_GraphCoding"))
  }

  @Test func othersTypesKeepTheirModules() {
    for name in ["3App3BoxCy5Other6GArrayVG", "3App6GArrayC", "3App3BoxCyAA6GArrayVG"] {
      #expect(MangledName.inArchive(name) == name)
    }
    let name = "App.Box<_GraphPaper.Sheet, _GraphCoding.GArray<Swift.Int>>"
    #expect(
      LibraryTypes.current.qualifiedInArchive(name)
        == "App.Box<_GraphPaper.Sheet, GraphCodable.GArray<Swift.Int>>")
  }

  @Test func anErrorNamesTheModuleThatUsersImport() {
    let error = GCodableError(.typeMismatch, "", typeName: _typeName(GArray<Int>.self, qualified: true))
    #expect(error.typeName == "GraphCodable.GArray<Swift.Int>")
  }
}
