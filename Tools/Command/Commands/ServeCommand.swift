import ArgumentParser
import Foundation
import GraphCodable

/// Lets a browser on this machine look into files of any size.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show what is in archives, series and sets of any size in a browser on this machine.",
    discussion: """
      Prints the address of a page that reads from the files what it shows, when it shows it. Of a set, and of a series in a \
      folder, each archive is a file of its own there. The address has a random token, only programs on this machine can \
      reach it, and nothing but the files can be read. Ends with the terminal, with its input where that is a pipe, and by \
      Control-C or Control-D.
      """)

  @Argument(help: "Archives, series or sets of this machine.", completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("The port to listen on; 0 for any that is free.", valueName: "number"))
  var port: UInt16 = 0

  func run() throws {
    let served = try files.flatMap { file throws(Failure) in
      do { return try ServedFile.files(file) } catch { throw Failure(error, in: file) }
    }
    let server = try PageServer(served, port: port) { try Page(served: $0).html() }
    let output = Output()
    try output.line(server.address)
    try output.line(
      "\(count(served.count, "file", "files")); open the address in a browser, and end this by Control-C")
    // From here on: what is printed may be answered by a signal.
    TerminalEnd.endsProgram()
    try output.flush()
    server.run()
  }
}
