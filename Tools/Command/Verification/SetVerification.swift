import Foundation
import GraphCodable

/// The check of a set, or of sets of a series: each part is opened and read once.
///
/// `GraphArchiveSet.verify` ends at the first part that is not as it should be; here all are told.
final class SetVerification {
  private let name: String
  private let byteCount: UInt64
  private let progress: Progress
  /// Sets that were checked.
  private(set) var setCount = 0
  /// Whether a set was removed since it was listed.
  private var hasLost = false
  private var parts = PartVerification()

  /// - Parameters:
  ///   - name: that of the set, or of the series, on the command line.
  ///   - byteCount: bytes of all parts that are to be checked.
  init(_ name: String, byteCount: UInt64) {
    (self.name, self.byteCount) = (name, byteCount)
    progress = Progress(totalUnitCount: Int64(clamping: byteCount))
  }

  /// All that is wrong with the parts of a set.
  ///
  /// - Parameter entry: its number in its series.
  func problems(of set: GraphArchiveSet, entry: Int? = nil) throws -> [Problem] {
    let problems = try withProgressLine { try parts.problems(of: set, entry, progress) }
    setCount += 1
    guard problems.isEmpty || set.isThere else {
      let error = GCodableError(.file, "the set was replaced or removed while it was checked")
      return [Problem(error, inSet: entry)]
    }
    return problems
  }

  /// All that is wrong with a series: its list, its index and the parts of its sets.
  ///
  /// A set that a writer has removed since it was listed is passed over.
  func problems(of series: GraphArchiveSetSeries) throws -> [Problem] {
    let inSets = try withProgressLine { try series.flatMap { try problems(of: $0) } }
    var series = series
    // Says whether they were removed or lost.
    if hasLost { try series.update() }
    return series.damage.map { Problem($0) } + [try Problem.ofIndex(in: name)].compactMap(\.self) + inSets
  }

  private func problems(of entry: GraphArchiveSetSeries.Entry) throws -> [Problem] {
    do {
      let set = try GraphArchiveSet(entry)
      var problems = try parts.problems(of: set, entry.number, progress)
      if !set.isStated(by: entry) {
        let error = GCodableError(
          .damaged, "the index of the series says other things of the set than its manifest")
        problems.append(Problem(error, inSet: entry.number))
      }
      if problems.isEmpty || set.isThere {
        setCount += 1
        return problems
      }
    } catch let error as GCodableError where FileManager.default.fileExists(atPath: entry.url.path) {
      setCount += 1
      return [Problem(error.about(SetNames.manifest), inSet: entry.number)]
    } catch is GCodableError {}
    hasLost = true
    return []
  }

  private func withProgressLine<Result>(_ body: () throws -> Result) throws -> Result {
    let line = ProgressLine(name, byteCount: byteCount, progress)
    defer { line?.end() }
    return try body()
  }
}

extension GraphArchiveSet {
  /// Whether it has been neither replaced nor removed.
  fileprivate var isThere: Bool { (try? GraphArchiveSet(url))?.token == token }

  /// Whether the list of a series says of it what its manifest says.
  fileprivate func isStated(by entry: GraphArchiveSetSeries.Entry) -> Bool {
    step == entry.step && (time == entry.time || time.isNaN && entry.time.isNaN) && metadata == entry.metadata
      && byteCount == entry.byteCount
  }
}
