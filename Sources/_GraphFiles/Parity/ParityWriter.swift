import CGraphArchive
import Foundation
import _GraphSupport

/// Computes the parity of a run of bytes, and writes it as a group.
struct ParityWriter {
  private let source: any RangeReader
  private let start: UInt64
  private let layout: ParityLayout
  private let redundancy: ArchiveRedundancy
  private let progress: ProgressReport?

  /// - Parameters:
  ///   - range: of the source, not empty.
  ///   - redundancy: not none.
  init(
    _ source: any RangeReader, _ range: Range<UInt64>, _ redundancy: ArchiveRedundancy,
    _ progress: ProgressReport?
  ) {
    (self.source, start, self.redundancy, self.progress) = (source, range.lowerBound, redundancy, progress)
    layout = ParityLayout(byteCount: range.upperBound - range.lowerBound, redundancy)
  }

  /// - Parameter place: where the group begins in the sink.
  /// - Throws: `wrongSize` where the source ends early; `file`, `noMemory`, `CancellationError`.
  func write(to sink: any ArchiveSink, at place: UInt64, threadCount: Int) throws -> ParityTable {
    let checksums = try Checksums(layout)
    let sums = try ParitySums(layout)
    let factors = ParityFactors(layout)
    let batch = min(layout.wordCount, Self.maximumBatch)
    let loop = ParallelLoop(
      count: (layout.wordCount + batch - 1) / batch, threadCount: threadCount, order: .ascending)
    let offset = ParityTable(
      layout: layout, start: start, redundancy: redundancy, startHash: 0, checksums: []
    ).offset(ofParity: 0)
    let sector = ParityLayout.sectorByteCount
    try loop.run(
      { [layout] in try? Scratch(layout, words: batch) }, { _ in }
    ) { [layout, progress] index, scratch in
      guard let scratch else { throw GCodableError(.noMemory, "no memory for parity") }
      let words = (index * batch)..<min((index + 1) * batch, layout.wordCount)
      for memory in [scratch.parity, scratch.sums] {
        unsafe memory.fill { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0) }
      }
      for first in stride(from: 0, to: layout.wordLength, by: scratch.rowCount) {
        try progress?.checkCancellation()
        let rows = first..<min(first + scratch.rowCount, layout.wordLength)
        try add(rows, of: words, scratch, factors, checksums)
        progress?.advance(by: rows.count * words.count * sector)
      }
      if layout.sumCount > 0 {
        let window = (layout.wordLength + words.count - 1) * sector
        unsafe sums.add(
          UnsafeRawBufferPointer(rebasing: scratch.sums.buffer[..<window]), from: words.lowerBound)
      }
      for parity in 0..<layout.paritiesPerWord {
        let number = parity * layout.wordCount + words.lowerBound
        let bytes = unsafe UnsafeRawBufferPointer(
          rebasing: scratch.parity.buffer[(parity * batch * sector)...].prefix(words.count * sector))
        unsafe checksums.note(layout.sectorCount + number, bytes)
        try unsafe sink.write([bytes], at: place + offset + UInt64(number * sector))
      }
    }
    let bytes = unsafe sums.memory.buffer
    unsafe checksums.note(layout.sectorCount + layout.wordCount * layout.paritiesPerWord, bytes)
    if layout.sumCount > 0 {
      try unsafe sink.write(
        [bytes], at: place + offset + UInt64(layout.wordCount * layout.paritiesPerWord * sector))
    }
    let table = ParityTable(
      layout: layout, start: start, redundancy: redundancy, startHash: try startHash(),
      checksums: checksums.all)
    try write(table, to: sink, at: place)
    return table
  }

  /// Of one thread.
  private final class Scratch {
    /// Rows that are read at once: 256 KiB in all.
    let rowCount: Int
    let data: RawBytes
    /// The first parities of all words, then the second ones, and so on.
    let parity: RawBytes
    /// Successive sums: neighbours in a row and in a column are in successive ones.
    let sums: RawBytes

    init(_ layout: ParityLayout, words: Int) throws {
      rowCount = min(4 * maximumBatch / words, layout.wordLength)
      data = try RawBytes(byteCount: rowCount * words * ParityLayout.sectorByteCount)
      parity = try RawBytes(byteCount: words * layout.paritiesPerWord * ParityLayout.sectorByteCount)
      let sumCount = layout.sumCount > 0 ? layout.wordLength + words - 1 : 0
      sums = try RawBytes(byteCount: sumCount * ParityLayout.sectorByteCount)
    }
  }

  /// The most words at once.
  ///
  /// What is read, and what is computed of it, fits into the caches of a core. A file with fewer words takes less time than starting
  /// threads.
  private static let maximumBatch = 16

  private func add(
    _ rows: Range<Int>, of words: Range<Int>, _ scratch: Scratch, _ factors: ParityFactors,
    _ checksums: Checksums
  ) throws {
    let rowByteCount = words.count * ParityLayout.sectorByteCount
    try unsafe scratch.data.fill { memory in
      let data = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<(rows.count * rowByteCount)])
      // All words are one run of bytes.
      let runByteCount = words.count == layout.wordCount ? data.count : rowByteCount
      for at in stride(from: 0, to: data.count, by: runByteCount) {
        let first = (rows.lowerBound + at / rowByteCount) * layout.wordCount + words.lowerBound
        try unsafe read(first, into: UnsafeMutableRawBufferPointer(rebasing: data[at..<(at + runByteCount)]))
      }
    }
    // The last row may not have all words.
    let last = rows.upperBound - 1
    let lastCount = min(words.count, layout.sectorCount - last * layout.wordCount - words.lowerBound)
    let whole = lastCount == words.count ? rows : rows.lowerBound..<last
    unsafe scratch.parity.fill { parity in
      unsafe scratch.sums.fill { sums in
        for (rows, count) in [(whole, words.count), (whole.upperBound..<rows.upperBound, lastCount)]
        where !rows.isEmpty && count > 0 {
          let at = (rows.lowerBound - whole.lowerBound) * rowByteCount
          unsafe checksums.note(rows.lowerBound * layout.wordCount + words.lowerBound) { checksums in
            unsafe factors.add(
              UnsafeRawBufferPointer(rebasing: scratch.data.buffer[at...]), rows, count: count, to: parity,
              stride: parity.count / layout.paritiesPerWord,
              sums: sums.isEmpty
                ? nil
                : UnsafeMutableRawBufferPointer(
                  rebasing: sums[(rows.lowerBound * ParityLayout.sectorByteCount)...]),
              checksums: checksums, checksumStride: layout.wordCount)
          }
        }
      }
    }
  }

  /// Fills memory with the bytes of sectors; what the run does not have is zero.
  private func read(_ sector: Int, into memory: UnsafeMutableRawBufferPointer) throws {
    let offset = UInt64(sector) * UInt64(ParityLayout.sectorByteCount)
    let count = Int(min(UInt64(memory.count), layout.byteCount - min(layout.byteCount, offset)))
    if count > 0 {
      // As many as the memory has at most.
      try unsafe source.readAll(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: start + offset)
    }
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
  }

  private func startHash() throws -> UInt64 {
    let start = try source.bytes(
      Int(min(layout.byteCount, UInt64(ParityTable.startByteCount))), from: start)
    return unsafe start.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
  }

  private func write(_ table: ParityTable, to sink: any ArchiveSink, at place: UInt64) throws {
    for (number, block) in table.blocks(at: place).enumerated() {
      for offset in table.offsets(ofBlock: number) {
        try unsafe block.withUnsafeBytes { try unsafe sink.write([$0], at: place + offset) }
      }
    }
  }

  /// `@unchecked`: each thread notes sectors of its own.
  private final class Checksums: @unchecked Sendable {
    private let memory: RawBytes

    init(_ layout: ParityLayout) throws {
      memory = try RawBytes(zeros: (layout.sectorCount + layout.paritySectorCount) * 4)
    }

    func note(_ first: Int, _ bytes: UnsafeRawBufferPointer) {
      unsafe note(first) { checksums in
        for (index, offset) in stride(from: 0, to: bytes.count, by: ParityLayout.sectorByteCount).enumerated()
        {
          let hash = unsafe gca_hash64_bytes(bytes.baseAddress! + offset, ParityLayout.sectorByteCount)
          unsafe checksums[index] = UInt32(truncatingIfNeeded: hash)
        }
      }
    }

    /// Calls `body` with the checksums of a sector and all that follow.
    func note(_ first: Int, _ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
      unsafe memory.fill { memory in
        // There are as many as the layout has sectors; a slice is checked.
        unsafe body(
          UnsafeMutableBufferPointer(rebasing: memory.assumingMemoryBound(to: UInt32.self)[first...]))
      }
    }

    var all: [UInt32?] { unsafe memory.buffer.bindMemory(to: UInt32.self).map { $0 } }
  }
}

extension RangeReader {
  /// Fills `destination`.
  ///
  /// - Throws: `wrongSize` where there are fewer bytes; `file`.
  func readAll(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    guard try unsafe read(destination, from: offset) else {
      throw GCodableError(.wrongSize, "\(path) was cut short while it was read", byteOffset: offset)
    }
  }

  func bytes(_ count: Int, from offset: UInt64) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      try unsafe readAll(UnsafeMutableRawBufferPointer(buffer), from: offset)
      initializedCount = count
    }
  }
}
