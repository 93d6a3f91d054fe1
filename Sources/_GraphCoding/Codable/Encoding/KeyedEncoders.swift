import _GraphSupport

/// What a writer knows about a key type.
class AnyKeyedEncoders {
  private var knownType: Pinned<EncoderType>?

  /// Holds the shapes of nested records with such keys.
  @inline(__always)
  final func recordType(_ writer: CodableWriter) -> Pinned<EncoderType> { knownType ?? findType(writer) }

  @inline(never)
  private func findType(_ writer: CodableWriter) -> Pinned<EncoderType> {
    let type = makeType(writer)
    knownType = type
    return type
  }

  fileprivate func makeType(_ writer: CodableWriter) -> Pinned<EncoderType> {
    preconditionFailure("every type is of a subclass")
  }

  /// Releases the kept container, which retains the writer, and keeps no more of them.
  func forgetContainer() {}
}

/// Makes containers with keys of a type.
///
/// All that it makes is an argument of the class; see `RecordContainers`.
class KeyedEncoders<Container>: AnyKeyedEncoders {
  func container(_ record: RecordEncoder) -> Container {
    preconditionFailure("every type is of a subclass")
  }
}

private final class RecordEncoders<Key, Encoder: RecordEncodingContainer, Container>: KeyedEncoders<Container>
where Encoder.Key == Key {
  @safe @exclusivity(unchecked) private var kept = KeptContainer()
  @safe @exclusivity(unchecked) private var place: EncoderRecord?
  private var keeps: Bool

  /// `Container` is `KeyedEncodingContainer<Key>`.
  init(keeps: Bool) { self.keeps = keeps && KeptContainer.areReferences }

  override func makeType(_ writer: CodableWriter) -> Pinned<EncoderType> {
    writer.encoder.encoderType(NestedForm<Key>.self)
  }

  override func container(_ record: RecordEncoder) -> Container {
    if let place, kept.isUnused {
      place.serial = record.serial
      return kept.container(as: Container.self)
    }
    return make(record)
  }

  @inline(never)
  private func make(_ record: RecordEncoder) -> Container {
    let place = EncoderRecord(writer: record.writer, serial: record.serial)
    // See `init`.
    let container = unsafe unsafeBitCast(KeyedEncodingContainer(Encoder(place: place)), to: Container.self)
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
final class EncoderRecord {
  let writer: CodableWriter
  fileprivate(set) var serial: Int

  init(writer: CodableWriter, serial: Int) {
    self.writer = writer
    self.serial = serial
  }
}

/// A container with keys of a record.
protocol RecordEncodingContainer: KeyedEncodingContainerProtocol {
  init(place: EncoderRecord)
}

extension KeyedRecordEncoder: RecordEncodingContainer {}

extension CodableWriter {
  /// What is known about a key type.
  @inline(__always)
  func keyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<KeyedEncodingContainer<Key>> {
    state.pointee.keyTypes.recent(type, as: KeyedEncoders<KeyedEncodingContainer<Key>>.self)
      ?? findKeyed(by: type)
  }

  /// What is known about records whose keys have no type.
  var noKeys: AnyKeyedEncoders { keyed(by: ArchiveKey.self) }

  @inline(never)
  private func findKeyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<KeyedEncodingContainer<Key>> {
    typealias Encoders = RecordEncoders<Key, KeyedRecordEncoder<Key>, KeyedEncodingContainer<Key>>
    let found =
      state.pointee.keyTypes.find(type, among: keyTypes)
      ?? state.pointee.keyTypes.keep(Encoders(keeps: isCurrent), for: type, among: &keyTypes)
    // Just made for `Key`, or found through it.
    return unsafe unsafeDowncast(found, to: KeyedEncoders<KeyedEncodingContainer<Key>>.self)
  }
}
