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
      Files may be addresses, such as https://example.org/state.gcodable, which are read by ranges, and - is standard input.

      The Python package imports and exports trajectories and HDF5: python -m graphcodable import, and export.

      Exit status:
        0   success
        1   a file is damaged, is no archive, or lacks what was asked for; two graphs differ
        2   two graphs cannot be compared
        64  the arguments are invalid, or a set is given where an archive is needed
        66  a file cannot be opened or read
        74  the output, or the new file, cannot be written
      """,
    version: toolVersion,
    subcommands: [
      InfoCommand.self, ListCommand.self, GetCommand.self, DumpCommand.self, VerifyCommand.self,
      ProtectCommand.self, RepairCommand.self, RecoverCommand.self, DiffCommand.self, StatsCommand.self,
      GraphCommand.self, ViewCommand.self, ServeCommand.self,
      RepackCommand.self,
      SeriesCommand.self,
    ])

  static func main() {
    // Whoever reads the output may stop before its end; that ends this program quietly, whatever its parent had set.
    signal(SIGPIPE, SIG_DFL)
    if let mistake = CommandNames.mistake(in: FileName.arguments) {
      writeToStandardError(mistake)
      exit(withError: ExitCode.validationFailure)
    }
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
