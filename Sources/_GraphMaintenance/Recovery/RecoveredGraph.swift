import _GraphCoding
import _GraphFiles
import _GraphSupport

/// A graph stream made from the readable parts of a damaged one, with tables and an object index.
///
/// Each intact object keeps its bytes, except for object numbers. References to lost objects become nil if they may be; otherwise
/// a classless object replaces the lost one, with an opaque value as its only content. The new numbers are in the order of the
/// old ones.
struct RecoveredGraph {
  /// The tables, with new entries, without places of segments.
  var contents: Contents
  private(set) var root: [UInt8] = []
  private(set) var rootOutcome: OwnerCopy.Outcome = .lost
  /// The objects after the root, in the order of the old stream.
  private(set) var objects: [Object] = []
  /// The new numbers of the kept objects of the old archive.
  private(set) var numbers: [UInt32: UInt32] = [:]
  private(set) var cutObjectCount = 0

  struct Object {
    /// nil for the replacement of a lost one.
    let oldNumber: UInt32?
    let number: UInt32
    var bytes: [UInt8]
    var attributes: OwnAttributes = []
  }

  /// What the user says of arrays, by where they begin in the bytes of the root or of an object.
  typealias OwnAttributes = [(place: Int, attributes: GAttributes)]

  /// The number of opaque values that replace lost objects.
  static let lostNumber: UInt64 = 1

  private let decoder: GDecoder
  private var rootAttributes: OwnAttributes = []
  /// Those of the old archive.
  private let attributes: AttributeTable
  /// Of the old stream, ascending.
  private let damage: [Range<UInt64>]
  private let cutShapes: CutShapes
  private var outcomes: [UInt32: OwnerCopy.Outcome] = [:]

  /// - Parameters:
  ///   - reader: of the archive, with an object index that can be read.
  ///   - damage: the ranges of the graph stream that are lost, ascending.
  /// - Throws: `CancellationError`, `file`, `noMemory`.
  init(_ reader: ArchiveReader, damage: [Range<UInt64>], _ progress: ProgressReport?) throws {
    contents = reader.contents
    // Those that cannot be read are lost.
    attributes = (try? contents.extensions.attributeTable()) ?? AttributeTable()
    contents.extensions = ContentsExtensions()
    self.damage = damage
    decoder = try reader.walkingDecoder()
    cutShapes = CutShapes(reader.contents.shapes)
    let order = decoder.storedObjects()
    let needed = try findOutcomes(order, progress)
    renumber(order, needed)
    try copy(order, needed, progress)
    contents.shapes = cutShapes.shapes
  }

  private func offset(_ number: UInt32) -> UInt64 { decoder.state.pointee.objects[Int(number)].offset }

  // MARK: What is left

  /// Determines what is left of root and objects.
  ///
  /// - Returns: objects that are lost, or were not stored, but are needed by references that cannot be nil.
  private mutating func findOutcomes(_ order: [UInt32], _ progress: ProgressReport?) throws -> Set<UInt32> {
    // Damaged ones first, because the losses depend on them.
    for number in order {
      let range = offset(number)..<decoder.tables.end(ofObject: number)
      outcomes[number] = damage.overlaps(range) ? .cut : .whole
    }
    // Shared by all of them; otherwise the shapes would be copied for each.
    let tried = CutShapes(contents.shapes)
    var cutOwner = OwnerCopy(decoder, cutShapes: tried) { .kept($0) }
    for number in order where outcomes[number] == .cut {
      outcomes[number] = try cutOwner.copy(.object(number))
    }
    let outcomes = outcomes
    var owner = OwnerCopy(decoder, cutShapes: tried) {
      outcomes[$0] ?? .lost == .lost ? .lost : .kept($0)
    }
    var needed = Set<UInt32>()
    rootOutcome = try owner.copy(.root)
    if rootOutcome != .lost { needed.formUnion(owner.neededNumbers) }
    for (index, number) in order.enumerated() where outcomes[number] != .lost {
      if index % 1024 == 0 { try progress?.checkCancellation() }
      guard try owner.copy(.object(number)) != .lost else {
        // Its checksums match, but it does not have the form of an object.
        self.outcomes[number] = .lost
        needed.insert(number)
        continue
      }
      needed.formUnion(owner.neededNumbers)
    }
    return needed
  }

  private mutating func renumber(_ order: [UInt32], _ needed: Set<UInt32>) {
    let kept = needed.union(order.lazy.filter { [outcomes] in outcomes[$0] != .lost })
    for (new, old) in kept.sorted().enumerated() { numbers[old] = UInt32(new) }
    contents.objectCount = UInt64(kept.count)
  }

