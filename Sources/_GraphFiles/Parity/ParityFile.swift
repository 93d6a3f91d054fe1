import CGraphArchive
import Foundation
import _GraphSupport

/// A file with the parity of another one: groups, each for a run of its bytes.
package struct ParityFile {
  /// A group, and where it begins in this file.
  package struct Group {
    package let place: UInt64
    package let table: ParityTable
    /// Whether all blocks of the table are intact, both times.
    package let isWhole: Bool
  }

  let file: any RangeReader
  package let groups: [Group]

  /// The name of the parity of a file, beside the file that a link leads to.
  package static func url(for url: URL) -> URL {
    // A path that cannot be followed is an error where the file itself is opened.
    let path = (try? SystemPath.followingLinks(SystemPath.path(url))) ?? url.path
    return URL(fileURLWithPath: path + "." + pathExtension)
  }

  package static let pathExtension = "gcparity"

  /// Finds the groups, also if some of their blocks are damaged.
  ///
  /// - Throws: `file`, `noMemory`; `notAnArchive` for another version of the format.
  package init(_ file: any RangeReader) throws {
    self.file = file
    let byteCount = try file.byteCount()
    let sector = UInt64(ParityLayout.sectorByteCount)
    var (groups, place): ([Group], UInt64) = ([], 0)
    while byteCount >= sector, place <= byteCount - sector {
      guard let block = try ParityTable.block(file.bytes(Int(sector), from: place)),
        block.place % sector == 0,
        block.place >= (groups.last.map { $0.place + $0.table.groupByteCount } ?? 0), block.place <= place,
        block.table.groupByteCount <= byteCount - block.place
      else {
        place += sector
        continue
      }
      let group = try Self.group(block, file)
      groups.append(group)
      place = group.place + group.table.groupByteCount
    }
    self.groups = groups
  }

  /// Reads all blocks of a table, of which one is known.
  private static func group(_ known: ParityTable.Block, _ file: any RangeReader) throws -> Group {
    var table = known.table
    let layout = table.layout
    table.checksums = Array(repeating: nil, count: layout.sectorCount + layout.paritySectorCount)
    var isWhole = true
    for number in 0..<table.blockCount {
      for offset in table.offsets(ofBlock: number) {
        let bytes = try file.bytes(ParityLayout.sectorByteCount, from: known.place + offset)
        guard let block = try ParityTable.block(bytes), block.number == number,
          block.place == known.place, block.identity == known.identity
        else {
          isWhole = false
          continue
        }
        let start = number * ParityTable.entriesPerBlock
        for (index, checksum) in block.checksums.enumerated() { table.checksums[start + index] = checksum }
      }
    }
    return Group(place: known.place, table: table, isWhole: isWhole)
  }
}

extension ParityFile {
  /// Writes the parity of all of a file beside it, in place of any that there is.
  ///
  /// - Parameter redundancy: not none.
  /// - Returns: the size of the parity, in bytes.
  /// - Throws: `invalidValue` for a file without bytes; `wrongSize`, `file`, `noMemory`, `CancellationError`.
  @discardableResult
  package static func protect(
    _ url: URL, _ redundancy: ArchiveRedundancy, threadCount: Int, _ progress: ProgressReport?
  ) throws -> UInt64 {
    let file = try OpenFile(reading: url)
    let sink = try draft(file, of: url, redundancy, threadCount, progress)
    try sink.publish()
    return try sink.openFile().byteCount()
  }

  /// Writes the parity of all of a file, which gets its name when it is published.
  ///
  /// What anybody's link at that name leads to is not written over: the link is replaced.
  ///
  /// - Parameters:
  ///   - file: the file, with or without its name.
  ///   - url: its name.
  static func draft(
    _ file: any RangeReader, of url: URL, _ redundancy: ArchiveRedundancy, _ threadCount: Int,
    _ progress: ProgressReport?
  ) throws -> FileSink {
    let byteCount = try file.byteCount()
    guard byteCount > 0 else {
      throw GCodableError(.invalidValue, "\(url.path) has no bytes to protect")
    }
    let sink = try FileSink(Self.url(for: url), followsLink: false)
    _ = try ParityWriter(file, 0..<byteCount, redundancy, progress)
      .write(to: sink, at: 0, threadCount: threadCount)
    return sink
  }

  /// Removes the parity of a file that is removed, if there is any.
  package static func remove(for path: String) throws {
    try FileOutcome.removeFile(path + "." + pathExtension)
  }

  /// Whether a file has parity.
  package static func exists(for url: URL) -> Bool {
    FileManager.default.fileExists(atPath: Self.url(for: url).path)
  }

  /// Writes parity anew for a file that has some, as much as before.
  package static func renew(_ url: URL, threadCount: Int) throws {
    let redundancy = try redundancy(of: url)
    if redundancy != .none { try protect(url, redundancy, threadCount: threadCount, nil) }
  }

  /// How much parity a file has.
  ///
  /// - Returns: `none` also where nothing is left of its parity.
  /// - Throws: `unsupported` for another version of the format; `file`, `noMemory`.
  static func redundancy(of url: URL) throws -> ArchiveRedundancy {
    guard exists(for: url) else { return .none }
    do {
      return try Self(OpenFile(reading: Self.url(for: url))).groups.first?.table.redundancy ?? .none
    } catch var error as GCodableError {
      error.context.debugDescription =
        "cannot read how much parity \(url.path) has, to make as much for the new file; remove \(Self.url(for: url).path), or "
        + "set a redundancy: \(error.context.debugDescription)"
      throw error
    }
  }

  /// Adds the parity of bytes that were appended to a file.
  ///
  /// A small group at the end is replaced by one with the new bytes in addition: otherwise each append would cost some sectors.
  /// What was not protected before is protected, too.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - end: of the bytes that are to be protected.
  package static func extend(
    _ url: URL, _ source: any RangeReader, upTo end: UInt64, _ redundancy: ArchiveRedundancy,
    threadCount: Int
  ) throws {
    let file = try OpenFile(appending: Self.url(for: url), followsLink: false)
    let byteCount =
      try file.byteCount() / UInt64(ParityLayout.sectorByteCount)
      * UInt64(ParityLayout.sectorByteCount)
    // Of a group, the first block is the last one as well.
    let last = try byteCount == 0 ? nil : lastGroup(file, byteCount)
    var (start, place): (UInt64, UInt64) = (0, 0)
    if let last, last.table.end <= end {
      let isSmall = last.table.layout.byteCount < smallByteCount
      (start, place) = isSmall ? (last.table.start, last.place) : (last.table.end, byteCount)
    }
    guard start < end else { return }
    let table = try ParityWriter(source, start..<end, redundancy, nil)
      .write(to: file, at: place, threadCount: threadCount)
    try file.truncate(to: place + table.groupByteCount)
    try file.sync()
  }

  private static func lastGroup(_ file: OpenFile, _ byteCount: UInt64) throws -> ParityTable.Block? {
    let sector = UInt64(ParityLayout.sectorByteCount)
    let bytes = try file.bytes(Int(sector), from: byteCount - sector)
    guard let block = try ParityTable.block(bytes), block.number == 0,
      block.place <= byteCount, block.table.groupByteCount == byteCount - block.place
    else { return nil }
    return block
  }

  private static let smallByteCount: UInt64 = 16 << 20
}
