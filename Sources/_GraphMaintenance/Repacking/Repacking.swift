import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

extension GraphEncoder {
  /// Writes the graph of an archive into a new archive, with the compression and precision of this encoder.
  ///
  ///     let encoder = GraphEncoder()
  ///     encoder.compression = .lz4hc(level: 9)
  ///     try encoder.repack(GraphArchive(url), to: url)
  ///
  /// The Swift types of the graph are not needed: values, objects, tables, metadata and user version are copied byte for
  /// byte, and the elements of large arrays are filtered and compressed anew. If the encoder has a precision, the
  /// floating-point numbers of large arrays are rounded to it, and no others. Otherwise arrays keep the precision that they
  /// were stored with. ``redundancy`` and ``verifiesAfterWrite`` apply; a file that has parity gets new parity in any case.
  ///
  /// - Parameters:
  ///   - archive: the archive to copy. It may be the file at `url`, which is replaced when the new one is complete.
  ///   - url: the new file.
  ///   - progress: reports the bytes written, as counted before compression; cancelling it leaves no file.
  /// - Throws: `GCodableError`: `damaged` or `malformed`, `file`, `noMemory`, `invalidValue` for a precision that no number can
  ///   have; `CancellationError`.
  /// - Complexity: O(n) in the size of the graph. The graph stream and one array after the other are in memory.
  public func repack(_ archive: GraphArchive, to url: URL, progress: Progress? = nil) throws {
    try progress?.checkCancellation()
    try precision?.check()
    let report = ProgressReport(progress)
    let sink = try FileSink(url)
    try archive.withReader(threadCount: threadCount) { reader in
      report?.begin(byteCount: reader.contents.rawByteCount)
      _ = try Repacking(reader, compression, precision, report, storesDirectory: storesDirectory).write(
        to: sink)
    }
    var writer = archiveWriter
    writer.progress = report
    try writer.readBack(sink)
    try writer.publish(sink, renewsParity: true)
  }
}

/// Writes the segments of an archive anew, one after the other.
package struct Repacking {
  private let reader: ArchiveReader
  private let compression: ArchiveCompression
  private let precision: GPrecision?
  private let progress: ProgressReport?
  private let storesDirectory: Bool

  /// - Parameter storesDirectory: whether the archive gets a directory if it has none.
  package init(
    _ reader: ArchiveReader, _ compression: ArchiveCompression, _ precision: GPrecision?,
    _ progress: ProgressReport?, storesDirectory: Bool = false
  ) {
    (self.reader, self.compression, self.precision, self.progress) = (
      reader, compression, precision, progress
    )
    self.storesDirectory = storesDirectory
  }

  /// - Returns: the header of the new archive.
  package func write(to sink: any ArchiveSink) throws -> ArchiveHeader {
    var contents = reader.contents
    var end = UInt64(ArchiveHeader.byteCount)
    var first = SegmentWriter.Item(segment: 0, block: 0)
    func write(_ place: Contents.BytesOrSegment, _ kind: Segment.Kind) throws -> Contents.BytesOrSegment {
      guard place.segment != nil else { return place }
      let bytes = try reader.bytes(of: place)
      return try withExtendedLifetime(bytes) {
        .segment(try unsafe self.write(.init(kind, bytes.buffer), &first, behind: &end, to: sink))
      }
    }
    contents.graph = try write(contents.graph, .graph)
    let arrays = try mentions()
    contents.bulk = try reader.contents.bulk.enumerated().map { number, placed in
      let bytes = try reader.bytes(of: .segment(placed))
      return try withExtendedLifetime(bytes) {
        try self.write(source(placed.segment, bytes, arrays[number]), &first, behind: &end, to: sink)
      }
    }
    contents.objectIndex = try write(contents.objectIndex, .objectIndex)
    if storesDirectory, contents.extensions.directory == nil {
      contents.extensions.setDirectory(try ArrayDirectory(of: reader.walkingDecoder(isPartial: false)).bytes)
    }
    return try ArchiveWriter.write(contents.bytes, at: end, to: sink)
  }

  private func write(
    _ source: SegmentWriter.Source, _ first: inout SegmentWriter.Item, behind end: inout UInt64,
    to sink: any ArchiveSink
  ) throws -> PlacedSegment {
    let placed = try SegmentWriter(
      [source], compression: compression, threadCount: reader.threadCount, sink: sink, progress: progress,
      first: first
    ).write(from: end)
    guard let segment = placed.first else {
      throw GCodableError(.internalInconsistency, "a segment has not been written")
    }
    first = SegmentWriter.Item(
      segment: first.segment + 1, block: first.block + segment.segment.blocks.count)
    end = segment.end
    return segment
  }

  private func source(_ segment: Segment, _ bytes: RawBytes, _ array: Mention?) -> SegmentWriter.Source {
    var source = unsafe SegmentWriter.Source(.bulk, bytes.buffer)
    source.format = segment.format
    source.elementByteCount = segment.elementByteCount
    source.rowElementCount = array?.rowElementCount ?? 0
    source.innerStrides = array?.innerStrides ?? []
    // Rounded numbers are already multiples of the step, and compress accordingly.
    let precision = precision ?? segment.precision
    if let precision, Rounding.changes(segment.format, array?.layout) {
      source.precision = precision
      source.rounding = Rounding(precision, segment.format, array?.layout)
    }
    return source
  }

  /// What the graph stream says about an array in a segment.
  private struct Mention {
    var rowElementCount = 0
    var innerStrides: [Int] = []
    var layout: Contents.Layout?
  }

  private func mentions() throws -> [Int: Mention] {
    let classes = ClassResolver(reader.contents.classes, chosen: [:])
    let decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: nil)
    var mentions: [Int: Mention] = [:]
    let stored = (0..<UInt32(decoder.tables.objectCount)).lazy.filter(decoder.isStored)
    for owner in [.root] + stored.map({ OwnWalk.Owner.object($0) }) {
      guard mentions.count < reader.contents.bulk.count else { break }
      var walk = OwnWalk(decoder)
      try walk.run(through: owner) { event, _ in
        func note(_ array: NestedArray) {
          guard let number = array.elements.segmentNumber else { return }
          let shape = array.shape.levels.count > 1 ? array.shape.rectangle ?? [] : []
          let rows = shape.first ?? 0
          mentions[number] = Mention(
            rowElementCount: rows == 0 ? 0 : array.elements.count / rows,
            innerStrides: BulkArray.innerStrides(shape), layout: array.elements.layout)
        }
        switch event {
        case .packed(let elements): note(NestedArray(elements, ArrayShape([elements.count])))
        case .nested(let array): note(array)
        case .optionals(let optionals):
          note(NestedArray(optionals.presence, ArrayShape([optionals.presence.count])))
          note(optionals.array)
        default: break
        }
      }
    }
    return mentions
  }
}