  private mutating func copy(
    _ order: [UInt32], _ needed: Set<UInt32>, _ progress: ProgressReport?
  ) throws {
    let numbers = numbers
    let substitute = needed.isEmpty ? [] : substituteBytes()
    var owner = OwnerCopy(decoder, cutShapes: cutShapes) { numbers[$0].map { .kept($0) } ?? .lost }
    owner.notesStarts = !attributes.isEmpty
    if rootOutcome != .lost {
      _ = try owner.copy(.root)
      root = owner.out
      rootAttributes = attributes(in: owner)
    }
    for (index, old) in order.enumerated() where outcomes[old] != .lost {
      if index % 1024 == 0 { try progress?.checkCancellation() }
      guard let number = numbers[old] else { continue }
      if try owner.copy(.object(old)) != .whole { cutObjectCount += 1 }
      objects.append(
        Object(oldNumber: old, number: number, bytes: owner.out, attributes: attributes(in: owner)))
    }
    for old in needed.sorted() where outcomes[old] ?? .lost == .lost {
      guard let number = numbers[old] else { continue }
      objects.append(Object(oldNumber: nil, number: number, bytes: substitute))
    }
  }

  private func attributes(in owner: OwnerCopy) -> OwnAttributes {
    if attributes.isEmpty { return [] }
    return owner.starts.compactMap { old, new in
      let found = attributes[old]
      return found.isEmpty || new >= owner.out.count ? nil : (new, found)
    }
  }

  /// The replacement of a lost object.
  private func substituteBytes() -> [UInt8] {
    var shape = Contents.Shape(classNumber: 0, fields: [])
    shape.isBoxed = true
    var builder = ByteBuilder()
    builder.varint(cutShapes.append(shape))
    builder.byte(GraphKind.opaque.rawValue)
    builder.varint(Self.lostNumber)
    builder.varint(0)
    return builder.bytes
  }

  // MARK: The new stream

  /// Root and objects in sequence.
  var stream: [UInt8] {
    var stream = root
    stream.reserveCapacity(objects.reduce(root.count) { $0 + $1.bytes.count })
    for object in objects { stream += object.bytes }
    return stream
  }

  /// The contents with stream and index in them.
  var embedded: Contents {
    var offset = UInt64(root.count)
    let places = objects.map { object in
      defer { offset += UInt64(object.bytes.count) }
      return (object.number, offset)
    }
    var contents = contents.replacingIndex(places)
    contents.graph = .embedded(stream)
    var table = AttributeTable()
    let starts = [0] + places.map(\.1)
    for (start, own) in zip(starts, [rootAttributes] + objects.map(\.attributes)) {
      for (place, attributes) in own { table.note(attributes, at: start + UInt64(place)) }
    }
    contents.extensions.setAttributes(table)
    return contents
  }

  /// Replaces the root by bytes that end with those of the root, but for its head, and of some more.
  mutating func setRoot(_ bytes: [UInt8], addedByteCount: Int = 0) {
    Self.move(&rootAttributes, by: bytes.count - addedByteCount - root.count)
    root = bytes
  }

  /// Replaces an object likewise.
  mutating func setObject(at place: Int, _ bytes: [UInt8], addedByteCount: Int) {
    Self.move(&objects[place].attributes, by: bytes.count - addedByteCount - objects[place].bytes.count)
    objects[place].bytes = bytes
  }

  private static func move(_ attributes: inout OwnAttributes, by distance: Int) {
    for index in attributes.indices { attributes[index].place += distance }
  }

  /// The replacements of lost objects.
  var substitutes: Set<UInt32> { Set(objects.lazy.filter { $0.oldNumber == nil }.map(\.number)) }
}

extension Contents {
  /// The number, plus one, of a key that is in the table or is added to it.
  mutating func keyNumber(_ key: String) -> UInt32 {
    let bytes = ByteString(key)
    if let place = keys.firstIndex(where: { ByteString($0) == bytes }) { return UInt32(place) + 1 }
    keys.append(key)
    return UInt32(keys.count)
  }

  /// The number of a layout that is in the table or is added to it.
  mutating func layoutNumber(_ layout: Layout) -> UInt64 {
    if let place = layouts.firstIndex(of: layout) { return UInt64(place) + 1 }
    layouts.append(layout)
    return UInt64(layouts.count)
  }

  /// The number of a shape that is added to the table.
  mutating func shapeNumber(_ shape: Shape) -> UInt64 {
    shapes.append(shape)
    return UInt64(shapes.count)
  }
}
