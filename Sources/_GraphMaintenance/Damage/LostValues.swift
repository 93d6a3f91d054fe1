import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// What lives in damaged blocks, as far as the rest of the archive tells.
struct LostValues {
  /// How many objects have bytes in each of the shown blocks; nil for those without objects.
  private(set) var objectCounts: [Int?] = []
  private(set) var losses: [[GraphDamage.Loss]] = []

  private let decoder: GDecoder
  private let objects: ObjectOrder
  /// Ranges of the graph stream, ascending.
  private let damage: [Range<UInt64>]
  private var firstLostPaths: [OwnWalk.Owner: GraphPath] = [:]

  /// nil if the object index is damaged, so that the contents of the blocks are unknown.
  ///
  /// - Parameters:
  ///   - found: all damaged blocks.
  ///   - shown: those whose values are wanted.
  ///   - maximumCount: of values.
  /// - Throws: `CancellationError`, `noMemory`, `file`.
  init?(
    _ found: [DamageSearch.FoundBlock], _ shown: [DamageSearch.FoundBlock], _ reader: ArchiveReader,
    maximumCount: Int
  ) throws {
    let progress = reader.progress
    var reader = reader
    reader.trustsContents = true
    reader.progress = nil  // It has been that of the blocks.
    do {
      decoder = try reader.walkingDecoder()
    } catch let error as GCodableError where [.damaged, .malformed].contains(error.code) { return nil }
    objects = ObjectOrder(decoder)
    let damage = found.filter { $0.placed.segment.kind == .graph && $0.number != nil }.map(\.rawRange)
    self.damage = damage
    let decoder = decoder
    let owners = try GraphOwners(decoder) { number in
      !damage.hasByte(decoder.state.pointee.objects[Int(number)].offset)
    } checkCancellation: {
      try progress?.checkCancellation()
    }
    find(shown, owners, maximumCount: maximumCount)
  }

  private mutating func find(
    _ shown: [DamageSearch.FoundBlock], _ owners: GraphOwners, maximumCount: Int
  ) {
    // The values first, then the paths of all of them at once.
    var left = maximumCount
    let values: [[Value]] = shown.map { block in
      guard block.number != nil, left > 0 || block.placed.segment.kind == .graph else {
        objectCounts.append(nil)
        return []
      }
      let lost = self.values(in: block, owners, atMost: left)
      objectCounts.append(lost.objectCount)
      left -= lost.values.count
      return lost.values
    }
    let paths = owners.paths(to: values.joined().compactMap(\.target))
    for values in values { losses.append(values.map { loss($0, $0.target.flatMap { paths[$0] }) }) }
  }

  /// A value in a block.
  private enum Value {
    case root
    case object(UInt32)
    case array(Int, elements: Range<Int>)

    var target: GraphOwners.Target? {
      switch self {
      case .root: nil
      case .object(let number): .object(number)
      case .array(let segment, _): .segment(segment)
      }
    }
  }

  private func values(
    in block: DamageSearch.FoundBlock, _ owners: GraphOwners, atMost maximumCount: Int
  ) -> (values: [Value], objectCount: Int?) {
    let (segment, raw) = (block.placed.segment, block.rawRange)
    switch segment.kind {
    case .objectIndex: return ([], nil)
    case .bulk:
      let elements =
        (Int(raw.lowerBound) / segment.elementByteCount)..<(Int(raw.upperBound) / segment.elementByteCount)
      let texts = owners.arrays[block.segmentNumber].flatMap(PackedTexts.init)
      return ([.array(block.segmentNumber, elements: texts?.strings(with: elements) ?? elements)], nil)
    case .graph:
      let places = objects.places(overlapping: raw)
      let root: [Value] = raw.lowerBound < decoder.tables.rootEnd ? [.root] : []
      let values = root + places.prefix(maximumCount).map { .object(objects.number(at: $0)) }
      return (Array(values.prefix(maximumCount)), places.count)
    }
  }

  private mutating func loss(_ value: Value, _ path: GraphPath?) -> GraphDamage.Loss {
    switch value {
    case .root:
      return GraphDamage.Loss(
        objectNumber: nil, className: nil, path: [],
        firstLostPath: damage.hasByte(0) ? nil : firstLost(of: .root, []), elements: nil)
    case .object(let number):
      let isReadable = !damage.hasByte(decoder.state.pointee.objects[Int(number)].offset)
      return GraphDamage.Loss(
        objectNumber: Int(number), className: isReadable ? className(of: number) : nil, path: path,
        firstLostPath: isReadable ? path.flatMap { firstLost(of: .object(number), $0) } : nil, elements: nil)
    case .array(_, let elements):
      return GraphDamage.Loss(
        objectNumber: nil, className: nil, path: path, firstLostPath: nil, elements: elements)
    }
  }

  /// The path of the first unreadable part of a value; nil if all of it can be read.
  private mutating func firstLost(of owner: OwnWalk.Owner, _ path: GraphPath) -> GraphPath? {
    // A value may lie in many blocks.
    if let known = firstLostPaths[owner] { return known }
    var walk = OwnWalk(decoder)
    do { try walk.run(through: owner) { _, _ in } } catch {
      firstLostPaths[owner] = GraphPath(path.steps + walk.steps)
    }
    return firstLostPaths[owner]
  }

  private func className(of number: UInt32) -> String? {
    // Not all of it can be read.
    defer { decoder.state.pointee.stream.endWalk() }
    let offset = decoder.state.pointee.objects[Int(number)].offset
    guard
      let _ = try? decoder.state.pointee.stream.walk(from: offset, to: decoder.tables.end(ofObject: number)),
      let shape = try? decoder.readShape()
    else { return nil }
    return decoder.tables.className(shape.pointee.classNumber)
  }
}

/// The objects of an archive in the order of the graph stream.
private struct ObjectOrder {
  private let tables: DecoderTables
  /// Their numbers; nil where they are in order.
  private let numbers: [UInt32]?

  init(_ decoder: GDecoder) {
    tables = decoder.tables
    numbers = tables.reader.contents.objectsAreInOrder ? nil : decoder.storedObjects()
  }

  func number(at place: Int) -> UInt32 { numbers?[place] ?? UInt32(place) }

  /// The places of the objects that have bytes in a range.
  func places(overlapping range: Range<UInt64>) -> Range<Int> {
    let all = 0..<Int(tables.reader.contents.storedObjectCount)
    func offset(_ place: Int) -> UInt64 { tables.objects[Int(number(at: place))].offset }
    // The last one that begins before the range extends to the next one.
    let first = max(all.partitioningIndex { offset($0) > range.lowerBound } - 1, 0)
    return first..<max(all.partitioningIndex { offset($0) >= range.upperBound }, first)
  }
}
