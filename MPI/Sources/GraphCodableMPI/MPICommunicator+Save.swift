import Foundation
import GraphCodable

extension MPICommunicator {
  /// Saves one set, of which each rank has a part.
  ///
  ///     try world.saveTogether(
  ///       domain, to: folder, step: 100, time: 0.5,
  ///       arrays: [.init("positions", globalShape: [atomCount], offset: [firstAtom])])
  ///
  /// Collective. Rank 0 begins the set, all ranks write, and rank 0 commits it when all parts are on the device. If any
  /// rank fails, the parts are removed, all ranks throw its error, and the previous set stays. If a process is killed,
  /// `mpirun` ends the others; readers then see the new set or the previous one, complete, and the next save removes the
  /// remains. If rank 0 of the next job runs on another host, that save throws `locked` until `GraphArchiveLock` breaks
  /// the lock, because another host cannot know that the process has ended.
  ///
  /// - Parameters:
  ///   - root: the root of this rank's graph.
  ///   - folder: the set's folder, which all ranks see; it may have another path on each node.
  ///   - step: a step number, the same on all ranks.
  ///   - time: the time of the state, the same on all ranks.
  ///   - metadata: anything else that describes the set; that of rank 0 counts.
  ///   - arrays: which arrays of this rank's graph are pieces of arrays over all parts.
  ///   - encoder: the settings.
  ///   - staging: a folder on the node to write the part to first.
  ///   - progress: of this rank's part; cancelling it ends the save of all ranks.
  ///   - heartbeat: reports the progress of the others to rank 0.
  /// - Throws: `GCodableError`, the same on all ranks, caused by an ``MPIFailedRank``: code `invalidValue` when they
  ///   disagree on step, time or aggregation; `locked` when another job saves to the folder; otherwise as
  ///   `GraphArchiveSet.Writer.Part.write` and `GraphArchiveSet.Writer.commit`. And ``MPIError``.
  /// - Complexity: O(n) in the size of the graph, and on rank 0 a message and a file to check for each part.
  public func saveTogether<Root: GEncodable>(
    _ root: Root, to folder: URL, step: Int, time: Double, metadata: [String: String] = [:],
    arrays: [GraphArchiveSet.ArrayPart] = [], by encoder: GraphEncoder = GraphEncoder(),
    staging: URL? = nil, progress: Progress? = nil, heartbeat: MPIHeartbeat? = nil
  ) throws {
    let terms = SaveTerms(step: step, time: time, aggregation: .none)
    try save(terms, to: SavePlace(folder: folder), metadata: metadata, heartbeat) { writer, layout in
      try writer.part(layout.part, of: layout.writers.count).write(
        root, by: encoder, arrays: arrays, staging: staging, progress: progress)
    }
  }

  /// Saves the next set of a series, of which each rank has a part.
  ///
  ///     try world.appendTogether(domain, to: folder, step: 100, time: 0.5, arrays: arrays, keepingLast: 3)
  ///
  /// Collective, and otherwise like `saveTogether`, but earlier sets stay. A set is loaded by the folder of its entry in
  /// `GraphArchiveSetSeries`.
  ///
  /// - Parameters:
  ///   - folder: the series' folder.
  ///   - count: how many sets to keep, including this one, at least 1; nil for all. That of rank 0 counts.
  /// - Throws: as `saveTogether`. If earlier sets cannot be removed, the new one is still committed.
  /// - Complexity: as `saveTogether`, and on rank 0 a list of the sets.
  public func appendTogether<Root: GEncodable>(
    _ root: Root, to folder: URL, step: Int, time: Double, metadata: [String: String] = [:],
    arrays: [GraphArchiveSet.ArrayPart] = [], keepingLast count: Int? = nil,
    by encoder: GraphEncoder = GraphEncoder(), staging: URL? = nil, progress: Progress? = nil,
    heartbeat: MPIHeartbeat? = nil
  ) throws {
    let terms = SaveTerms(step: step, time: time, aggregation: .none)
    let place = SavePlace(folder: folder, isSeries: true, keptCount: count)
    try save(terms, to: place, metadata: metadata, heartbeat) { writer, layout in
      try writer.part(layout.part, of: layout.writers.count).write(
        root, by: encoder, arrays: arrays, staging: staging, progress: progress)
    }
  }

  /// Saves one set, in which groups of ranks share a part.
  ///
  /// A part is an array of the graphs of its ranks, and the paths of `arrays` begin with its index: `[2].positions`.
  ///
  /// - Parameters:
  ///   - aggregation: which ranks share a part, the same on all ranks.
  ///   - decoder: the settings by which the first rank of a group decodes what the others send.
  ///   - progress: of the part, on the ranks that write one.
  /// - Throws: as without `aggregation`, and what decoding throws.
  /// - Complexity: as without `aggregation`; graphs of ranks that do not write are encoded twice.
  public func saveTogether<Root: GCodable>(
    _ root: Root, to folder: URL, step: Int, time: Double, metadata: [String: String] = [:],
    arrays: [GraphArchiveSet.ArrayPart] = [], aggregation: MPIAggregation,
    by encoder: GraphEncoder = GraphEncoder(), decoder: GraphDecoder = GraphDecoder(),
    staging: URL? = nil, progress: Progress? = nil, heartbeat: MPIHeartbeat? = nil
  ) throws {
    let terms = SaveTerms(step: step, time: time, aggregation: aggregation)
    try save(terms, to: SavePlace(folder: folder), metadata: metadata, heartbeat) { writer, layout in
      guard layout.writer == rank else {
        try send(root, arrays, to: layout.writer)
        return nil
      }
      let (roots, allArrays) = try gather(root, arrays, from: layout.members, decoder)
      return try writer.part(layout.part, of: layout.writers.count).write(
        roots, by: encoder, arrays: allArrays, staging: staging, progress: progress)
    }
  }

