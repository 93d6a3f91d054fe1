import _GraphSupport

/// What a writer knows of a type of keys.
class AnyKeyedEncoders {
  /// Lets go of the container that is kept, which holds the writer, and keeps none any more.
  func forgetContainer() {}
}

/// Makes containers with keys of a type; see `RecordContainers`.
class KeyedEncoders<Key: CodingKey>: AnyKeyedEncoders {
  private var knownType: Stored<EncoderType>?

  /// Has the shapes of nested records with such keys.
  @inline(__always)
  final func recordType(_ writer: CodableWriter) -> Stored<EncoderType> {
    knownType ?? findType(writer)
  }

  @inline(never)
  private func findType(_ writer: CodableWriter) -> Stored<EncoderType> {
    let type = writer.encoder.encoderType(NestedForm<Key>.self)
    knownType = type
    return type
  }

  func container(_ record: RecordEncoder) -> KeyedEncodingContainer<Key> {
    preconditionFailure("every type is of a subclass")
  }
}

final class RecordEncoders<Key, Container: RecordEncodingContainer>: KeyedEncoders<Key>
where Container.Key == Key {
  /// The container that was made last, with its place.
  ///
  /// It is used again for another record once nothing else holds it.
  @safe @exclusivity(unchecked)
  private var kept: (container: KeyedEncodingContainer<Key>, place: EncoderPlace)?
  private var keeps: Bool

  init(keeps: Bool) { self.keeps = keeps && KeptContainer.areReferences }

  override func container(_ record: RecordEncoder) -> KeyedEncodingContainer<Key> {
    if let place = kept?.place, KeptContainer.isUnique(&kept!.container) {
      place.serial = record.serial
      return kept!.container  // It was there just now.
    }
    let place = EncoderPlace(writer: record.writer, serial: record.serial)
    let container = KeyedEncodingContainer(Container(place: place))
    if keeps, kept == nil { kept = (container, place) }
    return container
  }

  override func forgetContainer() {
    (kept, keeps) = (nil, false)
  }
}

/// The record that a container is used for.
final class EncoderPlace {
  let writer: CodableWriter
  fileprivate(set) var serial: Int

  init(writer: CodableWriter, serial: Int) {
    self.writer = writer
    self.serial = serial
  }
}

/// A container with keys of a record.
protocol RecordEncodingContainer: KeyedEncodingContainerProtocol {
  init(place: EncoderPlace)
}

extension KeyedRecordEncoder: RecordEncodingContainer {}

extension CodableWriter {
  /// What is known of a type of keys.
  @inline(__always)
  func keyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<Key> {
    state.pointee.keyTypes.recent(type, as: KeyedEncoders<Key>.self) ?? findKeyed(by: type)
  }

  /// What is known of records whose keys are of no type.
  var noKeys: KeyedEncoders<ArchiveKey> { keyed(by: ArchiveKey.self) }

  @inline(never)
  private func findKeyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<Key> {
    let found =
      state.pointee.keyTypes.find(type, among: keyTypes)
      ?? state.pointee.keyTypes.keep(
        RecordEncoders<Key, KeyedRecordEncoder<Key>>(keeps: isCurrent), for: type, among: &keyTypes)
    return unsafe unsafeDowncast(found, to: KeyedEncoders<Key>.self)  // Just made for `Key`, or found by it.
  }
}
