/// What waits until all objects stand: fields that `deferDecode` has put off, in the order of its calls, and
/// checks of sets and dictionaries that were made meanwhile.
struct DeferredFields {
  /// Those of an object that has been discarded have no function: the others keep their places.
  private var fields: ContiguousArray<Field> = []
  /// How many of `fields` have been decoded, or are being decoded.
  private var startedCount = 0
  private var unkeyedNames: [String] = []
  private var hashed: [HashedElements?] = []

  struct Field {
    /// The object that has put it off.
    let owner: UInt32
    /// Number of its key plus one; from `firstUnkeyed` on, that of a name in `unkeyedNames`.
    fileprivate let key: UInt32
    /// nil once it has been taken or forgotten.
    fileprivate(set) var read: ((GDecoder) throws -> Void)?

    /// An archive has less keys.
    fileprivate static let firstUnkeyed: UInt32 = 1 << 31

    /// Bytes in memory, with what `read` has captured.
    static let byteCount = 112
    /// Those of what `read` has captured, which is released when the field is decoded.
    static let capturedByteCount = 64
  }

  /// How much had been put off at some point.
  struct Mark {
    fileprivate let fieldCount: Int
    fileprivate let hashedCount: Int
  }

  var mark: Mark { Mark(fieldCount: fields.count, hashedCount: hashed.count) }

  /// Whether there may be fields that have not been decoded yet.
  ///
  /// One that is being decoded counts: what it leads to may hold the object that it belongs to.
  var isWaiting: Bool { startedCount < fields.count || isDecoding }

  private var isDecoding = false

  /// The field that is being decoded.
  var current: Field? { startedCount == 0 ? nil : fields[startedCount - 1] }

  /// The key of a field, or which one it is of those without.
  ///
  /// - Parameter keys: those of the archive.
  func name(of field: Field, _ keys: [String]) -> String {
    field.key < Field.firstUnkeyed
      ? keys[Int(field.key) - 1] : unkeyedNames[Int(field.key - Field.firstUnkeyed)]
  }

  /// Whether nothing has been put off.
  var isEmpty: Bool { fields.isEmpty && hashed.isEmpty }

  /// Forgets everything, which costs next to nothing where nothing has been put off.
  mutating func removeAll() {
    if !isEmpty { self = DeferredFields() }
  }

  /// - Parameter keyNumber: plus one.
  mutating func append(
    owner: UInt32, keyNumber: UInt32, _ read: __owned @escaping (GDecoder) throws -> Void
  ) {
    fields.append(Field(owner: owner, key: keyNumber, read: read))
  }

  mutating func append(
    owner: UInt32, unkeyedName: String, _ read: __owned @escaping (GDecoder) throws -> Void
  ) {
    fields.append(Field(owner: owner, key: Field.firstUnkeyed + UInt32(unkeyedNames.count), read: read))
    unkeyedNames.append(unkeyedName)
  }

  /// Puts a field off once more.
  mutating func append(_ field: Field) { fields.append(field) }

  mutating func append(_ elements: HashedElements) { hashed.append(elements) }

  /// The field to decode next.
  mutating func next() -> Field? {
    while startedCount < fields.count {
      let index = startedCount
      startedCount += 1
      // Moved: a copy would be retained, and released in both places.
      if let read = fields[index].read.take() {
        isDecoding = true
        return Field(owner: fields[index].owner, key: fields[index].key, read: read)
      }
    }
    isDecoding = false
    return nil
  }

  /// Forgets what an object has put off that is discarded.
  ///
  /// - Returns: how many fields.
  mutating func remove(of owner: UInt32, since start: Mark) -> Int {
    let count = remove(of: owner, from: start, to: mark)
    // Many objects inside each other may fail, each of which would look at all that is behind its start again. No
    // object that is being made has begun behind this one.
    let first = max(start.fieldCount, startedCount)
    while fields.count > first, let last = fields.last, last.read == nil {
      fields.removeLast()
      if last.key >= Field.firstUnkeyed, Int(last.key - Field.firstUnkeyed) == unkeyedNames.count - 1 {
        unkeyedNames.removeLast()
      }
    }
    while hashed.count > start.hashedCount, hashed[hashed.count - 1] == nil { hashed.removeLast() }
    return count
  }

  /// Forgets what an object has put off between two points.
  ///
  /// - Returns: how many fields.
  mutating func remove(of owner: UInt32, from start: Mark, to end: Mark) -> Int {
    let first = max(start.fieldCount, startedCount)
    var count = 0
    for index in first..<max(first, min(end.fieldCount, fields.count))
    where fields[index].owner == owner && fields[index].read != nil {
      fields[index].read = nil
      count += 1
    }
    let firstHashed = start.hashedCount
    for index in firstHashed..<max(firstHashed, min(end.hashedCount, hashed.count))
    where hashed[index]?.owner == owner {
      hashed[index] = nil
    }
    return count
  }

  /// The first elements of which one has another hash than when its set or dictionary was made.
  ///
  /// - Parameter isWanted: whether an object was asked for; others do not matter.
  func changedElements(_ isWanted: (UInt32) -> Bool) -> HashedElements? {
    for case let elements? in hashed where isWanted(elements.owner) && !elements.areUnchanged() {
      return elements
    }
    return nil
  }
}

/// The elements of a set, or the keys of a dictionary, some of which may have been unfinished when they were
/// hashed.
struct HashedElements {
  /// The object that they are a part of.
  let owner: UInt32
  /// Keys that lead from there to them, as far as they are known.
  let keys: [String]
  /// The type of the set or dictionary.
  let type: Any.Type
  /// Where they are in the graph stream.
  let offset: UInt64
  let areUnchanged: () -> Bool
}
