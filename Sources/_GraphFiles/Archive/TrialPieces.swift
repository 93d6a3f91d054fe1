/// Pieces of an array, evenly spread over all of it, on which filters are tried.
struct TrialPieces {
  /// How many there are.
  let count: Int
  private let byteCount: Int
  private let form: PackedElementsForm
  /// Elements of a piece.
  private let elementCount: Int

  /// The most neighbouring rows in a piece.
  private static let rowCount = 16

  /// - Parameters:
  ///   - byteCount: of the array.
  ///   - isFast: false where the array is compressed by a slow level.
  init(_ byteCount: Int, _ form: PackedElementsForm, isFast: Bool) {
    (self.byteCount, self.form) = (byteCount, form)
    let isShort = byteCount < 128 << 10
    // A slow level takes longer for a short array than the trial for all of it.
    let isWhole = isShort && !isFast
    count = isWhole || byteCount < 32 << 10 ? 1 : min(max(byteCount >> 17, 2), 8)
    // Ways to store codes are farther apart than others.
    let most = isShort || form.quantised != nil ? 8 << 10 : 16 << 10
    let all = byteCount / form.elementByteCount
    elementCount = isWhole ? all : max(min(all, most / form.elementByteCount), 1)
  }

  struct Piece: Hashable {
    let ranges: [Range<Int>]
    /// Of each range, where they are windows of neighbouring rows; 0 where the piece is whole.
    let windowByteCount: Int
  }

  /// Where a piece lies: the elements that follow one place, or, where those hold few rows, windows of neighbouring rows.
  ///
  /// - Parameters:
  ///   - lag: integers of a row, which are subtracted from each other.
  ///   - scale: how many times as large as others the piece is to be.
  func piece(_ number: Int, lag: Int, scale: Int) -> Piece {
    let size = form.elementByteCount
    let elementCount = min(elementCount * scale, byteCount / size)
    let rowByteCount = lag * form.scalarByteCount
    guard form.farLags.contains(lag), rowByteCount * Self.rowCount > elementCount * size,
      byteCount >= 2 * rowByteCount
    else {
      let start = place(number, of: byteCount / size - elementCount) * size
      return Piece(ranges: [start..<(start + elementCount * size)], windowByteCount: 0)
    }
    let rows = byteCount / rowByteCount
    let taken = min(Self.rowCount, lag == form.rowLag ? form.rowsPerBlock : rows, rows)
    let window = min(rowByteCount, form.wholeGroups(max(elementCount / taken, 1)) * size)
    let row = place(number, of: rows - taken)
    let start = place(number, of: (rowByteCount - window) / size) * size
    return Piece(
      ranges: (row..<(row + taken)).map {
        ($0 * rowByteCount + start)..<($0 * rowByteCount + start + window)
      }, windowByteCount: window)
  }

  private func place(_ number: Int, of room: Int) -> Int { count > 1 ? room * number / (count - 1) : 0 }
}
