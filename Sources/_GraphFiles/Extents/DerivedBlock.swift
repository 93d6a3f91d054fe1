/// A block that is made of another one.
///
/// So what changes a little from archive to archive takes little room. The other one is always stored directly, so reading a
/// block needs only the other one and the changes.
package struct DerivedBlock: Sendable, Equatable {
  /// A run of bytes of the file.
  package struct Run: Sendable, Equatable {
    package let offset: UInt64
    package let byteCount: UInt64

    package init(offset: UInt64, byteCount: UInt64) {
      (self.offset, self.byteCount) = (offset, byteCount)
    }

    package var end: UInt64 { offset + byteCount }
  }

  /// How the other block is changed.
  package enum Change: Sendable, Equatable {
    /// Bytes are replaced, in this order, and none is moved: for a few changed values all over a graph stream.
    case overlays([Run])
    /// Numbers are added: for an array whose numbers have all changed a little.
    case differences(Run, NumberDifferences)
  }

  /// The stored bytes of the other block: as they are, or compressed with LZ4.
  package var base: Run
  package var change: Change
  /// Of this block and of the other one, before LZ4.
  package let rawByteCount: Int
  /// The level with which LZ4 makes the archive's stored bytes; nil if they are uncompressed.
  package var level: Int32?
  /// The low half of the XXH3-128 of the block before LZ4, or of its numbers where these are differences.
  package var hash: UInt64

  package init(base: Run, change: Change, rawByteCount: Int, level: Int32? = nil, hash: UInt64) {
    (self.base, self.change, self.rawByteCount) = (base, change, rawByteCount)
    (self.level, self.hash) = (level, hash)
  }

  /// The most overlays that a block has.
  package static let maximumOverlayCount = 32
  /// Replaces the level for an uncompressed block.
  static let storedLevel: UInt8 = 255
  static let maximumLevel: Int32 = 12

  package var overlays: [Run] {
    guard case .overlays(let runs) = change else { return [] }
    return runs
  }

  /// The runs it is made from: the other block first.
  package var runs: [Run] {
    switch change {
    case .overlays(let runs): [base] + runs
    case .differences(let run, _): [base, run]
    }
  }

  /// The block in another file, or with a run whose place is now known.
  ///
  /// - Parameter transform: is called for each run, in their order.
  package func mapRuns(_ transform: (Run) throws -> Run) rethrows -> Self {
    var result = self
    result.base = try transform(base)
    switch change {
    case .overlays(let runs): result.change = .overlays(try runs.map(transform))
    case .differences(let run, let differences): result.change = .differences(try transform(run), differences)
    }
    return result
  }
}

extension DerivedBlock.Run {
  /// Bytes that have no place yet.
  package init(unplaced byteCount: Int) { self.init(offset: 0, byteCount: UInt64(byteCount)) }

  /// Whether it has none; no run precedes a file's header.
  package var isUnplaced: Bool { offset == 0 }
}
