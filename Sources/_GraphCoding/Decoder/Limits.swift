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

    /// The maximum number of bytes in memory of elements of containers, instances of classes, and values of Foundation, for
    /// each byte of the archive after expansion, beyond the first 64 MiB.
    ///
    /// Stops what takes one byte in the archive and many in memory, such as nil in `[SIMD64<Double>?]`, and instances whose
    /// properties all have their initial values. An element counts with its stride, without what it refers to; in sets and
    /// dictionaries, with twice its stride; an instance with its size. The elements of packed arrays, which have all their bytes
    /// in the archive, do not count. Default: 16, and 384 for each object.
    ///
    /// Instances, deferred fields, lazy values, values of Foundation and heads of arrays may take 32 times as much for each stored
    /// byte, the elements among them. So with the default, values take at most 528 bytes for each stored byte, or 64 MiB and 16 bytes
    /// for each, whichever is more.
    ///
    /// With the default or less, an archive that is compressed to few bytes may not fill the memory: no more bytes after expansion
    /// count than 32 for each stored one, no more objects than two, and of the first 64 MiB, up to 24 are for what it expands
    /// to. A larger ratio counts all of them. An array of many millions of optionals or instances, almost all nil or equal, needs
    /// one.
    public var elementByteRatio = Self.defaultElementByteRatio

    /// The maximum number of steps for each byte of the archive after expansion, beyond the first 2,097,152.
    ///
    /// Stops archives that make the decoder read the same values again and again: a step is a value that is skipped, or
    /// read once more, out of order or after an error that an initializer has caught; a key that a record lacks, which is two
    /// where `Codable` looks for it; a record that is decoded as a `Decodable` element; and what long runs of combining marks take:
    /// see ``combiningMarkCount``. Default: 64. With that or less, no
    /// more bytes after expansion count than four for each stored one.
    public var stepRatio = Self.defaultStepRatio

    /// The maximum number of combining marks in a row, such as accents on one letter, in strings that the decoder hashes or
    /// compares: elements of sets, keys of dictionaries and what these lead to, raw values, bounds of ranges.
    ///
    /// Stops strings that take long to hash and to compare, which Swift does in a time that grows with the square of such a run.
    /// More than 256 in a row count as steps, too: see ``stepRatio``. Strings in other places may have as many as they like, and it is
    /// up to you not to hash or compare them. Default: 4,096, which the encoder does not exceed; what people write has less than
    /// ten.
    public var combiningMarkCount = CombiningMarks.maximumTextCount

    /// The default limits.
    public init() {}

    static let defaultNameCount = 1 << 20
    static let freeExpandedByteCount: UInt64 = 1 << 20
    static let freeElementByteCount = 64 << 20
    /// How much of that is for what compression has saved, and how much for each byte of it: the bytes themselves, and what the
    /// decoder has beside them.
    static let (reservedByteCount, reservedByteRatio) = (24 << 20, 4)
    static let defaultElementByteRatio = 16
    /// For each object in the archive's index, whose instance need not be larger in memory than 16 times its fields.
    static let objectByteCount = 384
    /// How many objects count for each stored byte.
    static let objectsPerStoredByte = 2
    /// How many bytes after expansion count for elements, for each stored byte.
    static let elementExpansion = 32
    /// Of smaller archives with fewer objects, the free bytes are more than all that.
    static let (messageByteCount, messageObjectCount): (UInt64, Int) = (1 << 16, 1 << 16)
    static let defaultStepRatio = 64
    /// How many bytes after expansion count for steps, for each stored byte.
    static let stepExpansion = 4
    static let freeStepCount = 1 << 21
  }
}

extension GraphDecoder.Limits {
  /// `depth` as the decoder counts it.
  var depthInUse: Int32 { Int32(min(max(depth, 1), Int(Nesting.maximumDepth))) }

  /// Whether archives of this size, without compression and objects, are within each limit of tables.
  func allowsMessages(of byteCount: Int) -> Bool {
    UInt64(byteCount) <= min(archiveByteCount, expandedByteCount) && byteCount <= nameCount
  }

  /// Bytes that elements may take, and those that all values may take.
  ///
  /// What is stored counts in full. Beyond that, an archive has what is more: that for the bytes that compression has saved and for its
  /// objects, or the free bytes.
  ///
  /// - Parameters:
  ///   - byteCount: those of the archive after expansion.
  ///   - storedByteCount: those of the archive itself.
  ///   - objectCount: how many objects it has.
  @inline(__always)
  func room(
    of byteCount: UInt64, storedAs storedByteCount: UInt64, objectCount: Int = 0
  ) -> (elements: Int, all: Int) {
    if byteCount <= storedByteCount, byteCount < Self.messageByteCount, objectCount < Self.messageObjectCount,
      elementByteRatio == Self.defaultElementByteRatio
    {
      let room = Int(byteCount) * Self.defaultElementByteRatio + Self.freeElementByteCount
      return (room, room)
    }
    return roomOfLarge(byteCount, storedAs: storedByteCount, objectCount: objectCount)
  }

  @inline(never)
  private func roomOfLarge(
    _ byteCount: UInt64, storedAs storedByteCount: UInt64, objectCount: Int
  ) -> (elements: Int, all: Int) {
    let (expanded, stored) = (Double(byteCount), Double(min(byteCount, storedByteCount)))
    var counted = min(expanded, stored * Double(Self.elementExpansion))
    var objects = min(Double(objectCount), Double(storedByteCount) * Double(Self.objectsPerStoredByte))
    if elementByteRatio > Self.defaultElementByteRatio {
      (counted, objects) = (expanded, Double(objectCount))
    }
    let ratio = Double(max(elementByteRatio, 0))
    let reserved = min((expanded - stored) * Double(Self.reservedByteRatio), Double(Self.reservedByteCount))
    let free = Double(Self.freeElementByteCount) - reserved
    let elements = ratio * (counted - stored) + objects * Double(Self.objectByteCount)
    // What stands outside of elements is a few stored bytes each, but takes more than these account for.
    let most = ratio * Double(Self.elementExpansion) * stored
    let isDefault = elementByteRatio <= Self.defaultElementByteRatio
    return (
      Int(clamped: ratio * stored + max(free, isDefault ? min(elements, most) : elements)),
      Int(clamped: ratio * stored + max(free, isDefault ? most : elements + most))
    )
  }

  /// Steps that may be made.
  @inline(__always)
  func stepCount(of byteCount: UInt64, storedAs storedByteCount: UInt64) -> Int {
    if byteCount <= storedByteCount, byteCount < 1 << 20, stepRatio == Self.defaultStepRatio {
      return Int(byteCount) * Self.defaultStepRatio + Self.freeStepCount
    }
    return stepCountOfLarge(byteCount, storedAs: storedByteCount)
  }

  @inline(never)
  private func stepCountOfLarge(_ byteCount: UInt64, storedAs storedByteCount: UInt64) -> Int {
    let most = Double(storedByteCount) * Double(Self.stepExpansion)
    let counted = stepRatio > Self.defaultStepRatio ? Double(byteCount) : min(Double(byteCount), most)
    return Int(clamped: Double(max(stepRatio, 0)) * counted + Double(Self.freeStepCount))
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

extension Int {
  /// A number that is not below zero, or the largest one.
  fileprivate init(clamped number: Double) { self = Int(exactly: number.rounded(.down)) ?? .max }
}
