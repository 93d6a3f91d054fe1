import ArgumentParser
import Foundation

/// The entry point.
@main
struct GraphCodableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graphcodable",
    abstract:
      "Inspects archives of object graphs, and series and sets of them, without the types that made them.",
    discussion: """
      Files may be addresses, such as https://example.org/state.gcodable, which are read by ranges.

      The exit status is 0 for success, 1 if a file is damaged, is not an archive or lacks what was asked for, 64 if the \
      arguments are invalid or a set is given where an archive is needed, 66 if a file cannot be read, and 74 if the \
      output cannot be written.
      """,
    subcommands: [
      InfoCommand.self, ListCommand.self, GetCommand.self, DumpCommand.self, VerifyCommand.self,
      RecoverCommand.self, DiffCommand.self, StatsCommand.self, RepackCommand.self,
      SeriesCommand.self,
    ])

  static func main() {
    // Whoever reads the output may stop before its end; that ends this program quietly, whatever its parent had set.
    signal(SIGPIPE, SIG_DFL)
    do {
      var command = try parseAsRoot(FileName.arguments)
      try command.run()
    } catch let failure as Failure {
      failure.print()
      exit(withError: failure.status)
    } catch {
      exit(withError: error)
    }
  }
}

/// A command that writes to standard output.
protocol WritingCommand: ParsableCommand {
  func write(to output: Output) throws
}

extension WritingCommand {
  func run() throws {
    let output = Output()
    do {
      try write(to: output)
    } catch {
      // What is known already comes before what went wrong.
      try output.flush()
      throw error
    }
    try output.flush()
  }
}
