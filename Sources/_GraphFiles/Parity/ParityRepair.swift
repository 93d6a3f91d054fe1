import CGraphArchive
import Foundation
import _GraphSupport

/// Finds the sectors of a file that do not match the checksums in its parity, and restores them.
package final class ParityRepair {
  private let source: any RangeReader
  private let sourceByteCount: UInt64
  private let parity: any RangeReader
  private let place: UInt64
  package let table: ParityTable
  private let factors: ParityFactors
  private var layout: ParityLayout { table.layout }

  /// The numbers of the sectors that are lost still.
  package private(set) var lost: Set<Int> = []
  /// Sectors of the parity that are lost.
  package private(set) var lostParity: Set<Int> = []
  /// Those that have been restored, by number; the last one may have zeros behind its bytes.
  package private(set) var restored: [Int: [UInt8]] = [:]

  /// Compares all bytes of a group with their checksums.
  ///
  /// - Throws: `file`, `noMemory`, `CancellationError`.
  package init(
    _ source: any RangeReader, _ parity: ParityFile, _ group: ParityFile.Group, threadCount: Int,
    _ progress: ProgressReport?
  ) throws {
    self.source = source
    sourceByteCount = try source.byteCount()
    (self.parity, place, table) = (parity.file, group.place, group.table)
    factors = ParityFactors(group.table.layout)
    let layout = group.table.layout
    lost = try unsafe Self.lost(0..<layout.sectorCount, threadCount, progress) { sector, buffer in
      try unsafe self.read(sector, into: buffer)
      return group.table.checksums[sector]
    }
    lostParity = try unsafe Self.lost(0..<layout.paritySectorCount, threadCount, nil) { number, buffer in
      guard try unsafe self.readParity(number, into: buffer) else { return nil }
      return group.table.checksums[layout.sectorCount + number]
    }
    // Without a checksum, nobody knows whether parity is intact.
    lostParity.formUnion(
      (0..<layout.paritySectorCount).filter { group.table.checksums[layout.sectorCount + $0] == nil })
  }

  /// The numbers of those sectors that do not match; unknown checksums match all.
  private static func lost(
    _ numbers: Range<Int>, _ threadCount: Int, _ progress: ProgressReport?,
    _ read: @escaping (Int, UnsafeMutableRawBufferPointer) throws -> UInt32?
  ) throws -> Set<Int> {
    let found = Found()
    let size = 256
    let loop = ParallelLoop(
      count: (numbers.count + size - 1) / size, threadCount: threadCount, order: .ascending)
    try loop.run({ try? RawBytes(byteCount: ParityLayout.sectorByteCount) }, { _ in }) { index, memory in
      guard let memory else { throw GCodableError(.noMemory, "no memory for a sector") }
      try progress?.checkCancellation()
      for number in (index * size)..<min((index + 1) * size, numbers.count) {
        var checksum: UInt32?
        try unsafe memory.fill { checksum = try unsafe read(number, $0) }
        if let checksum, unsafe checksum != memory.buffer.parityChecksum { found.add(number) }
      }
      progress?.advance(by: size * ParityLayout.sectorByteCount)
    }
    return found.all
  }

  /// `@unchecked`: used under `lock` alone.
  private final class Found: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: Set<Int> = []
    var all: Set<Int> { lock.withLock { numbers } }
    func add(_ number: Int) { lock.withLock { _ = numbers.insert(number) } }
  }

  // MARK: Reading

  /// A sector as it is in the file, or was restored; what the file does not have is zero.
  private func read(_ sector: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    if let bytes = restored[sector] { return unsafe buffer.copyBytes(from: bytes) }
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
    let offset = table.start + UInt64(sector) * UInt64(ParityLayout.sectorByteCount)
    guard offset < sourceByteCount else { return }
    let count = Int(min(UInt64(layout.byteCount(of: sector)), sourceByteCount - offset))
    // The buffer has the size of a sector.
    try unsafe source.readAll(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: offset)
  }

  private func readParity(_ number: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Bool {
    try unsafe parity.read(buffer, from: place + table.offset(ofParity: number))
  }

  private func sector(_ number: Int) throws -> [UInt8] {
    try unsafe sector { try unsafe read(number, into: $0) }
  }

  private func sector(_ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ParityLayout.sectorByteCount)
    try unsafe bytes.withUnsafeMutableBytes { try unsafe fill($0) }
    return bytes
  }

  /// Whether the first bytes are those that were protected, of which a checksum of their own is known.
  package func startIsIntact() throws -> Bool {
    let count = Int(min(layout.byteCount, UInt64(ParityTable.startByteCount)))
    guard UInt64(count) <= sourceByteCount else { return false }
    let start = try source.bytes(count, from: table.start)
    return unsafe start.withUnsafeBytes { unsafe gca_hash64_bytes($0.baseAddress, $0.count) }
      == table.startHash
  }

  // MARK: Restoring

  /// Restores what can be: words of which enough is left, then sums of which one sector is missing, and so on.
  ///
  /// - Throws: `file`, `CancellationError`.
  package func restore(_ progress: ProgressReport?) throws {
    var hasChanged = true
    while hasChanged, !lost.isEmpty {
      hasChanged = false
      for (word, sectors) in Dictionary(grouping: lost, by: { $0 % layout.wordCount }) {
        try progress?.checkCancellation()
        if try restore(word: word, sectors.sorted()) { hasChanged = true }
      }
      guard layout.sumCount > 0 else { continue }
      for (sum, sectors) in Dictionary(grouping: lost, by: { layout.sum(of: $0) }) where sectors.count == 1 {
        try progress?.checkCancellation()
        if try restore(sectors[0], bySum: sum) { hasChanged = true }
      }
    }
  }

  private func accept(_ sector: Int, _ bytes: [UInt8]) -> Bool {
    guard unsafe bytes.withUnsafeBytes({ unsafe $0.parityChecksum }) == table.checksums[sector] else {
      return false
    }
    restored[sector] = bytes
    lost.remove(sector)
    return true
  }

  private func restore(word: Int, _ missing: [Int]) throws -> Bool {
    let parities = (0..<layout.paritiesPerWord).filter { !lostParity.contains($0 * layout.wordCount + word) }
    guard missing.count <= parities.count else { return false }
    let used = Array(parities.prefix(missing.count))
    // What the parities are without the sectors that are there: equations for those that are not.
    var sums = try used.map { parity in
      try unsafe sector { _ = try unsafe readParity(parity * layout.wordCount + word, into: $0) }
    }
    let isMissing = Set(missing)
    for (row, number) in layout.sectors(ofWord: word).enumerated() where !isMissing.contains(number) {
      let bytes = try sector(number)
      for (index, parity) in used.enumerated() {
        sums[index].add(bytes, times: factors[parity, row], factors)
      }
    }
    let rows = missing.map { $0 / layout.wordCount }
    guard let inverse = ParityMatrix(used.map { parity in rows.map { factors[parity, $0] } }).inverse else {
      return false
    }
    var isRestored = false
    for (index, number) in missing.enumerated() {
      var bytes = [UInt8](repeating: 0, count: ParityLayout.sectorByteCount)
      for (sum, factor) in zip(sums, inverse[index]) { bytes.add(sum, times: factor, factors) }
      if accept(number, bytes) { isRestored = true }
    }
    return isRestored
  }

  private func restore(_ missing: Int, bySum sum: Int) throws -> Bool {
    let number = layout.wordCount * layout.paritiesPerWord + sum
    guard !lostParity.contains(number) else { return false }
    var bytes = try unsafe sector { _ = try unsafe readParity(number, into: $0) }
    for row in 0..<layout.wordLength {
      let first = ((sum - row) % layout.sumCount + layout.sumCount) % layout.sumCount
      for word in stride(from: first, to: layout.wordCount, by: layout.sumCount) {
        let other = row * layout.wordCount + word
        guard other < layout.sectorCount, other != missing else { continue }
        bytes.add(try sector(other), times: 1, factors)
      }
    }
    return accept(missing, bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// The lower half of its XXH3-64.
  fileprivate var parityChecksum: UInt32 {
    unsafe UInt32(truncatingIfNeeded: gca_hash64_bytes(baseAddress, count))
  }
}

extension [UInt8] {
  /// Adds the products of the bytes of a sector.
  fileprivate mutating func add(_ other: [UInt8], times factor: UInt8, _ factors: ParityFactors) {
    let count = Swift.min(count, other.count)
    unsafe withUnsafeMutableBufferPointer { sum in
      unsafe other.withUnsafeBufferPointer {
        unsafe gca_parity_add(sum.baseAddress, factor, $0.baseAddress, count, factors.vectors)
      }
    }
  }
}

/// A square matrix over GF(2^8).
struct ParityMatrix {
  private let rows: [[UInt8]]

  init(_ rows: [[UInt8]]) { self.rows = rows }

  /// By elimination; nil if there is none.
  var inverse: [[UInt8]]? {
    var left = rows
    var right = rows.indices.map { row in rows.indices.map { $0 == row ? 1 as UInt8 : 0 } }
    for column in rows.indices {
      guard let pivot = (column..<rows.count).first(where: { left[$0][column] != 0 }) else { return nil }
      left.swapAt(column, pivot)
      right.swapAt(column, pivot)
      let factor = gca_parity_inverse(left[column][column])
      left[column] = left[column].map { gca_parity_multiply($0, factor) }
      right[column] = right[column].map { gca_parity_multiply($0, factor) }
      for row in rows.indices where row != column && left[row][column] != 0 {
        let factor = left[row][column]
        for index in rows.indices {
          left[row][index] ^= gca_parity_multiply(left[column][index], factor)
          right[row][index] ^= gca_parity_multiply(right[column][index], factor)
        }
      }
    }
    return right
  }
}
