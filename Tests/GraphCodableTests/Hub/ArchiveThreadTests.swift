import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("One archive on many threads")
struct ArchiveThreadTests {
  @Test(arguments: [true, false]) func allOfThemGetWhatIsThere(isInFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let model = (0..<60).map { number in (0..<1_000).map { "text \(number) \($0)" } }
    let numbers = (0..<300_000).map { Double($0) }
    let encoder = GraphEncoder()
    let bytes =
      try encoder.encode(
        Script {
          try $0.encode(model, for: Letter.a)
          try $0.encode(numbers, for: Letter.b)
          try $0.encode(TreeNode("root", [TreeNode("leaf")]), for: Letter.c)
        }) as Bytes
    let url = folder.file("a.graph")
    try Data(bytes).write(to: url)
    let archive = try isInFile ? GraphArchive(url) : GraphArchive(bytes)
    try await withThrowingTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(task))
          let root = try archive.decode(Rows.self)
          #expect(root.rows == model)
          #expect(root.tree.children[0].parent === root.tree)
          for _ in 0..<40 {
            let (row, column) = (random.below(60), random.below(1_000))
            switch random.below(8) {
            case 0:
              try #expect(
                archive.item(at: ["a", .index(row), .index(column)]).text == "\"text \(row) \(column)\"")
            case 1: try #expect(archive.items(at: ["a", .index(row)], in: 5..<9).count == 4)
            case 2:
              try #expect(archive.decode([String].self, at: ["a", .index(row)]) == model[row])
            case 3:
              try #expect(archive.decode(Double.self, at: ["b", .index(column)]) == numbers[column])
            case 4: try #expect(!archive.info.segments.isEmpty)
            case 5:
              // The text is long, and its beginning enough.
              struct Enough: Error {}
              var lines: [String] = []
              #expect(throws: Enough.self) {
                try archive.dumpLines {
                  lines.append($0)
                  if lines.count == 100 { throw Enough() }
                }
              }
              #expect(lines.contains { $0.contains("text 0") })
            case 6: #expect(archive.resolvedClasses().map { $0.type == TreeNode.self } == [true])
            default: try archive.verify()
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Reads what the test writes, in another order.
private struct Rows: GDecodable {
  let tree: TreeNode
  let rows: [[String]]

  init(from decoder: GDecoder) throws {
    tree = try decoder.decode(for: Letter.c)
    rows = try decoder.decode(for: Letter.a)
  }
}
