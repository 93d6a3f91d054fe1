import GraphCodable

/// What was recovered of a file, and what is lost; its properties are the keys in JSON.
struct RecoveryReport: Encodable {
  /// As it was given on the command line.
  let file: String
  /// The new file.
  let output: String
  let kind: FileKind
  /// Whether nothing is lost.
  let ok: Bool
  /// Those of which anything is missing.
  let archives: [Archive]
  /// How many of the new file are as they were.
  let intactArchives: Int
  /// The bytes of a series in which nothing was found.
  let lostRanges: [LostRange]

  struct Archive: Encodable {
    /// The number of the entry in the damaged series.
    let entry: Int?
    let byteOffset: UInt64
    /// `intact`, `unverified` or `lost`.
    let tables: String
    let objects: Int
    let cutObjects: Int
    let lostObjects: Int
    let lostBlocks: Int
    /// Where the root is in the new archive; absent where it is lost.
    let root: String?
    /// Where what the root does not lead to is in the new archive.
    let rest: String?
    let damage: [DamagedBlock]
    fileprivate let summary: String

    private enum CodingKeys: CodingKey {
      case entry, byteOffset, tables, objects, cutObjects, lostObjects, lostBlocks, root, rest, damage
    }
  }

  struct LostRange: Encodable {
    let byteOffset: UInt64
    let bytes: UInt64
  }

  init(_ recovery: GraphRecovery, _ file: String, _ output: String) {
    (self.file, self.output) = (file, output)
    kind = recovery.isSeries ? .series : .archive
    ok = recovery.isWhole
    archives = recovery.archives.filter { !$0.isWhole || $0.tables != .intact }.map(Archive.init)
    intactArchives = recovery.archives.count - archives.count
    lostRanges = recovery.lostRanges.map { LostRange(byteOffset: $0.lowerBound, bytes: UInt64($0.count)) }
  }

  /// For people.
  var lines: [String] {
    var lines: [String] = []
    for archive in archives {
      let entry =
        kind == .archive ? "" : archive.entry.map { ", entry \($0)" } ?? ", byte \(archive.byteOffset)"
      lines.append("\(file)\(entry): \(archive.summary)")
      lines += archive.damage.map { "  \($0.text)" }
      if let rest = archive.rest { lines.append("  what the root does not lead to is at \(rest)") }
    }
    for range in lostRanges {
      lines.append(
        "\(file): nothing is intact in \(count(range.bytes, "byte", "bytes")) from byte \(range.byteOffset) on"
      )
    }
    if kind == .series {
      lines.append(
        "\(output): \(count(archives.count + intactArchives, "entry", "entries")), \(grouped(intactArchives)) of them as they were"
      )
    }
    if lines.isEmpty { lines.append("\(file): nothing is lost") }
    return lines
  }
}

extension RecoveryReport.Archive {
  fileprivate init(_ archive: GraphRecovery.Archive) {
    entry = archive.entryNumber
    byteOffset = archive.offset
    tables = "\(archive.tables)"
    (objects, cutObjects) = (archive.objectCount, archive.cutObjectCount)
    (lostObjects, lostBlocks) = (archive.lostObjectCount, archive.lostBlockCount)
    root = archive.rootPath?.description
    rest = archive.restPath?.description
    damage = archive.damage.blocks.map { block in DamagedBlock(block) { archive.offset + $0 } }
    summary = archive.summary
  }
}
