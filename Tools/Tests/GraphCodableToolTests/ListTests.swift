import Foundation
import GraphCodable
import Simulation
import Testing

@Suite("ls")
struct ListTests {
  @Test func oneLevelIsListed() async throws {
    let folder = try Folder()
    try folder.archive()
    let root = try await Tool.run(["ls", "state.gcodable"], in: folder)
    #expect(root.status == 0)
    #expect(root.diagnostics == "")
    #expect(
      root.output == """
        title       string                                           "At rest"
        species     array                  3 elements
        cells       array                  4 elements
        counts      dictionary                 1 pair
        positions   array of float64  10,000 elements  80,000 bytes  in segment bulk 0
        velocities  array of float64  10,000 elements  80,000 bytes  in segment bulk 1

        """)
    let species = try await Tool.run(["ls", "state.gcodable", "species"], in: folder)
    #expect(
      species.output == """
        [0]  Simulation.Species #0  2 fields
        [1]  Simulation.Ion #1      3 fields
        [2]  Simulation.Species #0  2 fields

        """)
    let ion = try await Tool.run(["ls", "state.gcodable", "species[1]"], in: folder)
    #expect(ion.lines == ["name    string   \"Na\"", "mass    float64  22.99", "charge  int64    1"])
    let count = try await Tool.run(["ls", "state.gcodable", "counts.Ar"], in: folder)
    #expect(count.lines == ["Ar  int64  10000"])
  }

  @Test func cyclesAndSharedObjectsAreListedOnce() async throws {
    let folder = try Folder()
    try folder.archive("state.gcodable", .init(particleCount: 1_000, cellCount: 3))
    let result = try await Tool.run(["ls", "--recursive", "state.gcodable", "cells"], in: folder)
    #expect(
      result.output == """
        [0]  Simulation.Cell #2  3 fields
          index  int64                         0
          name   string                        "origin"
          next   Simulation.Cell #3  3 fields
            index  int64                         1
            name   nil
            next   Simulation.Cell #4  3 fields
              index  int64                         2
              name   nil
              next   Simulation.Cell #2  3 fields  (listed above)
        [1]  Simulation.Cell #3  3 fields  (listed above)
        [2]  Simulation.Cell #4  3 fields  (listed above)

        """)
    let shallow = try await Tool.run(["ls", "-r", "--depth", "2", "state.gcodable", "cells"], in: folder)
    #expect(shallow.lines.count == 3 + 3 * 3)
  }

  @Test func whatIsLeftOutIsCounted() async throws {
    let folder = try Folder()
    try folder.archive("state.gcodable", .init(cellCount: 1_000))
    let start = try await Tool.run(["ls", "state.gcodable", "velocities"], in: folder)
    #expect(start.lines.count == 101)
    #expect(start.lines[99] == "[99]  float64  0.0")
    #expect(start.lines[100] == "… 9,900 more, not listed: see --limit")
    let middle = try await Tool.run(
      ["ls", "state.gcodable", "cells", "--from", "500", "--limit", "2"], in: folder)
    #expect(
      middle.lines == [
        "… 500 before, not listed: see --from", "[500]  Simulation.Cell #502  3 fields",
        "[501]  Simulation.Cell #503  3 fields", "… 498 more, not listed: see --limit",
      ])
    let behind = try await Tool.run(["ls", "state.gcodable", "cells", "--from", "5000"], in: folder)
    #expect(behind.lines == ["… 1,000 before, not listed: see --from"])
    let all = try await Tool.run(["ls", "state.gcodable", "cells", "--limit", "\(Int.max)"], in: folder)
    #expect(all.lines.count == 1_000)
  }

  /// Every command says the same of models with the same keys, whichever protocol they adopt.
  @Test(arguments: [["ls"], ["ls", "--recursive"], ["ls", "--recursive", "--json"], ["dump"]])
  func archivesOfCodableModelsLookTheSame(command: [String]) async throws {
    let folder = try Folder()
    let state = Simulation.State()
    try folder.archive("a", state)
    try folder.plainArchive("b", of: state)
    let (one, other) = try await (
      Tool.run(command + ["a"], in: folder), Tool.run(command + ["b"], in: folder)
    )
    #expect(one.output.utf8.count > 100)
    #expect(other.status == 0)
    // In columns, the longer names make the others wider, too.
    func words(_ text: String) -> [Substring] {
      text.replacing("PlainSimulation", with: "Simulation").replacing("\"b\"", with: "\"a\"")
        .split { $0 == " " || $0 == "\n" }
    }
    #expect(words(other.output) == words(one.output))
  }

  @Test func pathThatLeadsNowhereIsAnErrorWithWhatThereIs() async throws {
    let folder = try Folder()
    try folder.archive()
    let cases = [
      ("nothing", "keyNotFound: there is no value for key \"nothing\""),
      ("cells[4]", "valueNotFound: no element 4: there are 4 (at cells)"),
      ("cells.index", "typeMismatch: "),
      ("title[0]", "typeMismatch: "),
      ("cells[1].name.first", "valueNotFound: there is nil where a value with parts is asked for"),
    ]
    for (path, message) in cases {
      let result = try await Tool.run(["ls", "state.gcodable", path], in: folder)
      #expect(result.status == 1)
      #expect(result.output == "")
      #expect(result.diagnostics.hasPrefix("graphcodable: state.gcodable: \(message)"), "\(path)")
    }
  }

  @Test func entryOfASeriesIsChosen() async throws {
    let folder = try Folder()
    try folder.series()
    let last = try await Tool.run(["ls", "run.gcodable", "title"], in: folder)
    #expect(last.output == "title  string  \"Entry 2\"\n")
    let first = try await Tool.run(["ls", "run.gcodable", "title", "--entry", "0"], in: folder)
    #expect(first.output == "title  string  \"Entry 0\"\n")
    let json = try await Tool.run(["ls", "run.gcodable", "title", "--json"], in: folder)
    #expect(try JSONDecoder().decode(List.self, from: Data(json.output.utf8)).entry == 2)
  }

  @Test func jsonHasAllOfIt() async throws {
    let folder = try Folder()
    try folder.archive()
    let result = try await Tool.run(["ls", "--json", "-r", "--limit", "2", "state.gcodable"], in: folder)
    let list = try JSONDecoder().decode(List.self, from: Data(result.output.utf8))
    #expect(list.file == "state.gcodable")
    #expect(list.entry == nil)
    #expect(list.items.map(\.path).prefix(2) == ["", "title"])
    #expect(list.items.map(\.depth).prefix(2) == [0, 1])
    #expect(list.items[0].leftOut == 4)
    #expect(list.items[1].kind == "string")
    #expect(list.items[1].value == "\"At rest\"")
    let species = try #require(list.items.first { $0.path == "species" })
    #expect(species.count == 3)
    #expect(species.leftOut == 1)
    let ion = try #require(list.items.first { $0.path == "species[1]" })
    #expect(ion.class == "Simulation.Ion")
    #expect(ion.object == 1)
    #expect(ion.depth == 2)
    #expect(ion.count == 3)

    let arrays = try await Tool.run(["ls", "--json", "--from", "4", "state.gcodable"], in: folder)
    let array = try #require(JSONDecoder().decode(List.self, from: Data(arrays.output.utf8)).items.last)
    #expect(array.path == "velocities")
    #expect(array.formats == ["float64"])
    #expect(array.bytes == 80_000)
    #expect(array.segment == 1)
    #expect(array.leftOut == nil)
  }

  @Test func stringsAndOptionalsAreListedAndPrinted() async throws {
    let folder = try Folder()
    try GraphEncoder().write(["n": ["a", "é"]], to: folder.file("strings"))
    try GraphEncoder().write(["n": [1.5, nil]] as [String: [Double?]], to: folder.file("optionals"))
    let strings = try await Tool.run(["ls", "-r", "strings"], in: folder)
    #expect(strings.lines.count == 3 && strings.lines[0].contains("array of string  2 elements"))
    #expect(strings.lines[2].hasSuffix("\"é\""))
    let optionals = try await Tool.run(["ls", "-r", "optionals"], in: folder)
    #expect(optionals.lines.count == 3 && optionals.lines[0].contains("array of optional float64"))
    #expect(optionals.lines[2].contains("[1]  nil"))
    #expect(try await Tool.run(["get", "strings", "n"], in: folder).output == "[\"a\", \"é\"]\n")
    #expect(try await Tool.run(["get", "optionals", "n"], in: folder).output == "[1.5, null]\n")
    #expect(try await Tool.run(["get", "optionals", "n[0]"], in: folder).output == "1.5\n")
  }

  /// Names are whatever the writer of an archive liked.
  @Test func keysCannotMoveTheCursor() async throws {
    let folder = try Folder()
    let evil = "a\u{1B}[2J\n\u{9B}\u{202E}.b"
    try GraphEncoder().write([evil: [evil]], to: folder.file("evil"))
    let list = try await Tool.run(["ls", "-r", "evil"], in: folder)
    #expect(list.lines.count == 2)
    #expect(list.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(!list.output.unicodeScalars.contains("\u{202E}"))
    let json = try await Tool.run(["ls", "-r", "--json", "evil"], in: folder)
    let items = try JSONDecoder().decode(List.self, from: Data(json.output.utf8)).items
    // The path in JSON is one that can be asked for.
    let again = try await Tool.run(["ls", "evil", items[1].path], in: folder)
    #expect(again.status == 0)
    #expect(again.lines.count == 1)
    #expect(GraphPath(items[1].path)?.steps == [.key(evil)])
    #expect(try await Tool.run(["dump", "evil"], in: folder).status == 0)
  }

  /// Neither the stack nor the time grows with the depth, as long as nobody asks for all of it.
  @Test func longChainIsCutAtTheRequestedDepth() async throws {
    let folder = try Folder()
    try folder.archive("chain", .init(particleCount: 10, cellCount: 20_000))
    let some = try await Tool.run(["ls", "-r", "chain", "cells[0]"], in: folder)
    #expect(some.lines.count == 16 * 3)
    let more = try await Tool.run(["ls", "-r", "--depth", "300", "chain", "cells[0]"], in: folder)
    #expect(more.lines.count == 300 * 3)
    #expect(more.status == 0)
  }

  private struct List: Decodable {
    let file: String
    let entry: Int?
    let items: [Item]

    struct Item: Decodable {
      let path: String
      let depth: Int
      let kind: String
      let `class`: String?
      let object, count, bytes, segment, leftOut: Int?
      let value: String?
      let formats: [String]?
    }
  }
}
