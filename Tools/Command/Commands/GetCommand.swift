import ArgumentParser
import GraphCodable

/// Writes any value: an array, a slice of one, or whatever else there is.
struct GetCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print a value of an archive, an array, or a slice of one.",
    discussion: """
      The path is as for ls, and may have ranges in brackets: 'frames[10..<20][0..<100]' has the first hundred \
      elements of each of ten arrays, and 'bodies[0..<5].mass' a number of each of five records. Of arrays of numbers, \
      only the blocks that hold the elements are read. Single values are printed as they are, records and other lists as \
      JSON, each on a line.
      """)

  @OptionGroup var arguments: SnapshotArguments

  @Argument(help: "Where the value is, as 'positions[1000..<2000]' or 'bodies[0..<5].mass'.")
  var path: GraphPath

  @Option(
    help: "text: a line for each row, with spaces; csv: with commas; json: nested lists; npy: for NumPy.")
  var format = ArrayFormat.text

  func write(to output: Output) throws {
    try arguments.withSnapshot(at: path) { snapshot in
      let archive = try snapshot.archive()
      guard let array = try array(in: archive) else { return try write(archive, to: output) }
      switch format {
      case .text: try ArrayText(array, separator: " ", hasHeader: false).write(to: output)
      case .csv: try ArrayText(array, separator: ",", hasHeader: true).write(to: output)
      case .json: try ArrayJSON(array).write(to: output)
      case .npy: try NumPyFile(array).write(to: output)
      }
    }
  }
}

extension GetCommand {
  /// The array at the path, whose elements can be read at once; nil for any other value.
  private func array(in archive: GraphArchive) throws -> GraphRawArrayView? {
    do { return try archive.rawArray(at: path) } catch let error as GCodableError
      where error.code == .typeMismatch
    {
      // There may be another value, also behind ranges that are not those of an array of numbers.
      return nil
    }
  }

  private func write(_ archive: GraphArchive, to output: Output) throws {
    switch format {
    case .text: try ValueText(archive).write(path, to: output)
    case .csv: try ValueText(archive).writeTable(path, to: output)
    case .npy: try ValueNumbers(archive, path).write(to: output)
    case .json:
      var json = ValueJSON(archive)
      guard path.hasRanges else { return try output.line(json.text(at: path)) }
      var texts: [String] = []
      try ValuePaths(archive).forEach(path) { texts.append(try json.text(at: $0)) }
      try output.line("[\(texts.joined(separator: ",\n"))]".replacing("\n", with: " "))
    }
  }
}

/// How an array is written.
enum ArrayFormat: String, CaseIterable, ExpressibleByArgument {
  case text, csv, json, npy
}
