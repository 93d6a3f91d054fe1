import _GraphFiles
import _GraphSupport

/// A record whose fields wait until its value ends: that value's own, or a nested one.
///
/// Records know each other by their serial numbers alone, so a long chain of them is not released recursively.
final class WaitingRecord {
  let serial: Int
  /// The record that contains it; 0 for a value's own.
  let outer: Int
  /// The record of the value that it was made for.
  let base: Int
  /// Its position in the record around it.
  let key: ArchiveKey
  /// Holds the shapes of such records.
  let type: Pinned<EncoderType>?
  fileprivate private(set) var fields: [Field] = []
  /// How many fields without a key there are, including those that did not wait.
  private(set) var elementCount: Int
  /// An unkeyed container was requested.
  fileprivate(set) var isList = false
  /// The value of a single value container.
  fileprivate(set) var single: WaitingValue?
  /// No field was written before the waiting ones.
  private let wasEmpty: Bool
  /// The nested containers, by their keys.
  fileprivate var containers: [ByteString: Int] = [:]
  /// For a value's own record: those inside it.
  fileprivate(set) var inner: [Int] = []

  fileprivate struct Field {
    /// nil for none.
    let key: ArchiveKey?
    let content: Content
  }

  fileprivate enum Content {
    case value(WaitingValue)
    /// By its serial number.
    case record(Int)
  }

  /// A value's own record.
  init(_ serial: Int, elementCount: Int, isEmpty: Bool) {
    (self.serial, outer, base) = (serial, 0, serial)
    (key, type) = (.super, nil)
    (self.elementCount, wasEmpty) = (elementCount, isEmpty)
  }

  /// A record that replaces a field of another one.
  init(_ serial: Int, in outer: WaitingRecord, key: ArchiveKey?, _ type: Pinned<EncoderType>) {
    (self.serial, self.outer, base) = (serial, outer.serial, outer.base)
    self.key = key ?? ArchiveKey(intValue: outer.elementCount)
    self.type = type
    (elementCount, wasEmpty) = (0, true)
    outer.add(Field(key: key, content: .record(serial)))
  }

  /// Whether nothing of the record has been encoded.
  var isEmpty: Bool { wasEmpty && fields.isEmpty && !isList && single == nil }

  fileprivate func add(_ field: Field) {
    fields.append(field)
    if field.key == nil { elementCount += 1 }
  }
}

/// A value that will be encoded.
struct WaitingValue {
  let value: Any
  let kind: GraphKind
  let write: () throws -> Void
  /// Encodes its parts as those of another record; nil if it has none.
  private(set) var encodeParts: ((any Encoder) throws -> Void)?

  init<Value: Encodable>(_ value: Value, _ writer: CodableWriter) {
    let type = writer.type(Value.self)
    self.value = value
    kind = type.kind
    write = { try type.write(value) }
    if type.hasParts { encodeParts = { try value.encode(to: $0) } }
  }

  /// One of the library's own forms: nil, or a field that may be left out.
  init<Value: GEncodable>(form value: Value, _ writer: CodableWriter) {
    self.value = value
    kind = writer.encoder.nestedKind(Value.self)
    write = { [encoder = writer.encoder] in try encoder.writeNested(value) }
  }

  /// A conditional reference.
  init<Object: AnyObject & Encodable>(conditional object: Object, _ writer: CodableWriter) {
    let type = writer.type(Object.self)
    value = object
    kind = .taggedConditional
    write = { try type.writeConditional(object) }
  }
}

extension CodableWriter {
  /// Takes the fields of a record that are not written at once.
  ///
  /// A nested container may be filled at any time before the record ends. So, if containers wait, all fields of the record wait
  /// from the first one on.
  ///
  /// - Returns: nil if the record is neither a waiting nested one nor the one being encoded.
  func waiting(_ serial: Int) -> WaitingRecord? {
    let known = waitingRecords[serial]
    guard known.map({ $0.outer == 0 }) ?? true else { return known }
    guard serial == state.pointee.record else { return nil }
    if let known { return known }
    let record = WaitingRecord(serial, elementCount: elementCount, isEmpty: isAtStart)
    waitingRecords[serial] = record
    state.pointee.streaming = 0
    return record
  }

