import ArgumentParser
import Foundation
import GraphCodable

/// Draws the objects around a value.
struct GraphCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draw the objects around a value, and the references between them.",
    discussion: """
      The graph is in the language of Graphviz, DOT; with -o and a name that ends with .svg, Graphviz draws it, where it \
      is installed. Conditional references, such as weak ones, are dashed.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Argument(help: "The value to begin with, as 'bodies[3]'. (default: the root)")
  var path: GraphPath?

  @Option(
    name: .shortAndLong, help: "The new file, .dot or .svg. (default: standard output)", completion: .file())
  var output: String?

  @Option(help: "How many references away objects are shown.")
  var depth = 3

  @Option(help: "How many objects are shown.")
  var limit = 100

  func validate() throws {
    guard depth >= 0 else { throw ValidationError("--depth is at least 0.") }
    guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
  }

  func write(to out: Output) throws {
    let dot = try arguments.withSnapshot(at: path) {
      try ObjectGraph($0.archive(), around: path ?? [], depth: depth, limit: limit).dot
    }
    guard let output else {
      for line in dot { try out.line(line) }
      return
    }
    let isPicture = output.lowercased().hasSuffix(".svg")
    try NewFile.write(
      isPicture ? Graphviz.svg(dot) : Data(dot.joined(separator: "\n").utf8 + [UInt8(ascii: "\n")]),
      to: output)
  }
}
