import _GraphFiles
import _GraphSupport

extension GraphDecoder {
  /// Limits of what decoding an archive may cost, each of which stops an attack by forged archives.
  ///
  ///     let decoder = GraphDecoder(allowing: [Message.self])
  ///     decoder.limits.archiveByteCount = 1 << 20
  ///     decoder.limits.expansionRatio = 16
  ///
  /// An archive that exceeds a limit throws ``GCodableError/Code/limitExceeded``, whose message names the limit. The defaults
  /// accept whatever an encoder with default settings writes, except arrays of very large elements that are almost all nil:
  /// see ``elementByteRatio``. Limits are counts, not times, so an archive is refused on every machine or on none.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of bytes of an archive.
    ///
    /// Stops unexpectedly large files. Default: no limit.
    public var archiveByteCount: UInt64 = .max

    /// The maximum number of bytes after expansion.
    ///
    /// Stops small compressed archives that would fill the memory. Default: no limit.
    public var expandedByteCount: UInt64 = .max

    /// The maximum number of bytes after expansion for each byte of the archive, beyond the first MiB.
    ///
    /// Stops small compressed archives that would fill the memory. For an entry that a series stores in pieces, the bytes of the
    /// file count that its pieces are made of. Default: 256, which no archive exceeds. Text reaches
    /// some 3, and large arrays of zeros more than 200.
    public var expansionRatio = 256

    /// The maximum number of objects.
    ///
    /// Stops large tables of objects: each object takes 40 bytes before it is made. Default: only the limit of the format;
    /// an archive has at most eight objects for each stored byte of its graph stream.
    public var objectCount = 1 << 32

    /// The maximum number of names of keys and classes.
    ///
    /// Stops tables of short names, which take ten times their bytes. Default: 1,048,576, which the encoder does not
    /// exceed.
    public var nameCount = Self.defaultNameCount

    /// The maximum nesting depth of records, containers and values with an identity.
    ///
    /// Stops values whose release would overflow the stack: Swift releases nested values recursively, which takes some 100
    /// to 300 bytes of stack for each level. With the default, decoded values can be released on any thread with 512 KiB of
    /// stack, half of it free. References to objects do not count.
    ///
    /// If you raise the limit, take deep values apart level by level before they go out of scope, or release them on a
    /// thread with a larger stack; values that the decoder discards are released where the stack suffices. Values above
    /// 131,072 count as 131,072. Default: 1,024, as for ``GraphEncoder/maximumDepth``.
    public var depth = Nesting.defaultDepth

    /// The maximum number of bytes in memory of the elements of arrays, sets and dictionaries, for each byte of the archive
    /// after expansion, beyond the first 64 MiB.
    ///
    /// Stops elements that take one byte in the archive and many in memory, such as nil in `[SIMD64<Double>?]`. An element
    /// counts with its stride, without what it refers to; in sets and dictionaries, with twice its stride. Packed arrays,
    /// which have all their bytes in the archive, do not count. Default: 16. An array of millions of large optionals that
    /// are almost all nil needs more.
    public var elementByteRatio = 16

    /// The maximum number of steps for each byte of the archive after expansion, beyond the first 65,536.
    ///
    /// Stops archives that make the decoder read the same values again and again: a step is a value that is skipped, or
    /// read once more, out of order or after an error that an initializer has caught. Default: 64.
    public var stepRatio = 64

    /// The default limits.
    public init() {}

    static let defaultNameCount = 1 << 20
    static let freeExpandedByteCount: UInt64 = 1 << 20
    static let freeElementByteCount = 64 << 20
    static let freeStepCount = 1 << 16
  }
}

extension GraphDecoder.Limits {
  /// `depth` as the decoder counts it.
  var depthInUse: Int32 { Int32(min(max(depth, 1), Int(Nesting.maximumDepth))) }

  /// Whether archives of this size, without compression and objects, are within each limit of tables.
  func allowsMessages(of byteCount: Int) -> Bool {
    UInt64(byteCount) <= min(archiveByteCount, expandedByteCount) && byteCount <= nameCount
  }

