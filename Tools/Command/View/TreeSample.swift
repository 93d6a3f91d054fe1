import GraphCodable

/// The values of a graph, nearest to the root first, as far as a page has room for them.
struct TreeSample: Encodable {
  /// A value; those of a list come one after the other, behind the value that has them.
  struct Value: Encodable {
    /// The place of the value that it is a part of; absent for the root.
    let parent: Int?
    /// The step that leads to it from there, as in a path.
    let step: String
    let key: String?
    let kind: String
    let `class`: String?
    let object: Int?
    /// Whether the reference that leads to it is conditional; absent where it is not.
    let weak: Bool?
    let count: Int?
    let text: String?
    let shape: [Int?]?
    let formats: [String]?
    let bytes: Int?
    let segment: Int?
    /// The place of the same object, where its parts are; absent where they are here.
    fileprivate(set) var same: Int?
    /// How many of its parts are left out.
    fileprivate(set) var leftOut: Int?
    /// Why its parts cannot be read.
    fileprivate(set) var error: String?
  }

  private(set) var values: [Value] = []
  /// The paths of arrays that have numbers, in the order of the values.
  private(set) var arrays: [(place: Int, path: GraphPath)] = []
  /// The paths of records that seem to be vectors, with an array for each component.
  private(set) var vectors: [GraphPath] = []

  private enum CodingKeys: CodingKey { case values }

  private static let valueLimit = 4_000
  private static let partLimit = 100
  private static let depthLimit = 48
  /// Each list is found by walking from the root, past all that stands before it.
  private static let timeLimit = Duration.seconds(3)

  init(_ archive: GraphArchive) {
    var objects: [Int: Int] = [:]
    var lists: [(place: Int, path: GraphPath)] = []

    func add(_ item: GraphArchive.Item, _ parent: Int?, _ path: GraphPath) {
      var value = Value(item, parent)
      let place = values.count
      if item.holdsNumbers { arrays.append((place, path)) }
      if let object = item.objectNumber {
        value.same = objects[object]
        objects[object] = objects[object] ?? place
      }
      values.append(value)
      guard value.same == nil, item.count ?? 0 > 0, !item.holdsNumbers else { return }
      if item.text == nil || item.kind == .record { lists.append((place, path)) }
    }

    do { add(try archive.item(), nil, []) } catch {
      values.append(Value(failing: error))
      return
    }
    var next = 0
    let start = ContinuousClock.now
    while next < lists.count {
      let (place, path) = lists[next]
      next += 1
      let count = values[place].count ?? 0
      let room = min(Self.partLimit, Self.valueLimit - values.count)
      guard path.steps.count < Self.depthLimit, room > 0, next == 1 || .now - start < Self.timeLimit else {
        values[place].leftOut = count
        continue
      }
      do {
        let items = try archive.items(at: path, in: 0..<room)
        for item in items { add(item, place, item.step.map(path.appending) ?? path) }
        if items.haveComponents { vectors.append(path) }
        if count > items.count { values[place].leftOut = count - items.count }
      } catch {
        values[place].error = (error as? GCodableError)?.reason ?? "\(error)"
      }
    }
  }
}

extension [GraphArchive.Item] {
  /// Whether there is an array for each component of vectors, all of one length.
  fileprivate var haveComponents: Bool {
    let counts = GraphArchive.components.map { name in
      first { $0.step == .key(name) && $0.holdsNumbers }?.count
    }
    return counts[0] != nil && Set(counts).count == 1
  }
}

extension TreeSample.Value {
  fileprivate init(_ item: GraphArchive.Item, _ parent: Int?) {
    self.parent = parent
    step = item.step.map { GraphPath([$0]).description } ?? ""
    key = item.keyText
    kind = item.kind.description
    `class` = item.className
    object = item.objectNumber
    weak = item.isConditional ? true : nil
    (count, text) = (item.count, item.text)
    shape = item.shape.isEmpty ? nil : item.shape
    formats = item.packedFormats.isEmpty ? nil : item.packedFormats.map(\.description)
    (bytes, segment) = (item.byteCount, item.bulkSegment)
  }

  /// A root that cannot be read.
  fileprivate init(failing error: any Error) {
    (parent, step, key, kind, `class`, object, weak) = (nil, "", nil, "unreadable", nil, nil, nil)
    (count, text, shape, formats, bytes, segment) = (nil, nil, nil, nil, nil, nil)
    self.error = (error as? GCodableError)?.reason ?? "\(error)"
  }
}
