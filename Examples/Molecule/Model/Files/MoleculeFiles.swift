import Foundation

/// Where the files of the example are: adenylate kinase and its way from closed to open.
public struct MoleculeFiles: Sendable {
  /// The topology.
  public let psf: URL
  /// The trajectory.
  public let dcd: URL

  /// The name of the topology.
  public static let topologyName = "adk.psf"
  /// The name of the trajectory.
  public static let trajectoryName = "adk_dims.dcd"

  /// Looks for the files.
  ///
  /// Without a named folder it looks in `data` and `../shared/data` of `directory` and of the folders above
  /// it, so that it does not matter from where in the project it is started.
  ///
  /// - Parameters:
  ///   - folder: The only folder to look in, if it is named.
  ///   - directory: Where to start.
  /// - Throws: `MoleculeError.missingFiles`, which says what to do.
  public static func find(
    in folder: String? = nil, from directory: String = FileManager.default.currentDirectoryPath
  ) throws -> MoleculeFiles {
    var candidates: [URL] = []
    if let folder {
      candidates = [URL(fileURLWithPath: folder, isDirectory: true)]
    } else {
      var base = URL(fileURLWithPath: directory, isDirectory: true).standardizedFileURL
      for _ in 0..<4 where base.path != "/" {
        candidates.append(base.appendingPathComponent("data"))
        candidates.append(base.appendingPathComponent("../shared/data").standardizedFileURL)
        base = base.deletingLastPathComponent().standardizedFileURL
      }
    }
    for candidate in candidates {
      let files = MoleculeFiles(
        psf: candidate.appendingPathComponent(topologyName),
        dcd: candidate.appendingPathComponent(trajectoryName))
      if [files.psf, files.dcd].allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) {
        return files
      }
    }
    throw MoleculeError.missingFiles(searched: candidates.map(\.path))
  }
}