  /// Saves a set.
  ///
  /// - Parameter write: writes this rank's part, or returns nil if another rank does.
  private func save(
    _ terms: SaveTerms, to place: SavePlace, metadata: [String: String], _ heartbeat: MPIHeartbeat?,
    _ write: (GraphArchiveSet.Writer, PartLayout) throws -> GraphArchiveSet.Receipt?
  ) throws {
    let start = ContinuousClock.now
    var lead: GraphArchiveSet.Writer?
    var series: GraphArchiveSetSeries.Writer?
    let begun = try fromRoot {
      if let count = place.keptCount, count < 1 {
        throw GCodableError(.invalidValue, "to keep \(count) sets would remove the one that is saved")
      }
      series = place.isSeries ? try GraphArchiveSetSeries.Writer(place.folder) : nil
      let writer = try series?.begin() ?? GraphArchiveSet.Writer(place.folder)
      lead = writer
      return BegunSave(
        token: writer.token, name: place.isSeries ? writer.folder.lastPathComponent : "", terms: terms)
    }
    let folder = begun.name.isEmpty ? place.folder : place.folder.appendingPathComponent(begun.name)
    let writer = try agree {
      try terms.check(begun.terms, rank)
      return try lead ?? Self.join(folder, begun.token)
    }
    let layout = try PartLayout(terms.aggregation, of: self)
    var own: (any Error)?
    var outcome = SaveOutcome()
    do { outcome.receipt = try write(writer, layout) } catch {
      own = error
      outcome.failure = RankFailure(error, of: rank)
    }
    // A rank that does not write has told the one that does.
    if layout.writer == rank, rank != 0 { try send(outcome.bytes(), to: 0, .outcome) }
    do {
      _ = try fromRoot {
        do {
          let outcomes = try collect(outcome, layout.writers, heartbeat, start)
          let failures = outcomes.compactMap(\.failure)
          if let first = failures.min(by: { $0.rank < $1.rank }) { throw first }
          try writer.commit(
            outcomes.compactMap(\.receipt), step: terms.step, time: terms.time, metadata: metadata)
        } catch {
          // What cannot be removed now is removed by the next save.
          try? writer.abort()
          throw error
        }
        if let count = place.keptCount { try series?.retain(last: count) }
        return true
      }
    } catch let error as GCodableError {
      guard let failed = error.context.underlyingError as? MPIFailedRank, failed.rank == rank, let own else {
        throw error
      }
      var error = error
      error.context.underlyingError = MPIFailedRank(rank: rank, cause: own, isOfWorld: failed.isOfWorld)
      throw error
    }
  }

  /// Where a set is saved.
  private struct SavePlace {
    /// Of the set, or of the series.
    let folder: URL
    var isSeries = false
    var keptCount: Int?
  }

  /// Joins the set that rank 0 has begun; on network file systems its folder may take a moment to be seen.
  private static func join(_ folder: URL, _ token: String) throws -> GraphArchiveSet.Writer {
    for _ in 0..<20 {
      do { return try GraphArchiveSet.Writer(folder, token: token) } catch let error as GCodableError
        where error.code == .file
      { Thread.sleep(forTimeInterval: 0.1) }
    }
    return try GraphArchiveSet.Writer(folder, token: token)
  }

  /// Waits on rank 0 until all that write have told what came of it.
  private func collect(
    _ own: SaveOutcome, _ writers: [Int], _ heartbeat: MPIHeartbeat?, _ start: ContinuousClock.Instant
  ) throws -> [SaveOutcome] {
    var outcomes = [own]
    var missing = Set(writers).subtracting([0])
    var (pause, lastBeat) = (Pause(), start)
    func beat() {
      lastBeat = ContinuousClock.now
      heartbeat?.report(
        .init(
          writtenCount: outcomes.lazy.filter { $0.receipt != nil }.count, partCount: writers.count,
          missingRanks: missing.sorted(), time: lastBeat - start))
    }
    while !missing.isEmpty {
      if let (source, bytes): (Int, [UInt8]) = try receiveIfThere(from: nil, .outcome) {
        outcomes.append(SaveOutcome(bytes, from: source))
        missing.remove(source)
        pause = Pause()
      } else {
        pause.wait()
      }
      if let heartbeat, ContinuousClock.now - lastBeat >= heartbeat.interval { beat() }
    }
    beat()
    return outcomes
  }
}
