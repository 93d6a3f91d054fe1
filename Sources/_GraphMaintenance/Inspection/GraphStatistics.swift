import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// How the bytes of an archive are distributed over classes, keys and arrays.
///
///     let statistics = try archive.statistics()
///     for share in statistics.keys.prefix(10) { print(share.name, share.byteCount, share.storedByteCount) }
public struct GraphStatistics: Sendable {
  /// The share of a class, key or array.
  public struct Share: Hashable, Sendable {
    /// The name of a class with its module, followed by a key of its instances or the path of an array, if it is about these.
    ///
    /// Values outside objects belong to `root`.
    public let name: String
    /// The number of objects, values or arrays.
    public internal(set) var count = 0
    /// Bytes in the graph stream.
    public internal(set) var streamByteCount: UInt64 = 0
    /// Bytes of large arrays before compression.
    public internal(set) var arrayByteCount: UInt64 = 0
    /// Bytes in the archive: exact for arrays, and in proportion for the graph stream.
    public internal(set) var storedByteCount: UInt64 = 0
    /// Bytes before compression.
    public var byteCount: UInt64 { streamByteCount + arrayByteCount }
    /// Bytes before compression for each byte in the archive.
    public var ratio: Double { Double(byteCount) / Double(max(storedByteCount, 1)) }
  }

  /// The classes of objects, each with everything that belongs to its instances, the largest first.
  public let classes: [Share]
  /// The fields of objects and of the root, each with everything in it, the largest first.
  public let keys: [Share]
  /// The large arrays by path, with `[]` for any index, the largest first.
  public let arrays: [Share]
  /// Bytes of header, tables and object index, and around segments.
  public let overheadByteCount: UInt64
  /// Bytes of the archive.
  public let storedByteCount: UInt64
}

extension GraphArchive {
  /// Measures how the bytes of the archive are distributed over classes, keys and arrays.
  ///
  /// - Parameter progress: reports the bytes of the graph stream that have been read; cancelling it stops the measurement.
  /// - Throws: `GCodableError`: `damaged` or `malformed`, `file`; `CancellationError`.
  /// - Complexity: O(n) in the size of the graph stream, which is in memory. Blocks of large arrays are not read.
  public func statistics(progress: Progress? = nil) throws -> GraphStatistics {
    try progress?.checkCancellation()
    let report = ProgressReport(progress)
    report?.begin(byteCount: contents.graph.rawByteCount)
    let statistics = try withReader { reader in
      var count = try StatisticsCount(reader, report)
      return try count.statistics(header)
    }
    report?.finish()
    return statistics
  }
}

/// Walks through a graph and adds up.
private struct StatisticsCount {
  private let decoder: GDecoder
  private let contents: Contents
  private let progress: ProgressReport?
  private var classes: [String: GraphStatistics.Share] = [:]
  private var keys: [String: GraphStatistics.Share] = [:]
  private var arrays: [String: GraphStatistics.Share] = [:]
  /// Bytes in the archive for each of the graph stream.
  private let streamRatio: Double

  init(_ reader: ArchiveReader, _ progress: ProgressReport?) throws {
    let resolver = ClassResolver(reader.contents.classes, chosen: [:])
    decoder = GDecoder(try DecoderTables(reader, classes: resolver), userInfo: nil)
    contents = reader.contents
    self.progress = progress
    streamRatio = Double(contents.graph.storedByteCount) / Double(max(contents.graph.rawByteCount, 1))
  }

  mutating func statistics(_ header: ArchiveHeader) throws -> GraphStatistics {
    try add(.root, "root", from: 0, to: decoder.tables.rootEnd)
    for number in 0..<UInt32(decoder.tables.objectCount) where decoder.isStored(number) {
      if number % 1024 == 0 { try progress?.checkCancellation() }
      let start = decoder.state.pointee.objects[Int(number)].offset
      try add(
        .object(number), decoder.qualifiedClassName(ofObject: number) ?? "object", from: start,
        to: decoder.tables.end(ofObject: number))
    }
    let shares = classes.values.reduce(0) { $0 + $1.storedByteCount }
    return GraphStatistics(
      classes: sorted(classes), keys: sorted(keys), arrays: sorted(arrays),
      overheadByteCount: header.byteCount - min(shares, header.byteCount), storedByteCount: header.byteCount)
  }

  private func sorted(_ shares: [String: GraphStatistics.Share]) -> [GraphStatistics.Share] {
    shares.values.sortedOutOfLine {
      ($0.storedByteCount, $0.byteCount, $1.name) > ($1.storedByteCount, $1.byteCount, $0.name)
    }
  }

  private mutating func add(
    _ owner: OwnWalk.Owner, _ name: String, from start: UInt64, to end: UInt64
  ) throws {
    var (own, offset) = (GraphStatistics.Share(name: name), start)
    var fields: [GraphPath.Step: GraphStatistics.Share] = [:]
    var found: [GraphStatistics.Share] = []
    var walk = OwnWalk(decoder)
    try walk.run(through: owner) { event, walk in
      let next = decoder.state.pointee.stream.offset
      let first = walk.firstStep
      if let step = first {
        fields[step.isIndex ? .index(0) : step, default: .init(name: "\(name)\(step.pattern)")]
          .streamByteCount +=
          next - offset
      }
      offset = next
      let numbers = event.segmentNumbers
      guard !numbers.isEmpty else { return }
      var array = GraphStatistics.Share(name: name + walk.steps.map(\.pattern).joined())
      array.count = 1
      for number in numbers {
        // Otherwise a segment could count any number of times.
        try decoder.tables.noteMention(of: contents.bulk[number].offset, at: next)
        array.arrayByteCount += contents.bulk[number].segment.rawByteCount
        array.storedByteCount += contents.bulk[number].segment.byteCount
      }
      found.append(array)
      if let step = first { fields[step.isIndex ? .index(0) : step]?.add(array) }
    }
    (own.count, own.streamByteCount) = (1, end - start)
    own.storedByteCount = UInt64(Double(own.streamByteCount) * streamRatio)
    for array in found { own.add(array) }
    classes[name, default: .init(name: name)].add(own, countsOnce: true)
    for var field in fields.values {
      field.count = 1
      field.storedByteCount += UInt64(Double(field.streamByteCount) * streamRatio)
      keys[field.name, default: .init(name: field.name)].add(field, countsOnce: true)
    }
    for array in found { arrays[array.name, default: .init(name: array.name)].add(array, countsOnce: true) }
    progress?.advance(by: Int(end - start))
  }
}

extension GraphStatistics.Share {
  fileprivate mutating func add(_ other: Self, countsOnce: Bool = false) {
    if countsOnce { count += other.count }
    streamByteCount += other.streamByteCount
    arrayByteCount += other.arrayByteCount
    storedByteCount += other.storedByteCount
  }
}

extension GraphPath.Step {
  fileprivate var isIndex: Bool { if case .key = self { false } else { true } }

  /// As in a path, with any index.
  fileprivate var pattern: String {
    guard case .key = self else { return "[]" }
    let text = GraphPath([self]).description
    return text.hasPrefix("[") ? text : "." + text
  }
}
