import Foundation
import GraphCodable
import Testing

/// `graphcodable get` of anything but an array of numbers.
@Suite("values")
struct ValueTests {
  private enum Phase: Codable {
    case idle
    case running(step: Int, of: Double)
    case failed(String)
  }

  private enum Colour: String, Codable { case red }

  private struct Body: Codable {
    let name: String
    let mass: Double
    let id: UUID
    let phase: Phase
    let near: [Int]
    let note: String?
  }

  private struct World: Codable {
    var title = "a \"world\"\n" + String(repeating: "x", count: 200)
    var bodies: [Body] = []
    var scores = ["a.b": 1, "c": 2]
    var byID: [Int: String] = [7: "seven"]
    var colour = Colour.red
    var isOpen = true
    var large = Int64.max
    var bad = Double.nan
    var ragged = [[1, 2], [], [3]]
    var grid = [[1.5, 2.5], [3.5, 4.5]]
    var ids: [UUID] = []
    var date = Date(timeIntervalSinceReferenceDate: 5)
  }

  private static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB))

  private func folder() throws -> Folder {
    let folder = try Folder()
    var world = World()
    let phases = [Phase.idle, .running(step: 3, of: 0.5), .failed("no disk")]
    world.bodies = (0..<6).map {
      Body(
        name: "b,\($0)", mass: Double($0) / 2, id: Self.id, phase: phases[$0 % 3], near: [$0],
        note: $0 == 1 ? "first" : nil)
    }
    world.ids = [Self.id, Self.id]
    try GraphEncoder().write(codable: world, to: folder.file("w"))
    return folder
  }

  private func get(_ path: String, _ options: [String] = [], in folder: Folder) async throws -> String {
    let result = try await Tool.run(["get", "w", path] + options, in: folder)
    #expect(result.status == 0 && result.diagnostics == "", "\(path): \(result.diagnostics)")
    return result.output
  }

  @Test func singleValuesArePrintedAsTheyAre() async throws {
    let folder = try folder()
    for (path, text) in [
      ("bodies[1].name", "b,1"), ("bodies[3].mass", "1.5"), ("isOpen", "true"),
      ("large", "9223372036854775807"),
      ("bad", "nan"), ("colour", "red"), ("bodies[0].note", "nil"), ("bodies[1].note", "first"),
      ("scores[\"a.b\"]", "1"),
      ("byID[7]", "seven"), ("bodies[0].id", Self.id.uuidString), ("ids[1]", Self.id.uuidString),
    ] {
      try await #expect(get(path, in: folder) == text + "\n", "\(path)")
    }
    // Whole, and with escapes for what would end the line.
    try await #expect(
      get("title", in: folder) == "a \"world\"\\n" + String(repeating: "x", count: 200) + "\n")
  }

  @Test func rangesLeadToAValueOfEach() async throws {
    let folder = try folder()
    try await #expect(get("bodies[0..<3].mass", in: folder) == "0.0\n0.5\n1.0\n")
    try await #expect(get("bodies[4..<6].name", in: folder) == "b,4\nb,5\n")
    try await #expect(get("bodies[1..<3].near[0]", in: folder) == "1\n2\n")
    try await #expect(get("bodies[0..<2].near[0..<1]", in: folder) == "0\n1\n")
    try await #expect(get("bodies[2..<2].mass", in: folder) == "")
    try await #expect(get("bodies[0..<3].mass", ["--format", "json"], in: folder) == "[0.0, 0.5, 1.0]\n")
    for path in ["bodies[0..<7].mass", "bodies[7..<9]", "title[0..<1]", "bodies[0..<2].mas"] {
      let result = try await Tool.run(["get", "w", path], in: folder)
      #expect(result.status == 1 && result.output == "", "\(path): \(result.output)")
    }
  }

  @Test func otherValuesAreJSON() async throws {
    let folder = try folder()
    let body = try await get("bodies[1]", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    #expect(object?["name"] as? String == "b,1" && object?["id"] as? String == Self.id.uuidString)
    #expect(object?["near"] as? [Int] == [1])
    #expect(((object?["phase"] as? [String: Any])?["running"] as? [String: Any])?["step"] as? Int == 3)
    for options in [[], ["--format", "json"]] {
      let whole = try await get("", options, in: folder)
      #expect(whole.filter { $0 == "\n" }.count == 1)
      let world = try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any]
      #expect(world?["title"] as? String == World().title)
      #expect(world?["bad"] as? String == "nan" && world?["ragged"] as? [[Int]] == [[1, 2], [], [3]])
      #expect(world?["grid"] as? [[Double]] == [[1.5, 2.5], [3.5, 4.5]])
      #expect(world?["scores"] as? [String: Int] == ["a.b": 1, "c": 2])
      #expect((world?["bodies"] as? [Any])?.count == 6)
    }
  }

  @Test func cyclesEnd() async throws {
    let folder = try Folder()
    try folder.archive("w")
    let text = try await get("cells", in: folder)
    #expect(text.contains(#"{"$ref": "cells[0]"}"#))
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [Any])
  }

  @Test func recordsAreTables() async throws {
    let folder = try folder()
    try await #expect(get("bodies[0..<2].mass", ["--format", "csv"], in: folder) == "0.0\n0.5\n")
    try await #expect(get("bodies[0..<2].name", ["--format", "csv"], in: folder) == "\"b,0\"\n\"b,1\"\n")
    let nested = try await Tool.run(["get", "w", "bodies[0..<2]", "--format", "csv"], in: folder)
    #expect(nested.status == 64 && nested.diagnostics.contains("--format json"))
    try folder.archive("w")
    try await #expect(get("species[0..<1]", ["--format", "csv"], in: folder) == "name,mass\nAr,39.95\n")
  }

  @Test func numbersAreArraysOfNumPy() async throws {
    let folder = try folder()
    let line = "$tool get w 'bodies[0..<3].mass' --format npy | tail -c 24 | od -An -t f8 -w8"
    let masses = try await Tool.shell(line, in: folder)
    #expect(masses.lines.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) } == [0, 0.5, 1])
    let text = try await Tool.run(["get", "w", "title", "--format", "npy"], in: folder)
    #expect(text.status == 64 && text.output == "")
  }

  @Test func casesAndUUIDsAreListedAsSuch() async throws {
    let folder = try folder()
    let list = try await Tool.run(["ls", "w", "bodies", "--recursive", "--depth", "2"], in: folder).output
    #expect(list.contains("running(step: 3, of: 0.5)") && list.contains("failed(\"no disk\")"))
    #expect(list.contains("idle") && list.contains(Self.id.uuidString))
  }
}
