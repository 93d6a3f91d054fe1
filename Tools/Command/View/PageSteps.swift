import GraphCodable

/// Arrays and numbers of a series at several of its entries; its properties are the keys in JSON.
struct PageSteps: Encodable {
  struct Step: Encodable {
    let number: Int
    let step: Int
    let time: Double
    /// Of the paths that the entry has.
    let previews: [Preview]
    /// Single numbers of the root, by their paths.
    let numbers: [String: Double]
  }

  let paths: [String]
  let steps: [Step]

  private static let stepLimit = 24
  private static let pathLimit = 8

  /// - Parameters:
  ///   - paths: the arrays of the last entry, and its vectors.
  ///   - vectors: which of them are vectors.
  ///   - numberPaths: the single numbers of the last entry.
  init(_ series: GraphArchiveSeries, _ paths: [GraphPath], vectors: [String], numberPaths: [GraphPath]) {
    let paths = paths.prefix(Self.pathLimit)
    self.paths = paths.map(\.description)
    let count = min(series.count, Self.stepLimit)
    steps = (0..<count).compactMap { index in
      let entry = series[count == 1 ? series.count - 1 : (series.count - 1) * index / (count - 1)]
      guard let archive = try? GraphArchive(entry) else { return nil }
      let values: [(String, Double)] = numberPaths.compactMap { path in
        guard let text = (try? archive.item(at: path))?.text, let value = Double(text) else { return nil }
        return (path.description, value)
      }
      return Step(
        number: entry.number, step: entry.step, time: entry.time,
        previews: paths.compactMap { path in
          vectors.contains(path.description)
            ? try? Preview(vectorsOf: archive, at: path, .step) : try? Preview(archive, at: path, .step)
        },
        numbers: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }
  }
}
