import Foundation

/// The program that draws graphs, where it is installed.
enum Graphviz {
  /// Draws a graph.
  ///
  /// - Throws: `Failure` where the program is missing, or ends with an error.
  static func svg(_ dot: [String]) throws(Failure) -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphcodable-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let (source, drawing) = (
        folder.appendingPathComponent("graph.dot"), folder.appendingPathComponent("graph.svg")
      )
      try Data(dot.joined(separator: "\n").utf8).write(to: source)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["dot", "-Tsvg", "-o", drawing.path, source.path]
      try process.run()
      process.waitUntilExit()
      // That of `env` for a program that it does not find.
      guard process.terminationStatus != 127 else {
        throw Failure(
          "'dot' of Graphviz draws the picture, and is not installed; write a .dot file without it")
      }
      guard process.terminationStatus == 0 else {
        throw Failure("'dot' of Graphviz ended with status \(process.terminationStatus)")
      }
      return try Data(contentsOf: drawing)
    } catch let failure as Failure { throw failure } catch {
      throw Failure("cannot draw the graph: \(error.localizedDescription)")
    }
  }
}
