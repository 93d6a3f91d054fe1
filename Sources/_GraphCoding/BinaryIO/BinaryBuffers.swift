internal import GraphCallStack
import _GraphSupport

/// What `BinaryOType`s write into: bytes that grow at the end.
///
/// A value type; copies are independent.
public struct BinaryWriteBuffer {
  /// The version given to `GraphEncoder(binaryIOVersion:)`, for types whose bytes have changed over time.
  public let version: UInt16
  /// The `userInfo` of the `GraphEncoder`.
  public let userInfo: [CodingUserInfoKey: Any]
  /// The bytes written so far.
  public private(set) var bytes: Bytes = []
  private var depth: Int32 = 0
  /// See `GraphEncoder.maximumDepth`.
  var maximumDepth = Int32(Nesting.defaultDepth)
  /// See `GraphEncoder.Options.canonicalOrder`.
  var isCanonical = false
  /// See `OverlongText`.
  private(set) var overlongTextCount: UInt32 = 0

  /// Writes what decoders hash or compare.
  ///
  /// - Throws: `limitExceeded` for a string with very long runs of combining marks.
  mutating func hashed(_ body: (inout Self) throws -> Void) throws {
    let count = overlongTextCount
    try body(&self)
    guard overlongTextCount == count else {
      throw OverlongText.refused("an element of a set, a key, a raw value, a range")
    }
  }

  /// Makes an empty buffer.
  ///
  /// - Parameters:
  ///   - version: for the types that are written. Default: 0.
  ///   - userInfo: for the types that are written. Default: none.
  public init(version: UInt16 = 0, userInfo: [CodingUserInfoKey: Any] = [:]) {
    self.version = version
    self.userInfo = userInfo
  }

  /// Appends the bytes of a value as they lie in memory.
  ///
  /// - Complexity: amortized O(1).
  @inline(never)
  mutating func append<Value: BitwiseCopyable>(_ value: Value) {
    unsafe withUnsafeBytes(of: value) { unsafe append($0) }
  }

  /// A buffer that writes as this one would, from here on.
  var continuation: Self {
    var buffer = self
    buffer.bytes = []
    return buffer
  }

