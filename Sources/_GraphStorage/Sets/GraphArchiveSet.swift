import Foundation
import _GraphFiles
import _GraphReading
import _GraphSupport

/// One state saved by many processes together: a folder with an archive for each of them, and a manifest.
///
///     let set = try GraphArchiveSet(folder)
///     print(set.step, set.time, set.partCount, set.arrays)
///     let positions = try set.array(SIMD3<Double>.self, "positions")
///     let own = try positions[first..<end]  // From whichever parts have them.
///
/// A set exists once its manifest does, which ``Writer/commit(_:step:time:metadata:)`` writes last; so it is complete or
/// absent. Each part is an archive of its own, `part-00003-of-00008.TOKEN.gcodable`, and identity of objects holds within a
/// part; ``GPartReference`` leads from one part to another. An array of which each part has a piece is read as one, so M
/// processes can read what N have written.
///
/// Opening a set reads only the manifest. A part is opened when it is first used, and compared with the manifest then;
/// ``check()`` does that for all parts. If the set is replaced meanwhile, parts that are open can still be read, and others
/// are an error. Any number of threads may use a set at the same time.
public final class GraphArchiveSet: Sendable {
  let files: any SetFiles
  let manifest: SetManifest
  private let archives = OpenArchives()

  /// Opens the set in a folder.
  ///
  /// - Throws: `GCodableError`: code `file` when there is no manifest, or it cannot be read; `malformed` when it is not that
  ///   of a set; otherwise as for any archive.
  /// - Complexity: O(n log n) in the number of parts.
  public convenience init(_ folder: URL) throws {
    let files = SetInFolder(url: folder)
    self.init(files, try files.manifest().manifest)
  }

  init(_ files: any SetFiles, _ manifest: SetManifest) { (self.files, self.manifest) = (files, manifest) }

  // MARK: Describing

  /// The folder; in an object store, the folder's name there.
  public var url: URL { files.url }
  /// The step that it was committed with.
  public var step: Int { manifest.step }
  /// The time that it was committed with.
  public var time: Double { manifest.time }
  /// The metadata that it was committed with.
  public var metadata: [String: String] { manifest.metadata }
  /// A text that distinguishes the set from other ones.
  public var token: String { manifest.token }
  /// The number of parts.
  public var partCount: Int { manifest.parts.count }
  /// Bytes of all parts.
  public var byteCount: UInt64 { manifest.byteCount }

  /// An array over several parts.
  public struct ArrayInfo: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The length of each dimension, from the outermost.
    public let shape: [Int]
    /// The number of parts that have a piece of it.
    public let partCount: Int
  }

  /// The arrays over several parts, in the order in which the parts name them.
  public var arrays: [ArrayInfo] {
    manifest.arrays.map { array in
      ArrayInfo(name: array.name, shape: array.shape, partCount: Set(array.pieces.map(\.part)).count)
    }
  }

  // MARK: Parts

  /// The file of a part; in an object store, its name there.
  ///
  /// - Precondition: `number` is at least 0 and less than ``partCount``.
  public func partURL(_ number: Int) -> URL { url.appendingPathComponent(manifest.parts[number].name) }

  /// The archive of a part, after a check of its size and header.
  ///
  /// - Throws: `GCodableError`: code `valueNotFound` when there is no such part; `file`, `wrongSize` or `damaged` when it is
  ///   missing, truncated or replaced; otherwise as ``GraphArchive/init(_:)-(URL)``.
  public func part(_ number: Int) throws -> GraphArchive {
    guard 0..<partCount ~= number else {
      throw GCodableError(.valueNotFound, "the set has no part \(number): there are \(partCount)")
    }
    return try archives.archive(number) { try manifest.openPart(number, in: files) }
  }

  /// Checks that all parts exist, with the sizes and headers that the manifest records.
  ///
  /// - Throws: as ``part(_:)``, for the first part that does not match.
  /// - Complexity: O(n) in the number of parts, on all processors.
  public func check() throws { try manifest.checkParts(in: files, isPublished: true) }

  /// Checks every byte of all parts, the form of their graphs, and that they have their pieces of the arrays.
  ///
  /// - Parameter progress: reports the bytes that have been checked; cancelling it ends the check.
  /// - Throws: as ``checkPieces(ofPart:)`` and ``GraphArchive/verify(progress:)``; `CancellationError`.
  /// - Complexity: O(n) in the size of the parts, on all processors.
  public func verify(progress: Progress? = nil) throws {
    let report = ProgressReport(progress)
    report?.begin(byteCount: byteCount)
    for number in 0..<partCount {
      try progress?.checkCancellation()
      // Not kept open: there may be more of them than a process may open.
      let archive = try manifest.openPart(number, in: files)
      do {
        try archive.verifyAll(threadCount: ParallelLoop.processorCount, report)
        try checkPieces(of: archive, number)
      } catch let error as GCodableError {
        throw error.about("part \(number)")
      }
    }
    try progress?.checkCancellation()
    report?.finish()
  }

  /// Checks that a part has its pieces of the arrays over all parts, with the lengths that the manifest records.
  ///
  /// - Parameter number: the part's number.
  /// - Throws: `malformed`, `typeMismatch` or `valueNotFound` for a piece that the part does not have; as ``part(_:)``.
  /// - Complexity: O(n) in the number of pieces of all parts, and finding each array of this one.
  public func checkPieces(ofPart number: Int) throws { try checkPieces(of: part(number), number) }

  private func checkPieces(of archive: GraphArchive, _ number: Int) throws {
    // A forged manifest may have a path any number of times.
    var shapes: [String: [Int]] = [:]
    for array in manifest.arrays {
      for piece in array.pieces where piece.part == number {
        let shape = try shapes[piece.path] ?? archive.rawArray(at: array.path(of: piece)).shape
        shapes[piece.path] = shape
        try array.check(shape, of: piece)
      }
    }
  }

  /// Archives that were opened, no more than a process can have.
  private final class OpenArchives: @unchecked Sendable {
    // `@unchecked`: `archives` is used under `lock` alone.
    private let lock = NSLock()
    private var archives: [Int: GraphArchive] = [:]

    func archive(_ number: Int, _ open: () throws -> GraphArchive) throws -> GraphArchive {
      if let known = lock.withLock({ archives[number] }) { return known }
      let opened = try open()
      return lock.withLock {
        if let known = archives[number] { return known }
        // Archives in use stay open.
        if archives.count >= 64 { archives = [:] }
        archives[number] = opened
        return opened
      }
    }
  }
}
