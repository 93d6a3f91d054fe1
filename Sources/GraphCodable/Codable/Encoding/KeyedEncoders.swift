/// Makes containers with keys of a type; see `RecordContainers`.
class AnyKeyedEncoders {}

class KeyedEncoders<Key: CodingKey>: AnyKeyedEncoders {
  func container(_ record: RecordEncoder) -> KeyedEncodingContainer<Key> {
    preconditionFailure("every type is of a subclass")
  }
}

final class RecordEncoders<Key, Container: RecordEncodingContainer>: KeyedEncoders<Key>
where Container.Key == Key {
  override func container(_ record: RecordEncoder) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Container(record: record))
  }
}

/// A container with keys of a record.
protocol RecordEncodingContainer: KeyedEncodingContainerProtocol {
  init(record: RecordEncoder)
}

extension KeyedRecordEncoder: RecordEncodingContainer {}

extension CodableWriter {
  /// What is known of a type of keys.
  @inline(__always)
  func keyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<Key> {
    state.pointee.keyTypes.recent(type, as: KeyedEncoders<Key>.self) ?? findKeyed(by: type)
  }

  @inline(never)
  private func findKeyed<Key: CodingKey>(by type: Key.Type) -> KeyedEncoders<Key> {
    let found =
      state.pointee.keyTypes.find(type, among: keyTypes)
      ?? state.pointee.keyTypes.keep(
        RecordEncoders<Key, KeyedRecordEncoder<Key>>(), for: type, among: &keyTypes)
    return unsafe unsafeDowncast(found, to: KeyedEncoders<Key>.self)  // Just made for `Key`, or found by it.
  }
}
