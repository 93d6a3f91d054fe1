import _GraphSupport

/// Runs of bytes of a segment, gathered one after the other.
package struct ByteRuns {
  /// In ascending order, none empty.
  let runs: [Range<Int>]
  /// Where each of them goes.
  private let starts: [Int]
  package let byteCount: Int

  package init(_ runs: [Range<Int>]) {
    self.runs = runs
    var end = 0
    starts = runs.map { run in
      defer { end += run.count }
      return end
    }
    byteCount = end
  }

  /// The blocks of a segment that have any of the bytes.
  package func blocks(of segment: Segment) -> [Int] {
    var blocks: [Int] = []
    for run in runs {
      for block in segment.blocks(of: run) where block > blocks.last ?? -1 { blocks.append(block) }
    }
    return blocks
  }

  /// Calls `body` for the bytes of each run that are in a range, with where they go.
  package func forEach(in range: Range<Int>, _ body: (_ bytes: Range<Int>, _ target: Int) throws -> Void)
    rethrows
  {
    var low = runs.partitioningIndex { $0.upperBound > range.lowerBound }
    while low < runs.count, runs[low].lowerBound < range.upperBound {
      let bytes = runs[low].clamped(to: range)
      try body(bytes, starts[low] + bytes.lowerBound - runs[low].lowerBound)
      low += 1
    }
  }
}

extension ArchiveReader {
  /// Puts runs of bytes of a segment into `room`, which has its place for all of them, and expands the blocks that have any.
  ///
  /// Several threads do this, each one block after the other. A block that is wanted as a whole is expanded directly into place.
  ///
  /// - Parameter isAnnounced: whether the progress counts on the blocks already.
  /// - Throws: `damaged`, with the offset of the first such block.
  package func gather(
    _ bytes: ByteRuns, of open: OpenSegment, into room: PackedRoom, isAnnounced: Bool = false
  ) throws {
    let blocks = bytes.blocks(of: open.segment)
    if !isAnnounced { progress?.expect(blocks.reduce(0) { $0 + open.segment.rawByteCount(ofBlock: $1) }) }
    let ahead = readAhead(of: blocks, open)
    defer { ahead?.end() }
    let loop = ParallelLoop(
      count: blocks.count, threadCount: open.threadCount(atMost: threadCount),
      order: ahead == nil ? .neighbours : .ascending)
    try loop.run(source.scratchPool) { index, scratch in
      try progress?.checkCancellation()
      let block = blocks[index]
      let start = block * open.segment.blockByteCount
      let range = start..<(start + open.segment.rawByteCount(ofBlock: block))
      if !room.hasPadding, let target = bytes.place(of: range) {
        // Blocks have places of their own, within the room.
        room.makePages(for: target..<(target + range.count))
        try unsafe expand(
          block, of: open, at: open.blockOffsets[block],
          into: UnsafeMutableRawBufferPointer(rebasing: room.memory[target..<(target + range.count)]),
          pastCaches: !room.isReadSoon, scratch)
      } else {
        let raw = unsafe scratch.packed(range.count)
        try unsafe expand(block, of: open, at: open.blockOffsets[block], into: raw, scratch)
        bytes.forEach(in: range) { bytes, target in
          unsafe room.fill(
            from: target,
            UnsafeRawBufferPointer(rebasing: raw[(bytes.lowerBound - start)..<(bytes.upperBound - start)]))
        }
      }
      progress?.advance(by: range.count)
    }
  }
}

extension ByteRuns {
  /// Where a range goes that is part of one run; nil for others.
  fileprivate func place(of range: Range<Int>) -> Int? {
    var place: Int?
    forEach(in: range) { bytes, target in if bytes == range { place = target } }
    return place
  }
}
