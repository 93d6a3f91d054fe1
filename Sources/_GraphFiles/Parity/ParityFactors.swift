import CGraphArchive
import _GraphSupport

/// The factors of a Reed-Solomon code: those of a Cauchy matrix, any square of which can be inverted.
struct ParityFactors {
  private let factors: [UInt8]
  private let rowCount: Int
  private let parityCount: Int
  let vectors = gca_vectors_best()

  init(_ layout: ParityLayout) {
    (rowCount, parityCount) = (layout.wordLength, layout.paritiesPerWord)
    factors = (0..<parityCount).flatMap { parity in
      (0..<layout.wordLength).map { Self.inverses[parity ^ (255 - $0)] }
    }
  }

  private static let inverses = (0...255).map { gca_parity_inverse(UInt8($0)) }

  /// What a word's sector of a row is multiplied by in one of its parities.
  subscript(parity: Int, row: Int) -> UInt8 { factors[parity * rowCount + row] }

  /// Computes from sectors of some words and rows all that is made of them.
  ///
  /// - Parameters:
  ///   - sectors: of these rows, with `count` of each side by side and nothing between.
  ///   - parity: of these words, the first ones; each next ones are `stride` bytes further on.
  ///   - sums: for each sector of the first row one, and one for each further row; nil for none.
  ///   - checksums: of the first row; those of each next row are `checksumStride` further on.
  func add(
    _ sectors: UnsafeRawBufferPointer, _ rows: Range<Int>, count: Int,
    to parity: UnsafeMutableRawBufferPointer, stride: Int, sums: UnsafeMutableRawBufferPointer?,
    checksums: UnsafeMutableBufferPointer<UInt32>, checksumStride: Int
  ) {
    let size = ParityLayout.sectorByteCount
    // What the writer passes depends on no file: anything else is a defect here, and would be written beyond the memory.
    precondition(rows.upperBound <= rowCount && rows.count * count * size <= sectors.count)
    precondition(count * size <= stride && stride * parityCount <= parity.count)
    let sumByteCount = unsafe sums?.count
    precondition(sumByteCount.map { (rows.count + count - 1) * size <= $0 } ?? true)
    precondition((rows.count - 1) * checksumStride + count <= checksums.count)
    unsafe factors.withUnsafeBufferPointer { factors in
      guard let first = factors.baseAddress else { return }
      // All have the bytes, as was checked, and there are factors for the rows.
      unsafe gca_parity_add_sectors(
        gca_parities(
          bytes: parity.bytes, stride: stride, count: parityCount, factors: first + rows.lowerBound,
          factorStride: rowCount),
        gca_sectors(bytes: sectors.bytes, rowStride: count * size, rowCount: rows.count, count: count),
        sums?.baseAddress?.assumingMemoryBound(to: UInt8.self), checksums.baseAddress, checksumStride, vectors
      )
    }
  }
}
