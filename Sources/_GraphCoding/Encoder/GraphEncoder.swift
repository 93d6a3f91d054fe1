import Foundation
import _GraphFiles
import _GraphSupport

/// Encodes an object graph into an archive, in memory or on disk.
///
///     let encoder = GraphEncoder()
///     let bytes = try encoder.encode(simulation) as Bytes
///     try encoder.write(simulation, to: url)
///
/// The model is walked on the calling thread, and must not change meanwhile. Usually it is walked once. The walk starts
/// again where a reused encoder has no room left for kinds of records, and where a `Codable` type returns to a container
/// that it has left; with `.canonicalOrder`, elements of sets and keys of dictionaries are encoded several times. So
/// an `encode(to:)` should have no side effects.
///
/// Where values nest too deeply for the thread's stack, the walk continues on another thread while the caller's waits.
/// Task-local values have their defaults there; use ``userInfo`` to pass something along.
///
/// An encoder can be reused, by one thread at a time. Making one costs next to nothing, so each thread can have its own.
public final class GraphEncoder {
  /// The options given when the encoder was made.
  public let options: Options
  /// The version of the user's `BinaryIOType`s, which is stored in the archive.
  public let binaryIOVersion: UInt16
  /// How the body of an archive is compressed.
  public typealias Compression = ArchiveCompression
  /// The compression of the archive's body.
  ///
  /// Default: `.lz4`.
  @safe @exclusivity(unchecked) public var compression: Compression = .lz4
  /// What arrays that are stored uncompressed begin at a multiple of, in bytes: a power of two from 64 to 2^20.
  ///
  /// Other numbers are rounded up. 4,096 suits direct input and the memory of graphics processors; each array takes that much more room
  /// at most twice. Archives in a series begin at multiples of 64. Default: 64.
  public var alignment = Int(Segment.storedAlignment)
  /// How many bytes are written beside a file.
  public typealias Redundancy = ArchiveRedundancy
  /// Parity that is written beside each file that is saved, as `NAME.gcparity`, from which lost bytes of it can be restored.
  ///
  /// It applies to archives in files, series, series in folders and the parts of sets. The file itself is the same with and without.
  /// `GraphArchive.repair` restores what is lost, and `GraphArchive.protect` writes parity for files that have none. If only
  /// writing the parity fails, the file is complete and the error is thrown. Default: `.none`.
  public var redundancy = Redundancy.none
  /// Whether a file is read back and compared with its checksums before it replaces an earlier one.
  ///
  /// The bytes are brought to the device first, and read from there as far as the system allows. If they do not match, the code is
  /// `damaged`, and the earlier file stays. It applies to archives in files, series in folders and the parts of sets.
  /// Default: false.
  public var verifiesAfterWrite = false
  /// The precision to which floating-point numbers in arrays, and in packed structs in arrays, are stored.
  ///
  /// Use it if all arrays of a model need the same precision; `encode(_:for:precision:)` sets it for one. Numbers outside
  /// arrays are exact. Default: nil, for exact numbers.
  @safe @exclusivity(unchecked) public var precision: GPrecision?
  /// Whether archives have a directory of the arrays in segments of their own, which are those of 16 KiB and more.
  ///
  /// With it, ``GraphArchive/array(_:at:)``, ``GraphArchive/decode(_:at:using:progress:)`` and the like read an array of a large graph, or a part
  /// of it, without the graph stream in front: in three requests of a remote file. An entry takes some 10 bytes more than its path.
  /// The encoded graph is walked through once more, and its stream copied. Default: false.
  @safe @exclusivity(unchecked) public var storesDirectory = false
  /// Text about the archive that can be read without decoding it, such as the name of the program that made it.
  ///
  /// `GraphArchive.metadata` reads it. In a series, each entry has its own metadata as well, which the list shows.
  public var metadata: [String: String] {
    get { storedMetadata ?? [:] }
    set { storedMetadata = newValue.isEmpty ? nil : newValue }
  }
  // Unchecked, as what else is looked at for each small message: one thread uses an encoder at a time, and no code of the
  // user's runs in an access. nil is cheaper to make than an empty dictionary.
  @safe @exclusivity(unchecked) private var storedMetadata: [String: String]?
  /// The maximum number of threads that compress, hash and write at once, including the caller's.
  ///
  /// Values below 1 count as 1, and at most 16 threads are used. The archive does not depend on the number. Only the
  /// caller's thread calls an `encode(to:)`. Default: the number of active processors.
  public var threadCount: Int {
    get { storedThreadCount ?? ParallelLoop.processorCount }
    set { storedThreadCount = newValue }
  }
  // The system is asked where it matters: a small message needs no threads.
  private var storedThreadCount: Int?
  /// The maximum nesting depth of records and containers, up to 131,072.
  ///
  /// Deeper values are an error. A decoder refuses them, too, unless its ``GraphDecoder/Limits-swift.struct/depth`` is also
  /// raised; see there for how deep values are released. Default: 1,024.
  @safe @exclusivity(unchecked) public var maximumDepth = Nesting.defaultDepth
  /// Contextual information for `encode(to:)`.
  public var userInfo: [CodingUserInfoKey: Any] {
    get { storedUserInfo ?? [:] }
    set { storedUserInfo = newValue.isEmpty ? nil : newValue }
  }
  @safe @exclusivity(unchecked) private var storedUserInfo: [CodingUserInfoKey: Any]?

