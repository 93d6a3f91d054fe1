import CGraphArchive

/// What a decode knows of its archive: tables from the contents, and the objects made so far.
final class DecoderTables {
  let reader: ArchiveReader
  let stream: RawBytes
  let keys: [String]
  private let keyNumbers: [String: UInt32]
  /// 0 for a key that the archive does not know.
  private var keyNumbersByToken: [UInt64: UInt32] = [:]

  let shapes: UnsafeMutablePointer<DecoderShape>
  let shapeCount: Int
  /// A field that matches nothing, for a frame whose cursor is elsewhere.
  let nowhere: UnsafeMutablePointer<ShapeField>
  let objects: UnsafeMutablePointer<ObjectSlot>
  let objectCount: Int

  let classes: ClassResolver
  var tails: [TailScan] = []
  /// Why an object could not be made.
  private(set) var failures: [UInt32: any Error] = [:]
  /// Objects that could not be made because they need one that is being made, by that one.
  private var waiting: [UInt32: [UInt32]] = [:]
  /// The descent that has last visited an object, or `leftAlone`; empty until the first one.
  var visited: [UInt32] = []
  var descentCount: UInt32 = 0
  /// How objects of shapes without a class were made that somebody has asked for.
  var makers: [UnsafeMutablePointer<DecoderShape>: (GDecoder, UInt32) throws -> Void] = [:]

  var deferredKeys = DeferredKeys()

  /// What is needed for `Codable` values, from the first one until the graph has been decoded.
  var codable: CodableReader?

  /// Where bulk segments are mentioned, by where they lie.
  private var bulkMentions: [UInt64: UInt64] = [:]
  private var expandedByteCount: UInt64 = 0

  /// In `visited`: an object that needs one which was being made.
  static let leftAlone = UInt32.max
  /// In `visited`: an object whose shape nobody had asked for.
  static let withoutMaker = UInt32.max - 1

  init(_ reader: ArchiveReader, classes: ClassResolver) throws {
    self.reader = reader
    self.classes = classes
    let contents = reader.contents
    stream = try reader.bytes(of: contents.graph, .graph)
    keys = contents.keys
    keyNumbers = Dictionary(
      zip(contents.keys, 1...), uniquingKeysWith: { first, _ in first })
    let index = try ObjectIndex.offsets(contents, reader, streamByteCount: UInt64(stream.buffer.count))

    shapeCount = contents.shapes.count
    shapes = .allocate(capacity: max(shapeCount, 1))
    for (number, shape) in contents.shapes.enumerated() {
      (shapes + number).initialize(to: DecoderShape(shape))
    }
    nowhere = .allocate(capacity: 1)
    nowhere.initialize(to: ShapeField(token: FieldToken.unbound, kind: .null))
    objectCount = index.count
    objects = .allocate(capacity: max(objectCount, 1))
    for (number, offset) in index.enumerated() {
      (objects + number).initialize(to: ObjectSlot(offset: offset))
    }
  }

  /// Gives up the objects, the one made last first.
  ///
  /// None is to release a long chain recursively. What a setter holds is held by a slot too; and an object
  /// is released before those that it asked for, which their own slots still hold then.
  func releaseObjects(_ built: Growable<UInt32>) {
    for index in (0..<built.count).reversed() {
      // An object may have been given up and made again: it is listed twice then.
      let slot = objects + Int(built[index])
      slot.pointee.instance?.release()
      slot.pointee.instance = nil
    }
  }

  deinit {
    objects.deallocate()
    for number in 0..<shapeCount { shapes[number].fields.deallocate() }
    shapes.deallocate()
    nowhere.deallocate()
  }

