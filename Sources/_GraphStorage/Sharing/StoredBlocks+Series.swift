import _GraphFiles
import _GraphReading

extension StoredBlocks {
  /// How many of the last entries are looked into: each has the places of all its blocks, wherever they are.
  private static let entryCount = 4

  /// What the last entries of a series have.
  ///
  /// One that is damaged, or was stored as a whole, tells nothing.
  init(lastOf series: GraphArchiveSeries) {
    for entry in series.suffix(Self.entryCount) {
      guard let archive = try? GraphArchive(entry), case .pieces(_, let table) = archive.storage else {
        continue
      }
      add(table, archive.contents.segments)
    }
  }

  private mutating func add(_ table: ExtentTable, _ segments: [PlacedSegment]) {
    var occurrences = Occurrences()
    var number = 0
    for placed in segments {
      let open = ArchiveReader.OpenSegment(placed)
      for (index, block) in placed.segment.blocks.enumerated() {
        guard number < table.fingerprints.count else { return }
        let fingerprint = table.fingerprints[number]
        number += 1
        let offset = open.blockOffsets[index]
        let range = offset..<(offset + UInt64(block.storedByteCount))
        let derived = table.derived(at: range)
        guard fingerprint != .unknown, let place = derived?.base.offset ?? table.fileOffset(of: range) else {
          continue
        }
        let key = occurrences.key(fingerprint, rawByteCount: placed.segment.rawByteCount(ofBlock: index))
        add(
          Location(
            offset: place, byteCount: block.storedByteCount, hash: block.hash, method: nil,
            derived: derived), key)
      }
    }
  }
}
