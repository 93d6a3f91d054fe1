import ArgumentParser
import GraphCodable

/// Prints a whole graph.
struct DumpCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Print everything in an archive as an indented list.")

  @OptionGroup var arguments: SnapshotArguments

  @Flag(help: "Explain the codes that the list uses.")
  var helpText = false

  @Flag(help: "Print the fields of the header.")
  var header = false

  @Flag(inversion: .prefixedNo, help: "Print the graph.")
  var body = true

  @Flag(help: "Print codes for keys and classes, and sizes in place of values.")
  var codes = false

  @Flag(help: "Print the classes.")
  var referenceMap = false

  @Flag(help: "Print the classes with their mangled names, by which they are found.")
  var mangledNames = false

  private var options: GraphDumpOptions {
    var options: GraphDumpOptions = []
    if helpText { options.insert(.showHelp) }
    if header { options.insert(.showHeader) }
    if body { options.insert(codes ? .showBody : .readable) }
    if referenceMap || mangledNames { options.insert(.showReferenceMap) }
    if mangledNames { options.insert(.showMangledNamesInReferenceMap) }
    return options
  }

  func write(to output: Output) throws {
    let stored = try open()
    if case .messages(let messages) = stored.content, arguments.entry.choice == nil {
      return try dump(messages, to: output)
    }
    try arguments.withSnapshot(of: stored) { try $0.archive().dumpLines(options, output.indentedLine) }
  }

  private func open() throws(Failure) -> StoredFile {
    do { return try StoredFile(arguments.file) } catch { throw Failure(error, in: arguments.file) }
  }

  /// Prints all messages of a stream.
  private func dump(_ messages: StoredMessages, to output: Output) throws {
    let damage: [GraphMessageDamage]
    do {
      damage = try messages.visit { message in
        try output.line("message \(message.number)")
        try message.archive().dumpLines(options, output.indentedLine)
      }.0
    } catch { throw Failure(error, in: arguments.file) }
    for found in damage { Failure("\(shownName(arguments.file)): \(found)").print() }
    if !damage.isEmpty { throw ExitCode.failure }
  }
}
