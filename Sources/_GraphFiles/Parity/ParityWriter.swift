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
    let batchCount = min(layout.wordCount, threadCount * 4)
    let batch = min((layout.wordCount + batchCount - 1) / batchCount, Self.maximumBatch)
    let loop = ParallelLoop(
      count: (layout.wordCount + batch - 1) / batch, threadCount: threadCount, order: .ascending)
    let offset = ParityTable(
      layout: layout, start: start, redundancy: redundancy, startHash: 0, checksums: []
    ).offset(ofParity: 0)
    let sector = ParityLayout.sectorByteCount
    try loop.run(
      { try? Scratch(words: batch, parities: layout.paritiesPerWord) }, { _ in }
    ) { [layout, progress] index, scratch in
      guard let scratch else { throw GCodableError(.noMemory, "no memory for parity") }
      let words = (index * batch)..<min((index + 1) * batch, layout.wordCount)
      unsafe scratch.parity.fill { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0) }
      for row in 0..<layout.wordLength {
        try progress?.checkCancellation()
        let first = row * layout.wordCount + words.lowerBound
        guard first < layout.sectorCount else { break }
        let sectors = first..<min(first + words.count, layout.sectorCount)
        try add(sectors, row, words.count, scratch, factors, checksums, sums)
        progress?.advance(by: sectors.count * sector)
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
    let data: RawBytes
    /// The first parities of all words, then the second ones, and so on.
    let parity: RawBytes

    init(words: Int, parities: Int) throws {
      data = try RawBytes(byteCount: words * ParityLayout.sectorByteCount)
      parity = try RawBytes(byteCount: words * parities * ParityLayout.sectorByteCount)
    }
  }

  /// 256 KiB are read at once, and their parity fits into the caches of a core.
  private static let maximumBatch = 64

  private func add(
    _ sectors: Range<Int>, _ row: Int, _ wordCount: Int, _ scratch: Scratch, _ factors: ParityFactors,
    _ checksums: Checksums, _ sums: ParitySums
  ) throws {
    let sector = ParityLayout.sectorByteCount
    let offset = UInt64(sectors.lowerBound * sector)
    let count = Int(min(UInt64(sectors.count * sector), layout.byteCount - offset))
    try unsafe scratch.data.fill { memory in
      try unsafe source.readAll(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), from: start + offset)
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count..<(sectors.count * sector)])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch.data.buffer[..<(sectors.count * sector)])
    unsafe checksums.note(sectors.lowerBound, bytes)
    unsafe scratch.parity.fill { parity in
      let stride = parity.count / layout.paritiesPerWord
      for number in 0..<layout.paritiesPerWord {
        unsafe gca_parity_add(
          parity.bytes! + number * stride, factors[number, row], bytes.bytes, bytes.count, factors.vectors)
      }
    }
    unsafe sums.add(sectors, bytes)
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
      unsafe memory.fill { memory in
        for (index, offset) in stride(from: 0, to: bytes.count, by: ParityLayout.sectorByteCount).enumerated()
        {
          let hash = unsafe gca_hash64_bytes(bytes.baseAddress! + offset, ParityLayout.sectorByteCount)
          // There are as many as the layout has sectors.
          unsafe memory.storeBytes(
            of: UInt32(truncatingIfNeeded: hash), toByteOffset: (first + index) * 4, as: UInt32.self)
        }
      }
    }

    var all: [UInt32?] { unsafe memory.buffer.bindMemory(to: UInt32.self).map { $0 } }
  }
}

/// The factors of a Reed-Solomon code: those of a Cauchy matrix, any square of which can be inverted.
struct ParityFactors {
  private let factors: [UInt8]
  private let rowCount: Int
  let vectors = gca_vectors_best()

  init(_ layout: ParityLayout) {
    rowCount = layout.wordLength
    factors = (0..<layout.paritiesPerWord).flatMap { parity in
      (0..<layout.wordLength).map { gca_parity_inverse(UInt8(parity) ^ UInt8(255 - $0)) }
    }
  }

  /// What a word's sector of a row is multiplied by in one of its parities.
  subscript(parity: Int, row: Int) -> UInt8 { factors[parity * rowCount + row] }
}

/// Sums of sectors, to which several threads add.
///
/// `@unchecked`: each sum is changed under the lock that it has with some others.
private final class ParitySums: @unchecked Sendable {
  let memory: RawBytes
  private let layout: ParityLayout
  private let locks = (0..<64).map { _ in NSLock() }

  init(_ layout: ParityLayout) throws {
    self.layout = layout
    memory = try RawBytes(zeros: layout.sumCount * ParityLayout.sectorByteCount)
    if layout.sumCount == 0 { isEmpty = true } else { isEmpty = false }
  }

  private let isEmpty: Bool

  func add(_ sectors: Range<Int>, _ bytes: UnsafeRawBufferPointer) {
    guard !isEmpty else { return }
    let size = ParityLayout.sectorByteCount
    unsafe memory.fill { memory in
      for (index, sector) in sectors.enumerated() {
        let sum = layout.sum(of: sector)
        locks[sum % locks.count].withLock {
          unsafe gca_parity_xor(memory.bytes! + sum * size, bytes.bytes! + index * size, size)
        }
      }
    }
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