  /// Bytes that elements may take.
  func elementByteCount(of byteCount: UInt64) -> Int {
    Self.scaled(byteCount, elementByteRatio, Self.freeElementByteCount)
  }

  /// Steps that may be made.
  func stepCount(of byteCount: UInt64) -> Int { Self.scaled(byteCount, stepRatio, Self.freeStepCount) }

  private static func scaled(_ byteCount: UInt64, _ ratio: Int, _ free: Int) -> Int {
    let (product, isTooLarge) = Int(clamping: byteCount).multipliedReportingOverflow(by: max(ratio, 0))
    return isTooLarge || product > .max - free ? .max : product + free
  }

  /// Checks what header and contents say.
  ///
  /// - Parameter heldByteCount: see `ExtentTable.fileByteCount`; nil for an archive that is stored as it is.
  /// - Throws: `limitExceeded`.
  func check(_ header: ArchiveHeader, _ contents: Contents, heldByteCount: UInt64? = nil) throws {
    func check<Count: BinaryInteger>(_ what: String, _ count: Count, _ limit: Count, _ name: String) throws {
      guard count > limit else { return }
      throw Self.exceeded("the archive has \(count) \(what), more than \(limit)", name)
    }
    try check("bytes", header.byteCount, archiveByteCount, "archiveByteCount")
    let expanded = contents.rawByteCount
    try check("bytes after expansion", expanded, expandedByteCount, "expandedByteCount")
    let (most, isLarge) = (heldByteCount ?? header.byteCount).multipliedReportingOverflow(
      by: UInt64(max(expansionRatio, 0)))
    if !isLarge, expanded > Self.freeExpandedByteCount {
      try check(
        "bytes after expansion", expanded - Self.freeExpandedByteCount, most, "expansionRatio")
    }
    try check("objects", contents.objectCount, UInt64(max(objectCount, 0)), "objectCount")
    try check("names", contents.keys.count + contents.classes.count, nameCount, "nameCount")
  }

  /// The error of a limit.
  ///
  /// - Parameter name: of the property.
  @inline(never)
  static func exceeded(_ message: String, _ name: String) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "\(message); raise GraphDecoder.limits.\(name) if the archive comes from somebody you trust")
  }
}

extension GDecoder {
  /// Counts the memory of a container's elements, before it is taken.
  ///
  /// - Throws: `limitExceeded`; `noMemory` when the system has none for them.
  @usableFromInline
  func takeRoom(_ count: Int, stride: Int) throws {
    let (byteCount, isTooLarge) = count.multipliedReportingOverflow(by: stride)
    guard !isTooLarge, byteCount <= state.pointee.roomByteCount else { throw noRoom(count, stride) }
    try MemoryRoom.require(count, stride: stride)
    state.pointee.roomByteCount -= byteCount
  }

  /// Takes back what was counted for a container that could not be made.
  @usableFromInline
  @inline(never)
  func giveBackRoom(_ count: Int, stride: Int) { state.pointee.roomByteCount += count * stride }

  @inline(never)
  private func noRoom(_ count: Int, _ stride: Int) -> GCodableError {
    var error = GraphDecoder.Limits.exceeded(
      "the elements of containers take more memory than the archive's size accounts for: \(count) of \(stride) bytes "
        + "come to \(state.pointee.roomByteCount) bytes that are left",
      "elementByteRatio")
    error.byteOffset = streamOffset
    return error
  }

  /// Counts values that are skipped, or looked at once more.
  ///
  /// - Throws: `limitExceeded`.
  @inline(__always)
  func takeSteps(_ count: Int) throws {
    guard count <= state.pointee.cursor.stepsLeft else { throw noSteps() }
    state.pointee.cursor.stepsLeft -= count
  }

  @inline(never)
  private func noSteps() -> GCodableError {
    var error = GraphDecoder.Limits.exceeded(
      "values of the archive are read too many times; decode objects as instances of a class, fields in the order in which "
        + "they are encoded", "stepRatio")
    error.byteOffset = streamOffset
    return error
  }
}
