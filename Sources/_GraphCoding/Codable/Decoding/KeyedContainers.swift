import _GraphFiles
import _GraphSupport

/// What a reader knows about a key type.
class AnyKeyedContainers {
  /// Releases the kept container, which retains the reader, and keeps no more of them.
  func forgetContainer() {}
}

/// Makes containers with keys of a type, and their lists of keys.
class KeyedContainers<Key: CodingKey, Container>: AnyKeyedContainers {
  /// The latest ones, of shapes whose records have all of their keys, by the low bits of the shape's address.
  private let lists: PinnedRow<KeyList<Key>?>

  /// This many cases of an enum are found at once.
  private static var listCount: Int { 32 }

  override init() {
    lists = PinnedRow(repeating: nil, count: Self.listCount)
  }

  deinit { unsafe lists.release() }

  func container(_ record: RecordDecoder) -> Container {
    preconditionFailure("every type is of a subclass")
  }

  /// The keys of the record that is being decoded.
  final func allKeys(_ reader: CodableReader) throws -> [Key] {
    guard let shape = reader.graph.pointee.frame.shape else { return [] }
    // Only a number. Shapes of the archive lie side by side, so those of one enum have places of their own.
    let place =
      unsafe Int(bitPattern: shape.address) / MemoryLayout<DecoderShape>.stride & (Self.listCount - 1)
    if let known = lists[place], known.shape == shape { return known.keys }
    let found = try reader.keys(Key.self)
    if reader.hasAllKeys(shape) { lists[place] = KeyList(shape, found) }
    return found
  }
}

private final class KeyList<Key> {
  let shape: Pinned<DecoderShape>
  let keys: [Key]

  init(_ shape: Pinned<DecoderShape>, _ keys: [Key]) {
    self.shape = shape
    self.keys = keys
  }
}

/// Containers for a key type that is an argument of the class, which carries its metadata and conformances.
///
/// In generic code, Swift looks them up each time, which takes longer than everything else that a container needs.
private final class RecordContainers<Key, Decoder: RecordContainer, Container>:
  KeyedContainers<Key, Container>
where Decoder.Key == Key {
  @safe @exclusivity(unchecked) private var kept = KeptContainer()
  @safe @exclusivity(unchecked) private var place: DecoderRecord?
  private var keeps: Bool

  /// `Container` is `KeyedDecodingContainer<Key>`.
  init(keeps: Bool) {
    self.keeps = keeps && KeptContainer.areReferences
    super.init()
  }

  override func container(_ record: RecordDecoder) -> Container {
    if let place, kept.isUnused {
      place.serial = record.serial
      return kept.container(as: Container.self)
    }
    return make(record)
  }

  @inline(never)
  private func make(_ record: RecordDecoder) -> Container {
    let place = DecoderRecord(reader: record.reader, serial: record.serial)
    // See `init`.
    let container = unsafe unsafeBitCast(KeyedDecodingContainer(Decoder(place: place)), to: Container.self)
    if keeps, self.place == nil {
      kept.keep(container)
      self.place = place
    }
    return container
  }

  override func forgetContainer() {
    kept = KeptContainer()
    (place, keeps) = (nil, false)
  }
}

/// The record that a container is used for.
final class DecoderRecord {
  let reader: CodableReader
  fileprivate(set) var serial: Int

  init(reader: CodableReader, serial: Int) {
    self.reader = reader
    self.serial = serial
  }
}

/// A container with keys of a record.
protocol RecordContainer: KeyedDecodingContainerProtocol {
  init(place: DecoderRecord)
}

extension KeyedRecordDecoder: RecordContainer {}

extension CodableReader {
  /// What is known about a key type.
  @inline(__always)
  func keyed<Key: CodingKey>(by type: Key.Type) -> KeyedContainers<Key, KeyedDecodingContainer<Key>> {
    state.pointee.keyTypes.recent(type, as: KeyedContainers<Key, KeyedDecodingContainer<Key>>.self)
      ?? findKeyed(by: type)
  }

  @inline(never)
  private func findKeyed<Key: CodingKey>(
    by type: Key.Type
  ) -> KeyedContainers<Key, KeyedDecodingContainer<Key>> {
    typealias Containers = RecordContainers<Key, KeyedRecordDecoder<Key>, KeyedDecodingContainer<Key>>
    let found =
      state.pointee.keyTypes.find(type, among: keyTypes)
      ?? state.pointee.keyTypes.keep(Containers(keeps: isCurrent), for: type, among: &keyTypes)
    // Just made for `Key`, or found through it.
    return unsafe unsafeDowncast(found, to: KeyedContainers<Key, KeyedDecodingContainer<Key>>.self)
  }

  /// Whether all records of a shape of the archive have the same keys.
  fileprivate func hasAllKeys(_ shape: Pinned<DecoderShape>) -> Bool {
    guard !shape.pointee.isOpen, !isUnkeyed(shape) else { return false }
    return (0..<shape.pointee.fieldCount).allSatisfy {
      shape.pointee.fields[$0].keyNumber == 0 || shape.pointee.fields[$0].kind != .tagged
    }
  }
}
