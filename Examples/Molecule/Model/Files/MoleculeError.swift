/// What can be wrong with the files of a molecule.
public enum MoleculeError: Error, Equatable, CustomStringConvertible {
  /// A line of a text file is not what the format says.
  case text(line: Int, String)
  /// A part of a binary file is not what the format says.
  case binary(offset: Int, String)
  /// Two things do not fit together.
  case mismatch(String)
  /// The files are in none of the folders.
  case missingFiles(searched: [String])

  /// A sentence for people.
  public var description: String {
    switch self {
    case .text(let line, let text): "line \(line): \(text)"
    case .binary(let offset, let text): "byte \(offset): \(text)"
    case .mismatch(let text): text
    case .missingFiles(let searched):
      """
      \(MoleculeFiles.topologyName) and \(MoleculeFiles.trajectoryName) are not there. They are not part of the \
      project: run `make data` in its root, which fetches them with pip into ./data, or name a folder \
      that has them with --data. Searched:
      \(searched.map { "  \($0)" }.joined(separator: "\n"))
      """
    }
  }
}