  /// The number of a key plus one; nil if no value of the archive has it.
  func keyNumber<Key: RawRepresentable>(_ key: Key) -> UInt32? where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let known = keyNumbersByToken[token] { return known == 0 ? nil : known }
    let number = keyNumber(named: key.rawValue)
    if let token { keyNumbersByToken[token] = number ?? 0 }
    return number
  }

  func keyNumber(named name: String) -> UInt32? { keyNumbers[name] }

  /// Notes where a bulk segment is mentioned, which is one place in the stream, and counts the bytes that are
  /// expanded: only an object that is made anew reads a segment again.
  func noteExpansion(of open: ArchiveReader.OpenSegment, mentionedAt offset: UInt64) throws {
    guard bulkMentions.updateValue(offset, forKey: open.blocksOffset) ?? offset == offset else {
      throw GCodableError(.malformed, "a bulk segment stands for more than one array", byteOffset: offset)
    }
    expandedByteCount += open.segment.rawByteCount
    let most = reader.contents.bulk.reduce(0) { $0 + $1.rawByteCount } * Self.maximumExpansionCount
    guard expandedByteCount <= most else {
      throw GCodableError(.malformed, "objects with large arrays are made too often", byteOffset: offset)
    }
  }

  private static let maximumExpansionCount: UInt64 = 64

  /// Keeps the reason why an object could not be made, for those who ask for it again.
  ///
  /// One that needs an object which is being made may only have been asked for too early, by a look ahead:
  /// it gets another chance when that object is done.
  func keep(_ failure: any Error, of number: UInt32) {
    failures[number] = failure
    guard let target = (failure as? GCodableError)?.cycle?.target else { return }
    // What needs this object needs that one as well.
    waiting[target, default: []] += [number] + (waiting.removeValue(forKey: number) ?? [])
  }

  /// Why an object could not be made; nil if it can be tried.
  func failure(of number: UInt32) -> (any Error)? {
    guard let failure = failures[number] else { return nil }
    guard var error = failure as? GCodableError, var cycle = error.cycle else { return failure }
    // Perhaps what it needs has failed as well, because of an object that is still being made.
    while !objects[Int(cycle.target)].isBeingBuilt,
      let next = (failures[cycle.target] as? GCodableError)?.cycle
    {
      cycle = .init(target: next.target, steps: cycle.steps + next.steps)
      cycle.shorten()
    }
    error.cycle = cycle
    failures[number] = error
    return error
  }

  func forgetFailures(waitingFor number: UInt32) {
    guard !waiting.isEmpty, let numbers = waiting.removeValue(forKey: number) else { return }
    for waiting in numbers { failures[waiting] = nil }
  }

  func className(_ classNumber: UInt32) -> String? {
    classNumber == 0 ? nil : reader.contents.classes[Int(classNumber) - 1].qualifiedName
  }
}

/// Where the objects of an archive begin in its graph stream.
///
/// The index holds, for each stored object in the order of the stream, the distance from the one before as
/// a varint; then, if the objects are not in the order of their numbers, the number of each.
enum ObjectIndex {
  static func bytes(offsets: [UInt64], numbers: [UInt32], inOrder: Bool) -> [UInt8] {
    var builder = ByteBuilder()
    var last: UInt64 = 0
    for offset in offsets {
      builder.varint(offset - last)
      last = offset
    }
    if !inOrder { for number in numbers { builder.varint(UInt64(number)) } }
    return builder.bytes
  }

  /// The offset of each object by number; `ObjectSlot.notStored` for those that are not in the archive.
  static func offsets(
    _ contents: Contents, _ reader: ArchiveReader, streamByteCount: UInt64
  ) throws -> [UInt64] {
    let bytes = try reader.bytes(of: contents.objectIndex, .objectIndex)
    var parser = ByteParser(bytes.buffer, origin: 0, subject: "the object index")
    guard contents.storedObjectCount <= UInt64(bytes.buffer.count),
      contents.objectCount <= UInt64(bytes.buffer.count) + contents.referencedOnlyLimit(streamByteCount)
    else { throw parser.malformed("is too short for \(contents.objectCount) objects") }
    var stored: [UInt64] = []
    stored.reserveCapacity(Int(contents.storedObjectCount))
    var last: UInt64 = 0
    for _ in 0..<contents.storedObjectCount {
      let (offset, overflow) = last.addingReportingOverflow(try parser.varint())
      // No object is empty, and the root is in front of them all.
      guard !overflow, offset > last, offset < streamByteCount else {
        throw parser.malformed("leads to \(offset), outside of the stream or not behind the object before")
      }
      stored.append(offset)
      last = offset
    }
    if contents.objectsAreInOrder {
      guard contents.objectCount == contents.storedObjectCount, parser.left == 0 else {
        throw parser.malformed("does not fit the number of objects")
      }
      return stored
    }
    var offsets = [UInt64](repeating: ObjectSlot.notStored, count: Int(contents.objectCount))
    for offset in stored {
      let number = try parser.varint()
      guard number < contents.objectCount, offsets[Int(number)] == ObjectSlot.notStored else {
        throw parser.malformed("has object \(number) twice, or too high")
      }
      offsets[Int(number)] = offset
    }
    guard parser.left == 0 else { throw parser.malformed("goes on after its end") }
    return offsets
  }
}

extension Contents {
  /// Objects without a place of their own are known by a conditional reference, of at least two bytes.
  fileprivate func referencedOnlyLimit(_ streamByteCount: UInt64) -> UInt64 { streamByteCount / 2 + 1 }
}