  /// Defers a field of a record.
  ///
  /// - Throws: if the record accepts none.
  @inline(never)
  func putOff(_ value: WaitingValue, for key: ArchiveKey?, in serial: Int) throws {
    guard let record = waiting(serial) else { throw notCurrent(value.value) }
    try splitSingle(of: record)
    record.add(.init(key: key, content: .value(value)))
  }

  /// Defers the value of a single value container.
  @inline(never)
  func putOff(single value: WaitingValue, in serial: Int) throws {
    guard let record = waiting(serial) else { throw notCurrent(value.value) }
    guard record.isEmpty else { throw mixed() }
    record.single = value
  }

  /// Notes that an unkeyed container was requested.
  ///
  /// - Returns: how many elements there are.
  func beginWaitingList(_ serial: Int) -> Int {
    guard let record = waiting(serial) else { return 0 }
    try? splitSingle(of: record)  // Its error is thrown by all that comes next.
    record.isList = true
    return record.elementCount
  }

  /// A record that replaces a field; a container is the one requested earlier with that key.
  func waitingNested(
    in serial: Int, for key: ArchiveKey?, _ type: Pinned<EncoderType>, isContainer: Bool
  ) -> Int {
    guard let outer = waiting(serial) else { return CodableWriterState.noRecord }
    let name = isContainer ? key.map { ByteString($0.stringValue) } : nil
    if let name, let known = outer.containers[name] { return known }
    try? splitSingle(of: outer)  // Its error is thrown by all that comes next.
    state.pointee.lastRecord += 1
    let record = WaitingRecord(state.pointee.lastRecord, in: outer, key: key, type)
    if let name { outer.containers[name] = record.serial }
    waitingRecords[record.serial] = record
    waitingRecords[record.base]?.inner.append(record.serial)
    return record.serial
  }

  /// Lets a single value encode its parts into the record, before those that are added.
  private func splitSingle(of record: WaitingRecord) throws {
    while let value = record.single {
      record.single = nil
      guard let encodeParts = value.encodeParts else { throw mixed() }
      do { try encodeParts(RecordEncoder(writer: self, serial: record.serial)) } catch {
        throw encoder.noted(error)
      }
    }
  }

  /// Writes fields into the record being written; anything encoded meanwhile follows them.
  func writeFields(of record: WaitingRecord) throws {
    if let single = record.single { try write(single, for: nil) }
    if record.isList {
      if hasSingleValue { throw mixed() }
      encoder.enterList()
    }
    var index = 0
    while index < record.fields.count {
      let field = record.fields[index]
      index += 1
      switch field.content {
      case .value(let value): try write(value, for: field.key)
      case .record(let serial):
        guard let nested = waitingRecords[serial], let type = nested.type else { continue }
        try enter(named: field.key, .record)
        try encoder.writeRecord(NestedForm<ArchiveKey>(record: nested), type)
        waitingRecords[serial] = nil  // It accepts nothing more.
      }
    }
  }

  private func write(_ value: WaitingValue, for key: ArchiveKey?) throws {
    try enter(named: key, value.kind)
    do { try value.write() } catch { throw encoder.noted(error) }
  }

  /// Forgets what waited in a value's own record.
  func forgetWaiting(_ serial: Int) {
    for inner in waitingRecords.removeValue(forKey: serial)?.inner ?? [] { waitingRecords[inner] = nil }
  }
}

/// A nested record, with shapes of its own for each type of keys.
struct NestedForm<Key: CodingKey>: GEncodable {
  let record: WaitingRecord

  func encode(to encoder: GEncoder) throws {
    let writer = encoder.codable
    writer.enterRecord(record.serial, in: nil)
    writer.state.pointee.streaming = 0
    defer { writer.leaveRecord() }
    try writer.writeFields(of: record)
  }
}
