import Foundation
import GraphCodable
import Testing

@Suite("graph")
struct GraphTests {
  private func ring(_ names: String...) throws -> Folder {
    let nodes = names.map(RingNode.init)
    for (number, node) in nodes.enumerated() {
      node.next = nodes[(number + 1) % nodes.count]
      node.back = nodes[(number + nodes.count - 1) % nodes.count]
    }
    let folder = try Folder()
    try GraphEncoder().write(nodes[0], to: folder.file("ring.gcodable"))
    for node in nodes { node.next = nil }
    return folder
  }

  @Test func cyclesAndWeakReferencesAreShown() async throws {
    let folder = try ring("a", "b", "c")
    let result = try await Tool.run(["graph", "ring.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines.count { $0.contains("[label=\"") && !$0.contains("->") } == 3)
    #expect(result.lines.count { $0.contains("label=\"next\"]") } == 3)
    #expect(result.lines.count { $0.contains("label=\"back\", style=dashed]") } == 3)
    #expect(result.output.contains("  n0 -> n1 [label=\"next\"]"))
    #expect(result.output.contains("  n2 -> n0 [label=\"next\"]"))
    #expect(result.lines.last == "}")
  }

  @Test func limitsLeaveOutWhatIsFar() async throws {
    let folder = try ring("a", "b", "c", "d")
    let near = try await Tool.run(["graph", "ring.gcodable", "--depth", "0"], in: folder)
    #expect(!near.output.contains("->"))
    #expect(near.output.contains("\\n…"))
    let few = try await Tool.run(["graph", "ring.gcodable", "--limit", "2"], in: folder)
    #expect(few.output.contains("… 1 more"))
    #expect(!few.output.contains("n2"))
    for option in ["--depth=-1", "--limit=0"] {
      #expect(try await Tool.run(["graph", "ring.gcodable", option], in: folder).status == 64)
    }
  }

  @Test func namesAreText() async throws {
    let folder = try ring("\"]\n}\\ <b>\u{202E}\u{0}")
    let result = try await Tool.run(["graph", "ring.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines.count == 8)
    #expect(!result.output.contains("\u{202E}") && !result.output.contains("\u{0}"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dot") else { return }
    let drawing = try await Tool.run(["graph", "ring.gcodable", "-o", "ring.svg"], in: folder)
    #expect(drawing.status == 0, "\(drawing.diagnostics)")
    let svg = try String(contentsOf: folder.file("ring.svg"), encoding: .utf8)
    #expect(svg.contains("</svg>") && !svg.contains("<b>"))
  }

  @Test func aMissingProgramIsNamed() async throws {
    let folder = try ring("a")
    let result = try await Tool.shell("PATH=/nowhere \"$tool\" graph ring.gcodable -o ring.svg", in: folder)
    #expect(result.status == 1)
    #expect(result.diagnostics.contains("Graphviz"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("ring.svg").path))
    #expect(try await Tool.run(["graph", "ring.gcodable", "-o", "ring.dot"], in: folder).status == 0)
    #expect(try String(contentsOf: folder.file("ring.dot"), encoding: .utf8).hasPrefix("digraph {\n"))
    #expect(try await Tool.run(["graph", "ring.gcodable", "-o", "no/ring.dot"], in: folder).status == 74)
  }
}

/// A node of a ring, which knows both neighbours.
final class RingNode: GCodable {
  var name: String
  var next: RingNode?
  weak var back: RingNode?

  init(_ name: String) { self.name = name }

  private enum Key: String { case name, next, back }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(next, for: Key.next)
    try encoder.encodeConditional(back, for: Key.back)
  }

  required init(from decoder: GDecoder) throws { name = "" }
}
