import ArgumentParser
import GraphCodable

/// Lists what stands at a place in a graph.
struct ListCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the fields, elements or pairs of a value in an archive.",
    discussion: """
      The path leads from the root to the value: keys separated by dots, and indices in brackets, such as \
      'bodies[3].position'. A key with other characters is quoted in brackets: 'scores["a.b"]'.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Argument(help: "Where the value is, as 'bodies[3].position'. (default: the root)")
  var path: GraphPath?

  @Flag(name: .shortAndLong, help: "List the parts of the parts, too; an object only where it is first met.")
  var recursive = false

  @Option(help: "How many levels --recursive lists.")
  var depth = 16

  @Option(help: "How many parts of a value to list.")
  var limit = 100

  @Option(help: "The place of the first part of the value to list, from 0.")
  var from = 0

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard depth > 0 else { throw ValidationError("--depth is at least 1.") }
    guard limit > 0 else { throw ValidationError("--limit is at least 1.") }
    guard from >= 0 else { throw ValidationError("--from is at least 0.") }
  }

  func write(to output: Output) throws {
    try arguments.withSnapshot(at: path) { snapshot in
      let archive = try snapshot.archive()
      let listing = Listing(
        archive, path ?? [], depth: recursive ? depth : 1, limit: limit, from: from)
      if json {
        var report = ListReport(snapshot, archive)
        try listing.visit(&report)
        try output.json(report)
      } else {
        var text = ListText(archive, output)
        try listing.visit(&text)
      }
    }
  }
}

extension GraphPath: @retroactive ExpressibleByArgument {
  /// The path that an argument describes; nil if it describes none.
  public init?(argument: String) { self.init(argument) }
}
