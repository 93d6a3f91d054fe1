import GraphCodable

/// What a page shows of an archive; its properties are the keys in JSON.
struct PageArchive: Encodable {
  let label: String
  let entry: Int?
  let information: ArchiveInformation?
  /// For each segment of the information, its blocks.
  let blocks: [Blocks]
  let statistics: StatisticsReport?
  let tree: TreeSample
  let previews: [Preview]
  /// The paths of records that are previewed as vectors.
  let vectors: [String]
  /// How many arrays have no preview.
  let arraysLeftOut: Int

  /// The blocks of a segment; of many, each number is about some that follow each other.
  struct Blocks: Encodable {
    /// How many blocks each pair of numbers is about; the last one may be about fewer.
    let together: Int
    let stored: [Int]
    let raw: [Int]

    private static let limit = 2_048

    init(_ segment: GraphArchive.Segment) {
      let together = (segment.blocks.count + Self.limit - 1) / Self.limit
      let starts = stride(from: 0, to: segment.blocks.count, by: max(together, 1))
      let groups = starts.map { segment.blocks[$0..<min($0 + together, segment.blocks.count)] }
      self.together = together
      stored = groups.map { $0.reduce(0) { $0 + $1.storedByteCount } }
      raw = groups.map { $0.reduce(0) { $0 + $1.rawByteCount } }
    }
  }

  private static let previewLimit = 48
  private static let vectorLimit = 8
  /// Of all arrays that are read as a whole.
  private static let wholeByteLimit = 32 << 20
  /// The graph stream is read as a whole for statistics.
  private static let streamByteLimit: UInt64 = 64 << 20

  /// - Parameter label: which archive of the file it is.
  init(_ snapshot: Snapshot, label: String) throws {
    let archive = try snapshot.archive()
    let info = try? archive.info
    (self.label, entry) = (label, snapshot.number)
    information = try? ArchiveInformation(snapshot, identity: false)
    blocks = info?.segments.map(Blocks.init) ?? []
    statistics =
      info?.streamByteCount ?? .max <= Self.streamByteLimit
      ? (try? archive.statistics()).map { StatisticsReport($0, snapshot) } : nil
    tree = TreeSample(archive)
    var (previews, room) = ([Preview](), Self.wholeByteLimit)
    var detail: PreviewDetail {
      var detail = PreviewDetail.full
      detail.wholeByteCount = min(detail.wholeByteCount, room)
      return detail
    }
    for path in tree.vectors.prefix(Self.vectorLimit) {
      guard let preview = try? Preview(vectorsOf: archive, at: path, detail) else { continue }
      previews.append(preview)
    }
    vectors = previews.map(\.path)
    for (place, path) in tree.arrays.prefix(Self.previewLimit) {
      // A damaged array has no preview; the page has a list of the damage.
      guard let preview = try? Preview(archive, at: path, detail) else { continue }
      if preview.sampledElements == nil { room -= min(room, tree.values[place].bytes ?? 0) }
      previews.append(preview)
    }
    self.previews = previews
    arraysLeftOut = tree.arrays.count - (previews.count - vectors.count)
  }

  /// The paths of previews with numbers, without those of vectors' components.
  var shownPaths: [GraphPath] {
    let components = Set(
      vectors.compactMap { GraphPath($0) }.flatMap { path in
        GraphArchive.components.map { path.appending(.key($0)) }
      })
    return previews.filter { !$0.columns.isEmpty }.compactMap { GraphPath($0.path) }
      .filter { !components.contains($0) }
  }
}
