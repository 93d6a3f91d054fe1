import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Makes a valid archive of what is intact of a damaged one.
package struct ArchiveRecovery {
  private var archive: GraphArchive
  private var found: FoundArchive
  private let threadCount: Int
  private let progress: ProgressReport?
  private var damage: [DamageSearch.FoundBlock]?
  /// Whether parts of the archive are not at the places where they belong.
  private var hasMoved = false

  /// Finds header, tables and segments, also where bytes were inserted or removed.
  ///
  /// - Throws: `file`, `noMemory`; `notAnArchive` for another version of the format.
  package init(
    _ storage: ArchiveStorage, threadCount: Int = ParallelLoop.processorCount, progress: ProgressReport? = nil
  ) throws {
    found = try storage.withSource { try ArchiveSearch($0).find() }
    archive = GraphArchive(OpenArchive(storage, found.header, found.contents))
    self.threadCount = threadCount
    self.progress = progress
    guard try !isIntact(), let realigned = try ArchiveRealignment.storage(of: storage) else { return }
    found = try realigned.withSource { try ArchiveSearch($0).find() }
    archive = GraphArchive(OpenArchive(realigned, found.header, found.contents))
    (damage, hasMoved) = (nil, true)
  }

  /// The damaged blocks, which are looked for once.
  private mutating func foundDamage() throws -> [DamageSearch.FoundBlock] {
    if let damage { return damage }
    let found = try archive.withReader(threadCount: threadCount, progress: progress) {
      try DamageSearch($0, maximumCount: 0).foundBlocks()
    }
    damage = found
    return found
  }

  /// Whether nothing is damaged.
  package mutating func isIntact() throws -> Bool {
    try found.tables == .intact && found.hasHeader && foundDamage().isEmpty
  }

  /// The hash at the end of its header.
  package var headerHash: UInt64 { found.header.hash }

  /// What there is to say of an archive that is intact.
  package var intactReport: GraphRecovery.Archive {
    var report = newReport
    report.setObjects(whole: Int(found.contents.storedObjectCount), cut: 0, lost: 0)
    return report
  }

  private var newReport: GraphRecovery.Archive {
    var report = GraphRecovery.Archive(found.tables, found.contents)
    report.hasMoved = hasMoved
    return report
  }

  /// Writes what is intact as a new archive; one that is not damaged as it is.
  ///
  /// - Throws: `damaged` where there is nothing; `file`, `noMemory`, `CancellationError`.
  package mutating func write(
    to sink: any ArchiveSink
  ) throws -> (header: ArchiveHeader, report: GraphRecovery.Archive) {
    let damage = try foundDamage()
    if try isIntact() { return (try archive.storage.copy(to: sink, nil), intactReport) }
    return try archive.withReader(threadCount: threadCount, progress: progress) { reader in
      let search = DamageSearch(reader, maximumCount: GraphRecovery.maximumLossCount)
      let plan = try found.tables == .lost ? planWithoutTables(reader, damage) : plan(reader, search, damage)
      return (try write(plan, reader, damage, to: sink), plan.report)
    }
  }

  /// What is to be written.
  private struct Plan {
    /// With graph stream and object index in them, or where they are copied from.
    var contents: Contents
    var report: GraphRecovery.Archive
    /// Segments that become arrays of bytes, by where they are.
    var bytes: Set<UInt64> = []
  }

  // MARK: With tables

  private func plan(
    _ reader: ArchiveReader, _ search: DamageSearch, _ damage: [DamageSearch.FoundBlock]
  ) throws -> Plan {
    let lost = damage.filter { $0.number != nil }
    if let plan = try planOfUnknown(reader, lost) { return plan }
    var contents = reader.contents
    if lost.contains(where: { $0.placed.segment.kind == .objectIndex }) {
      var search = try ObjectSearch(reader)
      contents = try search.found()
    }
    let values = reader.with(contents)
    var report = newReport
    report.damage = try search.damage(of: damage, values: values)
    report.lostBlockCount = lost.count
    let ranges = lost.filter { $0.placed.segment.kind == .graph }.map(\.rawRange)
    let total = Int(found.contents.storedObjectCount)
    guard !ranges.isEmpty || contents.storedObjectCount < found.contents.storedObjectCount else {
      report.setObjects(whole: total, cut: 0, lost: 0)
      return Plan(contents: contents, report: report)
    }
    let graph = try RecoveredGraph(values, damage: ranges, progress)
    let root = try RecoveredRoot(graph, values)
    let kept = graph.objects.count { $0.oldNumber != nil }
    report.setObjects(whole: kept - graph.cutObjectCount, cut: graph.cutObjectCount, lost: total - kept)
    report.rootIsWhole = graph.rootOutcome == .whole
    (report.rootPath, report.restPath) = (root.rootPath, root.restPath)
    return Plan(contents: root.contents, report: report)
  }

  /// What is left where this version does not know what the graph stream or the object index is stored by: everything, with other
  /// elements in the blocks of arrays that are lost.
  ///
  /// - Returns: nil where it knows.
  /// - Throws: `unsupported` where a block of stream or index is lost.
  private func planOfUnknown(_ reader: ArchiveReader, _ lost: [DamageSearch.FoundBlock]) throws -> Plan? {
    let own = [reader.contents.graph.segment, reader.contents.objectIndex.segment].compactMap(\.self)
    guard let unknown = own.lazy.compactMap(\.segment.unknown).first else { return nil }
    guard lost.allSatisfy({ $0.placed.segment.kind == .bulk }) else {
      throw GCodableError(
        .unsupported,
        "\(unknown) is not known to this version of the package, and a block of the graph is lost: update it to recover the rest",
        byteOffset: own[0].offset)
    }
    var report = newReport
    report.damage = GraphDamage(blocks: [], blockCount: lost.count)
    report.lostBlockCount = lost.count
    report.setObjects(whole: Int(reader.contents.storedObjectCount), cut: 0, lost: 0)
    return Plan(contents: reader.contents, report: report)
  }

  // MARK: Without tables

  private func planWithoutTables(
    _ reader: ArchiveReader, _ damage: [DamageSearch.FoundBlock]
  ) throws -> Plan {
    let found = reader.contents
    let lost = damage.filter { $0.number != nil }
    var (contents, rest, plan) = (Contents(), RecoveredRest(), Set<UInt64>())
    contents.bulk = found.bulk
    rest.arrays = Array(found.bulk.indices)
    for (key, place) in [("stream", found.graph), ("index", found.objectIndex)] {
      guard let placed = place.segment else { continue }
      rest.streams.append((key, contents.bulk.count))
      contents.bulk.append(placed)
      plan.insert(placed.offset)
    }
    let count = contents.bulk.reduce(0) { $0 + $1.segment.blocks.count }
    guard lost.count < count else {
      throw GCodableError(.damaged, "nothing of the archive is intact", byteOffset: 0)
    }
    var bulk = contents.bulk
    for place in bulk.indices where plan.contains(bulk[place].offset) {
      (bulk[place].segment.format, bulk[place].segment.elementByteCount) = (.byte, 1)
    }
    let bytes = rest.bytes(&contents, bulk: bulk)
    contents.graph = .embedded(RecoveredRoot.root([("recovered", .record)], bytes, &contents))
    var report = GraphRecovery.Archive(.lost, contents)
    report.hasMoved = hasMoved
    report.damage = GraphDamage(blocks: [], blockCount: lost.count)
    report.lostBlockCount = lost.count
    (report.rootIsWhole, report.rootPath, report.restPath) = (false, nil, ["recovered"])
    return Plan(contents: contents, report: report, bytes: plan)
  }

  // MARK: Writing

  private func write(
    _ plan: Plan, _ reader: ArchiveReader, _ damage: [DamageSearch.FoundBlock], to sink: any ArchiveSink
  ) throws -> ArchiveHeader {
    var lostBlocks: [UInt64: [Int]] = [:]
    for block in damage {
      if let number = block.number { lostBlocks[block.placed.offset, default: []].append(number) }
    }
    func copy(_ placed: PlacedSegment) -> SegmentWriter.Source {
      SegmentWriter.Source(
        SegmentCopy(
          recovering: placed, of: archive, without: lostBlocks[placed.offset] ?? [],
          asBytes: plan.bytes.contains(placed.offset)))
    }
    func source(_ place: Contents.BytesOrSegment, _ kind: Segment.Kind) -> SegmentWriter.Source? {
      switch place {
      case .segment(let placed): copy(placed)
      case .embedded(let bytes) where bytes.count > Contents.BytesOrSegment.maximumEmbeddedByteCount:
        SegmentWriter.Source(kind, bytes)
      case .embedded: nil
      }
    }
    let graph = source(plan.contents.graph, .graph)
    let index = source(plan.contents.objectIndex, .objectIndex)
    let sources = [graph].compactMap(\.self) + plan.contents.bulk.map(copy) + [index].compactMap(\.self)
    progress?.expect(sources.reduce(0) { $0 + $1.byteCount })
    var placed = try SegmentWriter(
      sources, compression: compression, threadCount: threadCount, sink: sink, progress: progress
    ).write(from: UInt64(ArchiveHeader.byteCount))
    let end = placed.last?.end ?? UInt64(ArchiveHeader.byteCount)
    var contents = plan.contents
    if graph != nil { contents.graph = .segment(placed.removeFirst()) }
    if index != nil { contents.objectIndex = .segment(placed.removeLast()) }
    contents.bulk = placed
    if !plan.report.isWhole { contents.metadata.set(GraphRecovery.metadataKey, plan.report.summary) }
    return try ArchiveWriter.write(contents.bytes, at: end, to: sink)
  }

  /// As the graph stream was.
  private var compression: GraphEncoder.Compression {
    found.contents.graph.segment.map { $0.segment.codec == 0 ? .none : .lz4 } ?? .lz4
  }
}
