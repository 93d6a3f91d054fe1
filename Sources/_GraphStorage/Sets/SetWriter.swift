import Foundation
import _GraphFiles
import _GraphSupport

extension GraphArchiveSet {
  /// Writes a set: any number of processes write parts, and the one that began the set then commits it.
  ///
  ///     let writer = try GraphArchiveSet.Writer(folder)  // One process begins, and sends its token to the others.
  ///     let own = try GraphArchiveSet.Writer(folder, token: token)
  ///     let receipt = try own.part(rank, of: count).write(domain, arrays: [positions])
  ///     try writer.commit(receipts, step: 100, time: 0.5)  // When all receipts have arrived.
  ///
  /// Until the manifest is written, readers see the previous set, and the folder has the files of both. If any of the
  /// processes is killed, it stays that way; the next writer that begins a set removes parts without a manifest. A writer
  /// writes one set.
  ///
  /// The writer that begins a set holds the folder's lock while it exists, so there is one at a time: see
  /// ``GraphArchiveLock``. Any thread may use a writer.
  public final class Writer: Sendable {
    let files: any SetFiles
    /// A text of lowercase letters and digits that distinguishes the parts of this set from those of other attempts.
    public let token: String
    /// Held only by the process that began the set.
    let committer: SetCommitter?

    /// The folder; in an object store, its name there.
    public var folder: URL { files.url }
    /// The set's number in its series; nil if the writer does not know it.
    public let number: Int?

    /// Begins a set, and removes the remains of one that was not committed.
    ///
    /// - Parameter folder: the folder, which is created if it does not exist; its parent folder must.
    /// - Throws: `GCodableError`: code `locked` when another writer has begun a set in the folder; `file`.
    /// - Complexity: O(n) in the number of files of the folder.
    public convenience init(_ folder: URL) throws {
      self.init(try SetCommitter(SetInFolder(url: folder)))
    }

    init(_ committer: SetCommitter) {
      (self.committer, files, number) = (committer, committer.files, committer.number)
      token = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Joins a set that another writer has begun.
    ///
    /// - Parameters:
    ///   - folder: the folder, which must exist: on network file systems it may take a moment to appear.
    ///   - token: the token of the writer that has begun the set.
    /// - Throws: `GCodableError`: code `invalidValue` for a text that cannot be a token, `file` when there is no
    ///   folder.
    public convenience init(_ folder: URL, token: String) throws {
      try self.init(joining: SetInFolder(url: folder), number: nil, token)
      _ = try OpenFile(folder: folder, isLocked: false)
    }

    init(joining files: any SetFiles, number: Int?, _ token: String) throws {
      guard SetNames.isToken(token) else {
        throw GCodableError(
          .invalidValue, "\"\(token)\" is no token of a set: it has other than small letters and digits")
      }
      (self.files, self.number, self.token, committer) = (files, number, token, nil)
    }

    deinit { committer?.close() }

    /// A part of the set, to be written.
    ///
    /// - Parameters:
    ///   - number: the number of the part, from 0; each is written once.
    ///   - count: the number of parts of the set, the same in all processes.
    /// - Throws: `GCodableError`: code `invalidValue` when there is no such part; `locked` when the set has been committed,
    ///   so its parts must not be replaced.
    public func part(_ number: Int, of count: Int) throws -> Part {
      guard committer?.isOpen ?? true else {
        throw GCodableError(
          .locked, "the set in \(folder.path) has been committed or aborted: begin the next one")
      }
      guard count > 0, 0..<count ~= number else {
        throw GCodableError(.invalidValue, "there is no part \(number) of \(count)")
      }
      return Part(files: files, token: token, number: number, count: count)
    }

    /// Commits the set, so that readers see it, after checking that all parts exist.
    ///
    /// Each part's file must have the size and the header in its receipt. Then the manifest is written, and gets its name
    /// when it is on the device. After that, the parts of the previous set are removed.
    ///
    /// - Parameters:
    ///   - receipts: the receipts of all parts, in any order.
    ///   - step: a step number.
    ///   - time: the time of the state, in any unit.
    ///   - metadata: anything else that describes the set.
    /// - Throws: `GCodableError`: code `invalidValue` for receipts of another set, for two receipts of one part or a missing
    ///   one, and if their numbers of parts or shapes of arrays differ; `file`, `wrongSize` or `damaged` for a part that does
    ///   not match its receipt; `locked` in a writer that joined, or whose lock was taken by another. The previous set then
    ///   stays, unless the error is that the folder could not be synced, or that an object store did not answer: the message
    ///   then says that the set may still appear.
    /// - Complexity: O(n log n) in the number of parts, and one file to open for each.
    public func commit(
      _ receipts: [Receipt], step: Int, time: Double, metadata: [String: String] = [:]
    ) throws {
      guard let committer else { throw Self.joined(folder) }
      var manifest = SetManifest(token: token, step: step, time: time, metadata: metadata)
      try manifest.take(receipts)
      try manifest.checkArrays()
      try committer.publish(manifest)
    }

    /// Removes the parts that were written, unless the set has been committed.
    ///
    /// Call it when a part has failed; otherwise the next writer removes them.
    ///
    /// - Throws: `GCodableError`: code `locked` in a writer that joined; `file` when a part cannot be removed.
    public func abort() throws {
      guard let committer else { throw Self.joined(folder) }
      try committer.abort(token)
    }

    private static func joined(_ folder: URL) -> GCodableError {
      GCodableError(
        .locked,
        "a set is committed or aborted by the writer that began it, and this one has joined it in \(folder.path)"
      )
    }
  }
}
