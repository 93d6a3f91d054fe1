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
    if try dumpMessages(to: output) { return }
    try arguments.withSnapshot { try $0.archive().dumpLines(options, output.indentedLine) }
  }

  /// Prints all messages of a stream, unless one is chosen; false for other files.
  private func dumpMessages(to output: Output) throws -> Bool {
    guard arguments.entry.choice == nil else { return false }
    do {
      guard case .messages(let messages) = try StoredFile(arguments.file).content else { return false }
      let (damage, _) = try messages.visit { message in
        try output.line("message \(message.number)")
        try message.archive().dumpLines(options, output.indentedLine)
      }
      for found in damage { Failure("\(shownName(arguments.file)): \(found)").print() }
      if !damage.isEmpty { throw ExitCode.failure }
      return true
    } catch let code as ExitCode { throw code } catch { throw Failure(error, in: arguments.file) }
  }
}