  /// Appends bytes.
  @inline(never)
  mutating func append(_ more: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: more) }

  /// Writes what is inside a container or an optional, which may be of the type around it.
  mutating func nested(_ body: (inout Self) throws -> Void) throws {
    depth = try Nesting.deeper(than: depth, upTo: maximumDepth)
    defer { depth -= 1 }
    if CallStack().isExhausted {
      try Nesting.onNewStack { try body(&self) }
    } else {
      try body(&self)
    }
  }

  /// Appends a string: its UTF-8 behind the count of its bytes.
  @inline(never)
  mutating func writeString(_ string: String) {
    if CombiningMarks.exceed(CombiningMarks.maximumTextCount, in: string) { overlongTextCount += 1 }
    append(Int64(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }
}

/// What `BinaryIType`s read from: bytes with a cursor.
///
/// A value type; copies are independent.
public struct BinaryReadBuffer {
  /// The version with which the bytes were written; see `GraphEncoder.binaryIOVersion`.
  public let version: UInt16
  /// The `userInfo` of the `GraphDecoder`.
  public let userInfo: [CodingUserInfoKey: Any]
  private let bytes: Bytes
  private var cursor = 0
  private var depth: Int32 = 0
  /// What the values of the archive may take.
  var allowance: UnitAllowance

  /// Makes a buffer of the bytes that a `BinaryWriteBuffer` has gathered.
  ///
  /// - Parameters:
  ///   - bytes: all of these bytes, or a part that consists of whole values.
  ///   - version: the version with which the bytes were written. Default: 0.
  ///   - userInfo: for the types that are read. Default: none.
  /// - Complexity: O(1).
  public init(_ bytes: Bytes, version: UInt16 = 0, userInfo: [CodingUserInfoKey: Any] = [:]) {
    self.init(
      bytes, version: version, userInfo: userInfo,
      UnitAllowance(GraphDecoder.Limits(), byteCount: UInt64(bytes.count)))
  }

  init(_ bytes: Bytes, version: UInt16, userInfo: [CodingUserInfoKey: Any], _ allowance: UnitAllowance) {
    self.bytes = bytes
    self.version = version
    self.userInfo = userInfo
    self.allowance = allowance
  }

  /// The number of bytes that have not been read.
  public var remainingByteCount: Int { bytes.count - cursor }

  /// Takes a value as it lies in memory.
  @inline(never)
  mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) throws -> Value {
    // `advance` has made sure that the bytes are there, and all of them are values.
    let start = try advance(MemoryLayout<Value>.size)
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: start, as: type) }
  }

  /// Takes bytes and calls `body` with them.
  mutating func take<Result>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let start = try advance(count)
    return try unsafe bytes.withUnsafeBytes {
      try unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
    }
  }

  /// Takes the count of a container's elements, each of which has `byteCount` bytes or more.
  mutating func takeCount(elementByteCount byteCount: Int = 0) throws -> Int {
    let count = try take(Int64.self)
    // Elements without bytes are possible, but not without end: they take time, and perhaps memory.
    let most =
      byteCount == 0
      ? Int64(remainingByteCount) + allowance.emptyElementCount : Int64(remainingByteCount / byteCount)
    guard count >= 0, count <= most else {
      throw GCodableError(
        .malformed, "a container of \(count) elements has \(remainingByteCount) bytes",
        byteOffset: UInt64(cursor))
    }
    if byteCount == 0 { allowance.emptyElementCount -= max(0, count - Int64(remainingByteCount)) }
    return Int(count)
  }

  /// Counts the memory of a container's elements, before it is taken.
  ///
  /// - Throws: `limitExceeded`.
  mutating func takeRoom(_ count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    guard !isTooLarge, byteCount <= min(allowance.roomByteCount, allowance.elementRoomByteCount) else {
      throw GraphDecoder.Limits.exceeded(
        "the elements of containers in data units take more memory than the archive's size accounts for: \(count) of "
          + "\(stride) bytes", "elementByteRatio")
    }
    try MemoryRoom.require(count, stride: stride)
    allowance.roomByteCount -= byteCount
    allowance.elementRoomByteCount -= byteCount
  }

  /// Counts memory outside of elements, before it is taken; see `GDecoder.takeRoom(byteCount:)`.
  ///
  /// - Throws: `limitExceeded`.
  mutating func takeRoom(byteCount: Int) throws {
    guard byteCount <= allowance.roomByteCount else {
      throw GraphDecoder.Limits.exceeded(
        "the values in data units take more memory than the archive's size accounts for: one of \(byteCount) bytes",
        "elementByteRatio")
    }
    allowance.roomByteCount -= byteCount
  }

  /// Counts steps.
  ///
  /// - Throws: `limitExceeded`.
  mutating func takeSteps(_ count: Int) throws {
    guard count <= allowance.stepCount else {
      throw GraphDecoder.Limits.exceeded("the values of data units take too many steps", "stepRatio")
    }
    allowance.stepCount -= count
  }

  /// Counts a value of Foundation, before it is made; see `GDecoder.takeBox`.
  mutating func takeBox(stepCount: Int = GDecoder.boxStepCount) throws {
    try takeRoom(byteCount: GDecoder.boxByteCount)
    try takeSteps(stepCount)
  }

  /// Reads a value of a type that may be a class.
  ///
  /// - Throws: `classNotFound` for a class that the decoder does not allow; `limitExceeded`; whatever the type throws.
  mutating func read<Value: BinaryIType>(_ type: Value.Type) throws -> Value {
    // Asked of each element: most are told by their layout.
    if !_isPOD(type), MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size,
      let type = type as? AnyClass, let classes = allowance.classes
    {
      try takeRoom(byteCount: classes.instanceByteCount(inUnit: type))
    }
    return try Value(from: &self)
  }

  /// Counts an element of a set, or a key of a dictionary.
  ///
  /// - Throws: `limitExceeded` where too many have the same hash.
  mutating func count<Element: Hashable>(_ element: Element, in tally: inout HashTally) throws {
    guard tally.isNeeded else { return }
    allowance.stepCount -= tally.add(element)
    guard allowance.stepCount >= 0 else {
      throw GraphDecoder.Limits.exceeded(
        "too many elements of sets, or keys, have the same hash", "stepRatio")
    }
  }

  /// Reads what is inside a container or an optional, which may be of the type around it.
  mutating func nested<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
    depth = try Nesting.deeper(than: depth, upTo: allowance.depth)
    defer { depth -= 1 }
    let reserved = Nesting.reservedByteCount(forDepth: allowance.depth)
    guard CallStack(reserving: reserved).isExhausted else { return try body(&self) }
    return try Nesting.onNewStack(reserving: reserved) { try body(&self) }
  }

  /// Takes a string.
  ///
  /// - Throws: `malformed` where the bytes end, or are not UTF-8.
  @inline(never)
  mutating func readString() throws -> String {
    let count = try takeCount(elementByteCount: 1)
    let start = cursor
    let string = try unsafe take(count) { bytes in
      guard let string = unsafe String(validatingUTF8Bytes: bytes) else {
        throw GCodableError(.malformed, "\(count) bytes are not valid UTF-8", byteOffset: UInt64(start))
      }
      return string
    }
    allowance.markedText.note(string, limit: allowance.combiningMarkCount)
    return string
  }

  @inline(never)
  private mutating func advance(_ count: Int) throws -> Int {
    guard count <= remainingByteCount else {
      throw GCodableError(
        .malformed, "a data unit ends \(count - remainingByteCount) bytes inside a value",
        byteOffset: UInt64(cursor))
    }
    defer { cursor += count }
    return cursor
  }
}

/// What the values of a data unit may take: what is left to its archive.
struct UnitAllowance {
  static let emptyElementCount: Int64 = 1 << 20

  /// How many elements may still be claimed beyond one for each byte that is left.
  var emptyElementCount: Int64
  /// Memory that all values may still take, and the part of it that elements may.
  var roomByteCount: Int
  var elementRoomByteCount: Int
  /// See `GraphDecoder.Limits.stepRatio`.
  var stepCount: Int
  /// See `GraphDecoder.Limits.depth`.
  let depth: Int32
  /// See `GraphDecoder.Limits.combiningMarkCount`.
  let combiningMarkCount: Int
  /// What the unit's own strings take to hash.
  var markedText = MarkedText()
  /// Which classes may be made; nil for a buffer of no archive.
  let classes: ClassResolver?

  init(_ state: Pinned<DecoderState>, _ classes: ClassResolver) {
    emptyElementCount = state.pointee.emptyElementCount
    (roomByteCount, elementRoomByteCount) = (state.pointee.roomByteCount, state.pointee.elementRoomByteCount)
    stepCount = state.pointee.cursor.stepsLeft
    depth = state.pointee.maximumDepth
    combiningMarkCount = state.pointee.combiningMarkCount
    self.classes = classes
  }

  init(_ limits: GraphDecoder.Limits, byteCount: UInt64) {
    emptyElementCount = Self.emptyElementCount
    (elementRoomByteCount, roomByteCount) = limits.room(of: byteCount, storedAs: byteCount)
    stepCount = limits.stepCount(of: byteCount, storedAs: byteCount)
    depth = limits.depthInUse
    combiningMarkCount = max(limits.combiningMarkCount, 0)
    classes = nil
  }
}
