import Foundation
import GraphCodable
import Testing

@Suite("get")
struct GetTests {
  private struct Sample: GPackedStruct {
    var mass: Double
    var velocity: SIMD2<Float>
    var flag: Int32
    var number: UInt32
    static let packedLayout = PackedLayout<Self>(\.mass, \.velocity, \.flag, \.number)
      .named("mass", "velocity", "flag", "number")
  }

  private func folder() throws -> Folder {
    let folder = try Folder()
    let encoder = GraphEncoder()
    let matrix: [[Double]] = [[1, 2.5, -3], [.nan, .infinity, 0]]
    try encoder.write(matrix, to: folder.file("matrix.gcodable"))
    try encoder.write([[1], [2, 3]], to: folder.file("ragged.gcodable"))
    try encoder.write(
      [Sample(mass: 1.5, velocity: [1, 2], flag: -1, number: 7)], to: folder.file("structs.gcodable"))
    try encoder.write(
      GArray((0..<24).map { Int16($0) }, shape: [2, 3, 4]), to: folder.file("cube.gcodable"))
    return folder
  }

  private func get(_ arguments: String..., in folder: Folder) async throws -> Tool.Result {
    try await Tool.run(["get"] + arguments, in: folder)
  }

  @Test func rowsAreLines() async throws {
    let folder = try folder()
    #expect(try await get("matrix.gcodable", "", in: folder).lines == ["1.0 2.5 -3.0", "nan inf 0.0"])
    #expect(try await get("matrix.gcodable", "[0]", in: folder).lines == ["1.0", "2.5", "-3.0"])
    #expect(
      try await get("matrix.gcodable", "[0..<2][1..<3]", "--format", "csv", in: folder).lines
        == ["2.5,-3.0", "inf,0.0"])
    #expect(
      try await get("structs.gcodable", "", "--format", "csv", in: folder).lines
        == ["mass,velocity.0,velocity.1,flag,number", "1.5,1.0,2.0,-1,7"])
    #expect(try await get("cube.gcodable", "[1][0..<2]", in: folder).lines == ["12 13 14 15", "16 17 18 19"])
  }

  @Test func jsonIsListsInLists() async throws {
    let folder = try folder()
    let cube = try await get("cube.gcodable", "", "--format", "json", in: folder)
    #expect(
      try JSONDecoder().decode([[[Int]]].self, from: Data(cube.output.utf8))
        == (0..<2).map { i in (0..<3).map { j in (0..<4).map { i * 12 + j * 4 + $0 } } })
    let matrix = try await get("matrix.gcodable", "", "--format", "json", in: folder)
    #expect(matrix.output == "[[1.0, 2.5, -3.0],\n[\"nan\", \"inf\", 0.0]]\n")
    let structs = try await get("structs.gcodable", "", "--format", "json", in: folder)
    #expect(structs.output == "[{\"mass\": 1.5, \"velocity\": [1.0, 2.0], \"flag\": -1, \"number\": 7}]\n")
    let none = try await get("cube.gcodable", "[0..<2][0..<0]", "--format", "json", in: folder)
    #expect(none.output == "[[], []]\n")
  }

  /// Behind a length of 0 an archive may say any others, for which there are no lists.
  @Test func noListsAreMadeForLengthsWithoutElements() async throws {
    let folder = try Folder()
    try GraphEncoder().write(
      GArray([Double](), shape: [0, 1 << 62, 5]), to: folder.file("empty.gcodable"))
    let empty = try await get("empty.gcodable", "", "--format", "json", in: folder)
    #expect(empty.output == "[]\n")
    for format in ["text", "csv", "npy"] {
      #expect(try await get("empty.gcodable", "", "--format", format, in: folder).status == 0)
    }
  }

  @Test func numPyFilesHaveTypeAndShape() async throws {
    let folder = try folder()
    func file(_ name: String) async throws -> (header: String, bytes: Data) {
      _ = try await Tool.shell("\"$tool\" get \(name).gcodable '' --format npy > \(name).npy", in: folder)
      let bytes = try Data(contentsOf: folder.file("\(name).npy"))
      #expect(bytes.starts(with: [0x93] + Array("NUMPY".utf8) + [1, 0]))
      let count = Int(bytes[8]) | Int(bytes[9]) << 8
      #expect((10 + count).isMultiple(of: 64))
      return (String(decoding: bytes[10..<(10 + count)], as: UTF8.self), bytes.dropFirst(10 + count))
    }
    let cube = try await file("cube")
    #expect(cube.header.hasPrefix("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3, 4,), }"))
    #expect(Array(cube.bytes) == (0..<24).flatMap { [UInt8($0), 0] })
    let structs = try await file("structs")
    #expect(
      structs.header.hasPrefix(
        "{'descr': [('mass', '<f8'), ('velocity', '<f4', (2,)), ('flag', '<i4'), ('number', '<u4')], "))
    #expect(structs.bytes.count == 24)
  }

  @Test func whatIsNoArrayIsNoFileOfNumPy() async throws {
    let folder = try folder()
    try folder.archive()
    let ragged = try await get("ragged.gcodable", "", in: folder)
    #expect(ragged.status == 0 && ragged.output.hasPrefix("[["))
    for (name, path) in [("ragged.gcodable", ""), ("state.gcodable", "title")] {
      let refused = try await Tool.run(["get", name, path, "--format", "npy"], in: folder)
      #expect(
        refused.status == 64 && refused.output == "" && refused.diagnostics.contains("see --format json"))
    }
    #expect(try await get("ragged.gcodable", "[1]", in: folder).lines == ["2", "3"])
    #expect(try await get("matrix.gcodable", "[0..<3]", in: folder).status == 1)
    #expect(try await get("matrix.gcodable", "[3..<1]", in: folder).status == 64)
  }
}
