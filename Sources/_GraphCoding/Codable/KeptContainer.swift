import _GraphSupport

/// Containers with keys that are used again.
///
/// The standard library puts each container into a box of its own, which costs more than a few fields. A coder that keeps one can
/// reuse it for another record as soon as nothing else holds it, which nobody can notice.
///
/// It is kept as its box: in generic code Swift would look up the container's metadata each time.
struct KeptContainer {
  private var box: AnyObject?

  /// Whether there is one that nothing else holds.
  var isUnused: Bool {
    @inline(__always) mutating get { isKnownUniquelyReferenced(&box) }
  }

  /// The container, which is there and of that type.
  @inline(__always)
  func container<Container>(as type: Container.Type) -> Container {
    unsafe unsafeBitCast(box.unsafelyUnwrapped, to: type)  // See `keep`.
  }

  /// Keeps a container if `areReferences` says that it is one reference.
  mutating func keep<Container>(_ container: Container) {
    box = unsafe unsafeBitCast(container, to: AnyObject.self)
  }

  /// Whether containers are one reference to a box each, as they are in all versions of the standard library so far.
  static let areReferences: Bool = {
    let writer = CodableWriter(GEncoder(options: [], userInfo: [:], binaryIOVersion: 0))
    let encoder = KeyedRecordEncoder<ArchiveKey>(place: EncoderRecord(writer: writer, serial: 0))
    return isReference(KeyedEncodingContainer(encoder)) && isReference(KeyedDecodingContainer(Sample()))
  }()

  private static func isReference<Container>(_ container: Container) -> Bool {
    let parts = Mirror(reflecting: container).children
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size, parts.count == 1,
      let box = parts.first?.value, type(of: box) is AnyClass
    else { return false }
    // It is as large as an address.
    let address = unsafe unsafeBitCast(container, to: UInt.self)
    return address == UInt(bitPattern: ObjectIdentifier(box as AnyObject))
  }

  /// A container of nothing, which takes nothing.
  private struct Sample: KeyedDecodingContainerProtocol {
    typealias Key = ArchiveKey
    let codingPath: [any CodingKey] = []
    let allKeys: [ArchiveKey] = []
    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw failure }
    func superDecoder() throws -> any Decoder { throw failure }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw failure }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw failure }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw failure }
    private var failure: any Error { GCodableError(.keyNotFound, "there are no keys") }
  }
}