  /// Makes an encoder.
  ///
  /// - Parameters:
  ///   - options: the options. Default: none, so identity and inheritance are stored.
  ///   - binaryIOVersion: a version of your own, for types that write their own bytes.
  public init(_ options: Options = [], binaryIOVersion: UInt16 = 0) {
    self.options = options
    self.binaryIOVersion = binaryIOVersion
  }

  /// Encodes a graph into memory.
  ///
  /// The caller chooses the type of the result; `[UInt8]` and `Data` are made without a copy.
  ///
  /// - Throws: `GCodableError`; whatever an `encode(to:)` throws.
  /// - Complexity: O(n) in the size of the graph. Besides the result, the graph stream is in memory;
  ///   large packed arrays are not copied into it.
  @inlinable
  public func encode<Root: GEncodable, Output: MutableDataProtocol>(_ root: Root) throws -> Output {
    // Inlined so that the root's own coding is compiled for its type.
    if Output.self == [UInt8].self {
      return try bytes { try $0.writeRoot(root) } as! Output  // Just compared.
    }
    return try archive(walk { try $0.writeRoot(root) })
  }

  /// Encodes a graph into a file.
  ///
  /// The file appears, or is replaced, when it is complete and on the device; until then, and after any error, an
  /// earlier file stays. Large packed arrays are written from their own memory.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - url: the file.
  ///   - progress: reports, after the walk, the bytes written, as counted before compression. Cancelling it, from any
  ///     thread, stops writing before the next block of at most 2 MiB and leaves no file behind. A walk in progress is completed
  ///     first.
  /// - Throws: as `encode`; code `file` when the file cannot be written; `CancellationError`. An earlier file is then
  ///   unchanged, unless the error is that the folder could not be synced: then the new file is in its place, complete,
  ///   but a system crash may bring the earlier one back.
  @inlinable
  public func write<Root: GEncodable>(_ root: Root, to url: URL, progress: Progress? = nil) throws {
    try progress?.checkCancellation()
    try write(walk { try $0.writeRoot(root) }, to: url, progress)
  }

  /// Walks a graph from the root that `writeRoot` writes.
  @usableFromInline
  @inline(never)
  package func walk(_ writeRoot: (GEncoder) throws -> Void) throws -> EncodedGraph {
    try walk(writeRoot) { try EncodedGraph($0, $1, storesDirectory: storesDirectory) }
  }

  /// Walks a graph, and notes the values of data units on the way, for a dump.
  package func walkNotingUnitTexts(
    _ writeRoot: (GEncoder) throws -> Void
  ) throws -> (graph: EncodedGraph, unitTexts: UnitTexts?) {
    var encoder = newEncoder
    encoder.tables.unitTexts = UnitTexts()
    let index = try encode(writeRoot, by: &encoder)
    return (try EncodedGraph(encoder, index), encoder.tables.unitTexts)
  }

  /// Walks a graph to its end even where a class could not be decoded.
  ///
  /// - Returns: an error for each such class.
  package func lostClasses(_ writeRoot: (GEncoder) throws -> Void) throws -> [GCodableError] {
    var encoder = newEncoder
    encoder.tables.lostClasses = []
    _ = try encode(writeRoot, by: &encoder)
    return encoder.tables.lostClasses ?? []
  }

  /// Encodes the graph from the root that `writeRoot` writes.
  @usableFromInline
  func bytes(_ writeRoot: (GEncoder) throws -> Void) throws -> [UInt8] {
    // What the walk has needed is released before an archive of any size is made.
    let result: EncodedBytes = try walk(writeRoot) { encoder, index in
      if storedMetadata == nil, let message = encoder.message(userVersion: binaryIOVersion) {
        return .message(message)
      }
      return .graph(try EncodedGraph(encoder, index, storesDirectory: storesDirectory))
    }
    switch result {
    case .message(let bytes): return bytes
    case .graph(let graph): return try archive(graph)
    }
  }

