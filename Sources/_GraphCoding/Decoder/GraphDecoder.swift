import CGraphArchive
import Foundation
import _GraphFiles
import _GraphSupport

/// Decodes object graphs from archives, and holds the settings for that.
///
///     let decoder = GraphDecoder()
///     let simulation = try decoder.decode(Simulation.self, from: bytes)
///     let other = try decoder.read(Simulation.self, from: url)
///
/// Bytes are compared with their checksums before they are used, so changed bytes are an error and not a wrong model. Use
/// ``GraphArchive`` for an archive that is read more than once.
///
/// An `init(from:)` runs on the thread that calls the decoder. Where values or objects nest too deeply for its stack,
/// decoding continues on another thread while the caller's waits. Task-local values have their defaults there; use
/// ``userInfo`` to pass something along. Objects may be decoded before the field that refers to them is; an object whose
/// class is not stored may then be decoded twice.
///
/// A decoder can be reused, even after an error, by one thread at a time. Making one costs next to nothing, so each thread
/// can have its own.
public final class GraphDecoder {
  /// The maximum number of threads that check and expand blocks at once, including the caller's.
  ///
  /// Values below 1 count as 1, and at most 16 threads are used. Only the caller's thread calls an `init(from:)`.
  /// Default: the number of active processors.
  public var threadCount: Int {
    get { storedThreadCount ?? ParallelLoop.processorCount }
    set { storedThreadCount = newValue }
  }
  // Queried from the system only when needed: a small message needs no threads.
  private var storedThreadCount: Int?
  /// Contextual information for `init(from:)`.
  public var userInfo: [CodingUserInfoKey: Any] {
    get { storedUserInfo ?? [:] }
    set { storedUserInfo = newValue.isEmpty ? nil : newValue }
  }
  // Unchecked, like everything accessed for each small message: see `EncoderTables`. nil is cheaper to make and pass than an
  // empty dictionary.
  @safe @exclusivity(unchecked) private var storedUserInfo: [CodingUserInfoKey: Any]?
  var storedInfo: [CodingUserInfoKey: Any]? { storedUserInfo }
  /// The limits on what an archive may cost.
  @safe @exclusivity(unchecked) public var limits = Limits()

  package var chosenClasses = ClassRules()

  /// Makes a decoder.
  public init() {}

  /// Decodes instances of the archive's class of that name as instances of `type`.
  ///
  /// - Complexity: O(1).
  public func setClass(_ type: any (AnyObject & GDecodable).Type, for className: ClassName) {
    chosenClasses[className] = type
  }

  /// Decodes a graph from memory.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: a whole archive; contiguous collections, such as `[UInt8]` and `Data`, are used in place.
  /// - Throws: `GCodableError`; whatever an `init(from:)` throws.
  /// - Complexity: O(n) in the size of the graph.
  @inlinable
  public func decode<Root: GDecodable>(_ type: Root.Type, from bytes: some Collection<UInt8>) throws -> Root {
    try unsafe bytes.withArchiveBytes { try unsafe decode(type, inPlace: $0) }
  }

  /// Decodes a graph from a span of memory, which is used in place.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: a whole archive.
  /// - Throws: `GCodableError`; whatever an `init(from:)` throws.
  /// - Complexity: O(n) in the size of the graph.
  @inlinable
  public func decode<Root: GDecodable>(_ type: Root.Type, from bytes: RawSpan) throws -> Root {
    try unsafe bytes.withUnsafeBytes { try unsafe decode(type, inPlace: $0) }
  }

  /// Decodes bytes that outlive the call.
  @inlinable
  func decode<Root: GDecodable>(_ type: Root.Type, inPlace bytes: UnsafeRawBufferPointer) throws -> Root {
    // Inlined so that the root's own coding is compiled for its type.
    let decoder = try unsafe makeDecoder(bytes)
    let root: Root
    do { root = try decoder.readGraph(type) } catch { throw decoder.forgettingInput(after: error) }
    GDecoder.reuse(decoder)
    return root
  }

  // MARK: Decoders

  /// A decoder of bytes that outlive its work.
  @usableFromInline
  func makeDecoder(_ bytes: UnsafeRawBufferPointer) throws -> GDecoder {
    try unsafe messageDecoder(bytes)
      ?? makeDecoder(ArchiveReader(ArchiveSource(bytes), threadCount: threadCount))
  }

  /// A decoder that knows the tables of a small archive; nil if there is none, or something is wrong.
  @inline(__always)
  private func messageDecoder(_ bytes: UnsafeRawBufferPointer) -> GDecoder? {
    let limits = limits
    guard bytes.count <= Self.maximumMessageByteCount, limits.allowsMessages(of: bytes.count),
      let header = try? unsafe ArchiveHeader(parsing: bytes, archiveByteCount: UInt64(bytes.count))
    else { return nil }
    let contents = unsafe UnsafeRawBufferPointer(rebasing: bytes[Int(header.contentsOffset)...])
    guard contents.count == bytes.count - ArchiveHeader.byteCount,
      unsafe gca_hash64_bytes(contents.baseAddress, contents.count) == header.contentsHash
    else { return nil }
    let decoder = unsafe GDecoder.reused(for: contents, limits: limits)
    if storedUserInfo != nil { decoder?.take(userInfo: storedUserInfo) }
    return decoder
  }

  private static let maximumMessageByteCount = 16 << 10

  /// A decoder of an archive, or of a part of it.
  package func makeDecoder(_ reader: ArchiveReader, isPartial: Bool = false) throws -> GDecoder {
    // For a part, the object index is always read, and other blocks are added to the total as they are read.
    let contents = reader.contents
    try limits.check(reader.header, contents, heldByteCount: reader.source.extents?.fileByteCount)
    reader.progress?.begin(
      byteCount: isPartial ? contents.objectIndex.segmentByteCount : contents.rawByteCount)
    let classes = ClassResolver(contents.classes, chosen: chosenClasses)
    return GDecoder(
      try DecoderTables(reader, classes: classes, isPartial: isPartial), userInfo: storedUserInfo,
      limits: limits)
  }
}

extension Contents.BytesOrSegment {
  /// Bytes before compression, where they are in a segment; 0 where they are embedded.
  fileprivate var segmentByteCount: UInt64 {
    segment?.segment.rawByteCount ?? 0
  }
}
