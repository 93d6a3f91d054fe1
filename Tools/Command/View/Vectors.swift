import GraphCodable

extension GraphArchive {
  /// The names of a vector's components.
  static let components = ["x", "y", "z"]

  /// The paths of the components of vectors that are kept as three arrays of one length.
  ///
  /// - Throws: `typeMismatch` where the value at `path` is something else.
  func vectorPaths(at path: GraphPath) throws -> [GraphPath] {
    let paths = Self.components.map { path.appending(.key($0)) }
    let arrays = try paths.map(rawArray)
    let areVectors = arrays.allSatisfy { array in
      array.shape == [arrays[0].count] && array.fields.count == 1 && array.count > 0
        && (try? NumberColumns(array))?.columns.count == 1
    }
    guard areVectors else { throw GCodableError(.typeMismatch, "no vectors of three arrays are there") }
    return paths
  }
}