  private enum EncodedBytes {
    case message([UInt8])
    case graph(EncodedGraph)
  }

  private func walk<Result>(
    _ writeRoot: (GEncoder) throws -> Void, _ finish: (GEncoder, ObjectIndex.Builder) throws -> Result
  ) throws -> Result {
    var encoder = GEncoder.make(options: options, userInfo: storedUserInfo, binaryIOVersion: binaryIOVersion)
    let index = try encode(writeRoot, by: &encoder)
    let result = try finish(encoder, index)
    GEncoder.reuse(encoder)
    return result
  }

  /// Encodes a graph, if need be anew by an encoder that can do what the first one could not.
  @inline(__always)
  private func encode(
    _ writeRoot: (GEncoder) throws -> Void, by encoder: inout GEncoder
  ) throws -> ObjectIndex.Builder {
    encoder.state.pointee.maximumDepth = depthInUse
    if precision != nil { try setPrecision(of: encoder) }
    do { return try encoder.encodeGraph(writeRoot) } catch {
      return try encodeAnew(writeRoot, by: &encoder, after: error)
    }
  }

  func setPrecision(of encoder: GEncoder) throws {
    try precision?.check()
    encoder.tables.precision = precision
  }

  @inline(never)
  private func encodeAnew(
    _ writeRoot: (GEncoder) throws -> Void, by encoder: inout GEncoder, after error: any Error
  ) throws -> ObjectIndex.Builder {
    var error = error
    while let next = successor(of: encoder) {
      encoder = next
      encoder.state.pointee.maximumDepth = depthInUse
      do { return try encoder.encodeGraph(writeRoot) } catch let other { error = other }
    }
    throw error
  }

  /// What encodes a graph anew; nil where an encoder has failed for another reason than that it could not do it.
  func successor(of encoder: GEncoder) -> GEncoder? {
    let tables = encoder.tables
    guard tables.isFull || (tables.needsWaiting && !tables.containersWait) else { return nil }
    let next = newEncoder
    next.tables.containersWait = tables.containersWait || tables.needsWaiting
    next.tables.unitTexts = tables.unitTexts.map { _ in UnitTexts() }
    next.tables.lostClasses = tables.lostClasses.map { _ in [] }
    next.tables.precision = precision
    next.tables.warnings = tables.warnings  // They have been printed.
    return next
  }

  var depthInUse: Int32 { Int32(min(max(maximumDepth, 1), Int(Nesting.maximumDepth))) }

  var newEncoder: GEncoder {
    GEncoder(options: options, userInfo: storedUserInfo, binaryIOVersion: binaryIOVersion)
  }

  @usableFromInline
  package func archive<Output: MutableDataProtocol>(_ graph: EncodedGraph) throws -> Output {
    let writer = archiveWriter
    let capacity = writer.capacity(for: graph)
    if Output.self == Data.self {
      return try Self.data(capacity) { try writer.write(graph, to: $0) } as! Output  // Just compared.
    }
    let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe Int(try writer.write(graph, to: MemorySink(UnsafeMutableRawBufferPointer(buffer))))
    }
    return bytes as? Output ?? Output(bytes)
  }

  @usableFromInline
  func write(_ graph: EncodedGraph, to url: URL, _ progress: Progress?) throws {
    try archiveWriter.write(graph, to: url, ProgressReport(progress))
  }

  /// What writes archives as this encoder is set at the moment.
  package var archiveWriter: ArchiveWriter {
    var writer = ArchiveWriter(
      compression: compression, userVersion: binaryIOVersion, metadata: Metadata(metadata),
      threadCount: threadCount)
    (writer.redundancy, writer.verifiesAfterWrite) = (redundancy, verifiesAfterWrite)
    if alignment != writer.alignment { writer.alignment = Segment.alignment(atLeast: alignment) }
    return writer
  }

  private static func data(_ capacity: Int, _ write: (MemorySink) throws -> UInt64) throws -> Data {
    guard let memory = unsafe malloc(capacity) else {
      throw GCodableError(.noMemory, "no memory for an archive of up to \(capacity) bytes")
    }
    do {
      let sink = unsafe MemorySink(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
      let count = Int(try write(sink))
      // The rest is given back; where that moves the bytes, they are small.
      return unsafe Data(bytesNoCopy: realloc(memory, count) ?? memory, count: count, deallocator: .free)
    } catch {
      unsafe free(memory)
      throw error
    }
  }
}

/// The former name of `GraphEncoder.Compression`.
@available(*, deprecated, renamed: "GraphEncoder.Compression")
public typealias Compression = GraphEncoder.Compression
