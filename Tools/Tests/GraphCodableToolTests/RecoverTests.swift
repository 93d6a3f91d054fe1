import Foundation
import GraphCodable
import Simulation
import Testing

@testable import GraphCodableTool

@Suite("recover")
struct RecoverTests {
  @Test func aDamagedArrayIsToldAndTheRestIsThere() async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let before = try folder.bytes(of: "damaged.gcodable")
    let result = try await Tool.run(["recover", "damaged.gcodable", "-o", "new.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(result.diagnostics == "")
    #expect(result.lines.first == "damaged.gcodable, entry 1: 1 of 2 blocks are lost")
    #expect(result.lines.last == "new.gcodable: 3 entries, 2 of them as they were")
    #expect(try folder.bytes(of: "damaged.gcodable") == before)
    let verified = try await Tool.run(["verify", "new.gcodable"], in: folder)
    #expect(verified.output == "new.gcodable: OK, 3 entries\n")
  }

  @Test func whereNothingIsLostTheStatusIsZero() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    let result = try await Tool.run(
      ["recover", "state.gcodable", "-o", "new.gcodable", "--json"], in: folder)
    #expect(result.status == 0)
    #expect(try folder.bytes(of: "new.gcodable") == bytes)
    let text = try await Tool.run(["recover", "state.gcodable", "-o", "new.gcodable"], in: folder)
    #expect(text.output == "state.gcodable: nothing is lost\n")
  }

  @Test func whereNothingIsIntactNoFileIsWritten() async throws {
    let folder = try Folder()
    try folder.write([UInt8](repeating: 3, count: 5_000), to: "a.gcodable")
    let result = try await Tool.run(["recover", "a.gcodable", "-o", "b.gcodable"], in: folder)
    #expect(result.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.file("b.gcodable").path))
    let missing = try await Tool.run(["recover", "no.gcodable", "-o", "b.gcodable"], in: folder)
    #expect(missing.status == 66)
  }
}
