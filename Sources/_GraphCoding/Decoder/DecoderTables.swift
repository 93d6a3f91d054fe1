import Foundation
import _GraphFiles
import _GraphSupport

/// What a decode knows of its archive: tables from the contents, and the objects made so far.
///
/// For `@exclusivity(unchecked)`, see `EncoderTables`.
@safe  // Those whose stream they have outlive the decoding, after which `forgetStream` gives it up.
package final class DecoderTables {
  package let reader: ArchiveReader
  /// nil where the caller holds the stream.
  @safe @exclusivity(unchecked) private var stream: RawBytes?
  /// The stream, where it is expanded block by block as it is needed.
  let partial: PartialStream?
  /// What is decoded, where that is not the root.
  @safe @exclusivity(unchecked) package var part: PartReach?
  package let keys: [String]
  private let keyNumbers: [ByteString: UInt32]
  /// 0 for a key that the archive does not know.
  private var keyNumbersByToken: [UInt64: UInt32] = [:]

  let shapes: PinnedRow<DecoderShape>
  /// A field that matches nothing, for a frame whose cursor is elsewhere.
  let nowhere: Pinned<ShapeField>
  /// One more than there are objects: behind the last one is the end of the stream.
  ///
  /// Of a stream of messages, those of one message.
  @safe @exclusivity(unchecked) package private(set) var objects: PinnedRow<ObjectSlot>
  package var objectCount: Int { objects.count - 1 }
  /// See `ObjectIndex`.
  @safe @exclusivity(unchecked) private var followers: [UInt32]
  /// Where the root ends in the stream.
  @safe @exclusivity(unchecked) package private(set) var rootEnd: UInt64
  /// Bytes of the graph stream, also when it has been given back.
  private let streamByteCount: Int
  /// The graph stream.
  @safe @exclusivity(unchecked) package private(set) var streamBytes: UnsafeRawBufferPointer
  /// Version of the user's `BinaryIOType`s.
  @safe @exclusivity(unchecked) private(set) var userVersion: UInt16

  let classes: ClassResolver
  /// Why an object could not be made.
  private var failures: [UInt32: Failure] = [:]
  /// Objects that could not be made because they need one that is being made, by that one.
  private var waiting: [UInt32: [UInt32]] = [:]
  /// The descent that has last visited an object, or `leftAlone`; empty until the first one.
  var visited: [UInt32] = []
  var descentCount: UInt32 = 0
  /// What lies inside values that are objects, by way of others: see `GDecoder.takeInside`.
  @safe @exclusivity(unchecked) var inside: [UInt32: ValueInside] = [:]
  /// See `ArchiveFields`.
  @safe @exclusivity(unchecked) var fieldLists: [ObjectIdentifier: ArchiveFields] = [:]
  /// How many shapes have a `ShapeFields`.
  @safe @exclusivity(unchecked) var notedFieldListCount = 0
  /// See `FieldIndex`.
  @safe @exclusivity(unchecked) var fieldIndexes: [Pinned<DecoderShape>: FieldIndex] = [:]
  /// How requested objects of shapes without a class were made.
  var makers: [Pinned<DecoderShape>: (GDecoder, UInt32) throws -> Void] = [:]

  var deferredKeys = DeferredKeys()
  /// What was put off while a speculative object was made.
  var speculations: [UInt32: (start: DeferredFields.Mark, end: DeferredFields.Mark)] = [:]

  /// Integers of coding keys that fields have been decoded with: kept with the tokens of these, for the graphs to come.
  @safe @exclusivity(unchecked) var keyIntValues = KeyIntValues()
  /// What is needed for `Codable` values, from the first one until the graph has been decoded.
  @safe @exclusivity(unchecked) var codable: CodableReader? { didSet { oldValue?.end() } }

  /// The `LazySource` where values may be left to be decoded later; nil if the archive is not retained for them.
  @safe @exclusivity(unchecked) package var lazySource: AnyObject?

  /// How many steps of a path lead to the root, where that is an array of a directory.
  @safe @exclusivity(unchecked) package var rootStepCount = 0
  /// What the user says of arrays; nil until a walk asks for it.
  @safe @exclusivity(unchecked) private var parsedAttributes: AttributeTable?

  /// Where bulk segments are mentioned, by where they lie.
  private var bulkMentions: [UInt64: UInt64] = [:]
  private var expandedByteCount: UInt64 = 0
  /// Bytes of all bulk segments, before compression.
  private let bulkByteCount: UInt64
  /// Bytes of the file that the archive takes, also where it is in pieces.
  private let heldByteCount: UInt64
  /// Bytes of the stream and of all bulk segments, before compression.
  var rawByteCount: UInt64 { UInt64(streamBytes.count) + bulkByteCount }
  /// Bytes of the archive as it is stored; no fewer than those of a stream that another one has, which is not compressed.
  var storedByteCount: UInt64 {
    streamByteCount == streamBytes.count ? heldByteCount : max(heldByteCount, UInt64(streamBytes.count))
  }

  /// In `visited`: an object that needs one which was being made.
  static let leftAlone = UInt32.max
  /// In `visited`: an object whose shape had not been requested.
  static let withoutMaker = UInt32.max - 1

  /// - Parameter isPartial: whether parts of the stream are expanded when they are needed, in place of all of it now.
  package init(_ reader: ArchiveReader, classes: ClassResolver, isPartial: Bool = false) throws {
    self.reader = reader
    self.classes = classes
    let contents = reader.contents
    partial = isPartial ? try PartialStream(reader) : nil
    let stream = try partial?.bytes ?? reader.bytes(of: contents.graph)
    self.stream = stream
    keys = contents.keys
    keyNumbers = Dictionary(
      zip(contents.keys.map(ByteString.init), 1...), uniquingKeysWith: { first, _ in first })
    bulkByteCount = contents.bulk.reduce(0) { $0 + $1.segment.rawByteCount }
    heldByteCount = reader.source.extents?.fileByteCount ?? reader.header.byteCount
    streamByteCount = unsafe stream.buffer.count
    let streamByteCount = unsafe UInt64(stream.buffer.count)
    let index = try ObjectIndex(contents, reader, streamByteCount: streamByteCount)

    shapes = PinnedRow(count: contents.shapes.count) { DecoderShape(contents.shapes[$0]) }
    nowhere = .make(ShapeField(token: FieldToken.unbound, kind: .null))
    objects = PinnedRow(count: index.offsets.count + 1) {
      ObjectSlot(offset: $0 < index.offsets.count ? index.offsets[$0] : streamByteCount)
    }
    followers = index.followers
    rootEnd = index.rootEnd
    streamBytes = unsafe stream.buffer
    userVersion = reader.contents.userVersion
  }

  /// What the user says of arrays.
  ///
  /// - Throws: `malformed`.
  package func attributes() throws -> AttributeTable {
    if let parsedAttributes { return parsedAttributes }
    let table = try reader.contents.extensions.attributeTable()
    parsedAttributes = table
    return table
  }

  /// Where an object that is stored ends in the stream: where the one behind it begins.
  package func end(ofObject number: UInt32) -> UInt64 {
    objects[followers.isEmpty ? Int(number) + 1 : Int(followers[Int(number)])].offset
  }

  /// Releases the objects.
  ///
  /// - Parameter built: their numbers; of one that was discarded and made again, twice.
  func releaseObjects(_ built: Growable<UInt32>) {
    // No level of a value has less than a byte in the stream.
    let inside = Nesting.reservedByteCount(forDepth: Int32(clamping: streamByteCount))
    releaseOneByOne(built.count, insideByteCount: Int(inside)) { index in
      let slot = unsafe UnsafeMutableRawPointer(objects.pinned(Int(built[index])).address)
      // The instance comes first in a slot.
      return unsafe Pinned(at: slot.assumingMemoryBound(to: Held<AnyObject>?.self))
    }
  }

  deinit {
    unsafe objects.release()
    for number in 0..<shapes.count {
      unsafe shapes[number].fields.release()
      shapes[number].releaseFieldLists()
    }
    unsafe shapes.release()
    unsafe nowhere.release()
  }

  // MARK: Reuse

  /// Whether nothing but the tables and a stream is there, and nothing of a stream that has been decoded is left.
  var canBeReused: Bool {
    Self.idleByteCounts.contains(reader.contents.messageTables.count)
  }

  /// Eight bytes tell tables apart, and more than these no small message has.
  private static let idleByteCounts = 9...(4 << 10)

  /// Releases the stream, which the caller may have back.
  func forgetStream() {
    stream = nil
    streamBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    reader.source.forgetMemory()
  }

  /// Takes the stream of another archive with the same tables, which outlives its decoding.
  ///
  /// - Parameter contents: those of the archive, whose hash has been checked.
  /// - Returns: false where the contents have other tables, or more than tables and a stream.
  func takeStream(of contents: UnsafeRawBufferPointer) -> Bool {
    let tables = reader.contents.messageTables
    guard contents.count > tables.count,
      unsafe tables.withUnsafeBytes({ unsafe memcmp($0.baseAddress!, contents.baseAddress!, $0.count) }) == 0
    else { return false }
    streamBytes = unsafe UnsafeRawBufferPointer(rebasing: contents[tables.count...])
    rootEnd = UInt64(streamBytes.count)
    return true
  }

  // MARK: Messages

  /// Takes the graph stream of a message, which outlives its decoding.
  ///
  /// - Parameter byteCount: of the message, behind which there may be others.
  @inline(__always)
  func takeMessage(_ stream: UnsafeRawBufferPointer, byteCount: Int) {
    streamBytes = unsafe stream
    rootEnd = UInt64(byteCount)
  }

  /// Gives back the graph stream of a message.
  @inline(__always)
  func forgetMessage() { streamBytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Takes the objects of the message.
  func takeObjects(_ index: ObjectIndex) {
    rootEnd = index.rootEnd
    let placeholder = objects
    let end = UInt64(streamBytes.count)
    objects = PinnedRow(count: index.offsets.count + 1) {
      ObjectSlot(offset: $0 < index.offsets.count ? index.offsets[$0] : end)
    }
    unsafe placeholder.release()
    followers = index.followers
  }

  /// Forgets the objects of a message, which have been released.
  func forgetObjects() {
    unsafe objects.release()
    objects = PinnedRow(count: 1) { _ in ObjectSlot(offset: 0) }
    (followers, failures, waiting, visited, inside) = ([], [:], [:], [], [:])
    (descentCount, speculations, makers) = (0, [:], [:])
  }

  /// The number of a key plus one; nil if no value of the archive has it.
  @_semantics("optimize.sil.specialize.generic.never")
  func keyNumber<Key: RawRepresentable>(_ key: Key) -> UInt32? where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let known = keyNumbersByToken[token] { return known == 0 ? nil : known }
    let number = keyNumber(named: key.rawValue)
    if let token { keyNumbersByToken[token] = number ?? 0 }
    return number
  }

  func keyNumber(named name: String) -> UInt32? { keyNumbers[ByteString(name)] }

  /// Notes where a bulk segment is mentioned, which is one place in the stream, and counts the bytes that are
  /// expanded: only an object that is made anew reads a segment again.
  func noteExpansion(of open: ArchiveReader.OpenSegment, mentionedAt offset: UInt64) throws {
    try noteMention(of: open.offset, at: offset)
    if partial != nil { reader.progress?.expect(Int(open.segment.rawByteCount)) }
    expandedByteCount += open.segment.rawByteCount
    guard expandedByteCount / Self.maximumExpansionCount <= bulkByteCount else {
      throw GCodableError(.limitExceeded, "objects with large arrays are made too often", byteOffset: offset)
    }
  }

  /// Notes where a bulk segment is mentioned.
  ///
  /// - Parameters:
  ///   - segmentOffset: where it begins in the archive.
  ///   - offset: where the head of its array ends in the stream.
  package func noteMention(of segmentOffset: UInt64, at offset: UInt64) throws {
    guard bulkMentions.updateValue(offset, forKey: segmentOffset) ?? offset == offset else {
      throw GCodableError(.malformed, "a bulk segment stands for more than one array", byteOffset: offset)
    }
  }

  private static let maximumExpansionCount: UInt64 = 64

  /// Keeps the reason why an object could not be made, for later requests.
  ///
  /// One that needs an object which is being made may only have been asked for too early, by a prebuild:
  /// it gets another chance when that object is done.
  func keep(_ failure: any Error, of number: UInt32, as type: Any.Type) {
    failures[number] = Failure(error: failure, type: hasClass(number) ? nil : ObjectIdentifier(type))
    guard let target = OpenCycle(failure)?.target else { return }
    // What needs this object needs that one as well.
    waiting[target, default: []] += [number] + (waiting.removeValue(forKey: number) ?? [])
  }

  private struct Failure {
    var error: any Error
    /// What the object was asked for as, where its class is not stored: it may be something else.
    let type: ObjectIdentifier?
  }

  private func hasClass(_ number: UInt32) -> Bool {
    var stream = GraphStream(self)
    stream.move(to: objects[Int(number)].offset)
    return (try? stream.readShape().pointee.classNumber != 0) ?? false
  }

  /// Whether an object could not be made, as whatever it was asked for.
  func hasFailed(_ number: UInt32) -> Bool { failures[number] != nil }

  /// Why an object could not be made as a `type`; nil if it can be tried.
  func failure(of number: UInt32, as type: Any.Type) -> (any Error)? {
    guard let failure = failures[number], failure.type == nil || failure.type == ObjectIdentifier(type) else {
      return nil
    }
    guard var cycle = OpenCycle(failure.error) else { return failure.error }
    // Perhaps what it needs has failed as well, because of an object that is still being made.
    while !objects[Int(cycle.target)].isBeingBuilt,
      let next = failures[cycle.target].flatMap({ OpenCycle($0.error) })
    {
      cycle = cycle.followed(by: next)
    }
    failures[number]?.error = cycle.error
    return cycle.error
  }

  func forgetFailures(waitingFor number: UInt32) {
    guard !waiting.isEmpty, let numbers = waiting.removeValue(forKey: number) else { return }
    for waiting in numbers { failures[waiting] = nil }
  }

  package func className(_ classNumber: UInt32) -> String? {
    classNumber == 0 ? nil : reader.contents.classes[Int(classNumber) - 1].qualifiedName
  }
}
