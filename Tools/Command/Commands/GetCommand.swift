import ArgumentParser
import GraphCodable

/// Writes an array, or a slice of one.
struct GetCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print an array of an archive, or a slice of one.",
    discussion: """
      The path is as for ls, and may have ranges in brackets: 'frames[10..<20][0..<100]' has the first hundred \
      elements of each of ten arrays. Only the blocks that hold the elements are read. Arrays of numbers, vectors and \
      packed structs can be printed, and nested arrays of these with equal lengths.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Argument(help: "Where the array is, as 'positions[1000..<2000]'.")
  var path: GraphPath

  @Option(
    help: "text: a line for each row, with spaces; csv: with commas; json: nested lists; npy: for NumPy.")
  var format = ArrayFormat.text

  func write(to output: Output) throws {
    try arguments.withSnapshot { snapshot in
      let array = try snapshot.archive().rawArray(at: path)
      switch format {
      case .text: try ArrayText(array, separator: " ", hasHeader: false).write(to: output)
      case .csv: try ArrayText(array, separator: ",", hasHeader: true).write(to: output)
      case .json: try ArrayJSON(array).write(to: output)
      case .npy: try NumPyFile(array).write(to: output)
      }
    }
  }
}

/// How an array is written.
enum ArrayFormat: String, CaseIterable, ExpressibleByArgument {
  case text, csv, json, npy
}
