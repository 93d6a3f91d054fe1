import _GraphSupport

/// Which sectors make up the code words that protect a run of bytes.
///
/// Sector `s` of the run is number `s / wordCount` in word `s mod wordCount`: neighbours are in different words, so a burst costs each
/// word as many sectors as any other. A word has a few parity sectors of Reed-Solomon. Where more of its sectors are lost,
/// sums over groups of sectors help: they run across the words.
package struct ParityLayout: Equatable, Sendable {
  package static let sectorByteCount = 4096

  /// Bytes that are protected, at least 1.
  let byteCount: UInt64
  let wordCount: Int
  /// Parity sectors of each word.
  let paritiesPerWord: Int
  let sumCount: Int

  /// Sectors that are protected, the last of which may be filled with zeros.
  var sectorCount: Int {
    Int((byteCount + UInt64(Self.sectorByteCount) - 1) / UInt64(Self.sectorByteCount))
  }
  /// Of the parity.
  var paritySectorCount: Int { wordCount * paritiesPerWord + sumCount }
  /// The most sectors that are protected of a word.
  var wordLength: Int { (sectorCount + wordCount - 1) / wordCount }

  /// GF(2^8) has 256 elements, each of which stands for a sector of a word.
  static let maximumWordLength = 256

  init(byteCount: UInt64, wordCount: Int, paritiesPerWord: Int, sumCount: Int) {
    (self.byteCount, self.wordCount) = (byteCount, wordCount)
    (self.paritiesPerWord, self.sumCount) = (paritiesPerWord, sumCount)
  }

  /// The layout for so many bytes, which is no part of the format: a table says what its group has.
  package init(byteCount: UInt64, _ redundancy: ArchiveRedundancy) {
    let sectors = Int((byteCount + UInt64(Self.sectorByteCount) - 1) / UInt64(Self.sectorByteCount))
    let part = Double(redundancy.hundredths) / 10_000
    // The tables take the rest.
    let wanted = Int((Double(sectors) * part * 0.98).rounded(.up)) + min(sectors, 2)
    let words = Int((Double(sectors) * (1 + part) / Double(Self.maximumWordLength - 1)).rounded(.up))
    guard words > 1 else {
      let parities = min(wanted, Self.maximumWordLength - sectors)
      self.init(byteCount: byteCount, wordCount: 1, paritiesPerWord: parities, sumCount: 0)
      return
    }
    let most = Self.maximumWordLength - (sectors + words - 1) / words
    let parities = min(max(Int(Double(wanted) * 0.85) / words, 1), most)
    self.init(
      byteCount: byteCount, wordCount: words, paritiesPerWord: parities,
      sumCount: max(wanted - words * parities, 1))
  }

  /// Whether a table may say so.
  var isValid: Bool {
    (1...(1 << 56)).contains(byteCount) && wordCount > 0 && wordCount <= sectorCount
      && (1...Self.maximumWordLength).contains(paritiesPerWord)
      && wordLength + paritiesPerWord <= Self.maximumWordLength && (0...sectorCount).contains(sumCount)
  }

  /// The sum that a sector is part of.
  func sum(of sector: Int) -> Int { (sector % wordCount + sector / wordCount) % sumCount }

  /// The sectors of a word.
  func sectors(ofWord word: Int) -> StrideTo<Int> { stride(from: word, to: sectorCount, by: wordCount) }

  /// Bytes of a sector.
  func byteCount(of sector: Int) -> Int {
    Int(min(UInt64(Self.sectorByteCount), byteCount - UInt64(sector) * UInt64(Self.sectorByteCount)))
  }
}
