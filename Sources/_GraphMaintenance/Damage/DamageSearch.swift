import Foundation
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Finds the damaged blocks of an archive, and what lives in them.
struct DamageSearch {
  private let reader: ArchiveReader
  private let maximumCount: Int

  init(_ reader: ArchiveReader, maximumCount: Int) {
    self.reader = reader
    self.maximumCount = maximumCount
  }

  func damage() throws -> GraphDamage { try damage(of: foundBlocks(), values: reader) }

  /// What lives in damaged blocks.
  ///
  /// - Parameter values: reads the graph.
  func damage(of found: [FoundBlock], values: ArchiveReader) throws -> GraphDamage {
    let shown = Array(found.prefix(maximumCount))
    guard !shown.isEmpty else { return GraphDamage(blocks: [], blockCount: found.count) }
    let lost = try LostValues(found, shown, values, maximumCount: maximumCount)
    return GraphDamage(
      blocks: shown.enumerated().map { block($1, lost?.objectCounts[$0], lost?.losses[$0] ?? []) },
      blockCount: found.count)
  }

  // MARK: Blocks

  /// A damaged block, or header.
  struct FoundBlock {
    let placed: PlacedSegment
    /// Among the bulk segments.
    let segmentNumber: Int
    /// nil for the header.
    let number: Int?
    let byteRange: Range<UInt64>
    let error: GCodableError

    /// Of the segment, before compression.
    var rawRange: Range<UInt64> {
      guard let number else { return 0..<0 }
      let start = UInt64(number) * UInt64(placed.segment.blockByteCount)
      return start..<(start + UInt64(placed.segment.rawByteCount(ofBlock: number)))
    }
  }

  func foundBlocks() throws -> [FoundBlock] {
    var found: [FoundBlock] = []
    var bulkCount = 0
    for placed in reader.contents.segments {
      let segmentNumber = placed.segment.kind == .bulk ? bulkCount : 0
      if placed.segment.kind == .bulk { bulkCount += 1 }
      let open = ArchiveReader.OpenSegment(placed)
      func note(_ number: Int?, _ byteRange: Range<UInt64>, _ error: GCodableError) {
        found.append(
          FoundBlock(
            placed: placed, segmentNumber: segmentNumber, number: number, byteRange: byteRange, error: error))
      }
      if let error = try Self.damage({ _ = try reader.open(placed) }) {
        note(nil, (placed.offset - UInt64(placed.paddingByteCount))..<open.blocksOffset, error)
      }
      for (number, error) in try errors(in: open).sortedOutOfLine(by: { $0.key < $1.key }) {
        let start = open.blockOffsets[number]
        note(number, start..<(start + UInt64(placed.segment.blocks[number].storedByteCount)), error)
      }
    }
    return found
  }

  /// The errors of blocks, by their numbers.
  private func errors(in open: ArchiveReader.OpenSegment) throws -> [Int: GCodableError] {
    let errors = Errors()
    let count = open.blockOffsets.count
    let ahead = reader.readAhead(of: 0..<count, open)
    defer { ahead?.end() }
    let loop = ParallelLoop(count: count, threadCount: open.threadCount(atMost: reader.threadCount))
    try loop.run(reader.source.scratchPool) { index, scratch in
      try reader.progress?.checkCancellation()
      if let error = try Self.damage({ try reader.verify(index, of: open, scratch) }) {
        errors.add(error, index)
      }
      reader.progress?.advance(by: Int(open.segment.blocks[index].storedByteCount))
    }
    return errors.byNumber
  }

  /// What several threads find.
  private final class Errors: @unchecked Sendable {
    // `@unchecked`: used under `lock` alone until all threads are done.
    private let lock = NSLock()
    private(set) var byNumber: [Int: GCodableError] = [:]

    func add(_ error: GCodableError, _ number: Int) { lock.withLock { byNumber[number] = error } }
  }

  /// The error of `body`, if it is about the bytes and not about reading them.
  private static func damage(_ body: () throws -> Void) throws -> GCodableError? {
    do { try body() } catch let error as GCodableError where [.damaged, .malformed].contains(error.code) {
      return error
    }
    return nil
  }

  // MARK: The report

  private func block(
    _ found: FoundBlock, _ objectCount: Int?, _ losses: [GraphDamage.Loss]
  ) -> GraphDamage.Block {
    GraphDamage.Block(
      segment: found.placed.segment.kind.archiveKind, segmentNumber: found.segmentNumber,
      number: found.number, byteRange: found.byteRange, rawRange: found.rawRange, error: found.error,
      objectCount: objectCount, losses: losses)
  }
}
