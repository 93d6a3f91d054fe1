import Foundation

extension GraphArchiveSeries {
  /// Appends to a series; `GraphEncoder.append` uses it.
  ///
  ///     let writer = try GraphArchiveSeries.Writer(url)
  ///     try encoder.append(simulation, to: writer, step: 100, time: 0.5)
  ///
  /// While it exists, a writer holds an advisory lock on the file (`flock`), and a lock file beside it for file systems where
  /// `flock` fails or holds on one node only; so there is no second writer in any process on any node. The locks end with
  /// the process. If the process is killed, the lock file stays: the next writer on the same host takes it over, and on
  /// another host ``GraphArchiveLock`` breaks it. Readers need no lock.
  ///
  /// A forked process has a copy of the writer that cannot append and does not release the lock; the file stays locked until
  /// both processes have ended or started another program. If the file is moved, removed or replaced while it is open, the
  /// next append throws.
  ///
  /// Any thread may use a writer. Concurrent appends happen one after the other.
  public final class Writer: @unchecked Sendable {
    /// Used on the queue alone, but for its list.
    let storage: any SeriesTarget
    /// Appends one entry after the other, in the order of the calls.
    let queue = DispatchQueue(label: "GraphArchiveSeries.Writer")
    private let lock = NSLock()
    // Used with the lock.
    private var chosenSharing = Sharing.blocks

    /// Opens a series for appending, or creates it.
    ///
    /// Unlike `GraphArchiveSeries.init`, it also finds entries after damage that looks like an unfinished entry.
    ///
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, with its host and process; `file` when it
    ///   cannot be opened or created, `notAnArchive` when the file is not a series; it is then left unchanged.
    /// - Complexity: O(n) in the number of entries; after a crash or damage, up to the whole file is read once.
    public init(_ url: URL) throws { storage = try SeriesFile(url) }

    /// Opens a series that is a folder of archives for appending, or creates it.
    ///
    /// It is used like a series in a file: see ``GraphArchiveSeries/init(folder:)``.
    ///
    /// - Parameter url: the folder, whose parent folder must exist.
    /// - Throws: `GCodableError`: code `locked` when another writer appends to it, `file` when it cannot be opened or
    ///   created.
    /// - Complexity: O(n) in the number of entries, and one file to open for each entry that the index does not have.
    public init(folder url: URL) throws { storage = try SeriesFolder(url) }

    /// The series with everything that this writer has appended so far.
    public var series: GraphArchiveSeries { storage.list.snapshot }

    /// How entries share blocks with earlier ones, from the next append on.
    ///
    /// Default: ``Sharing/blocks``.
    public var sharing: Sharing {
      get { lock.withLock { chosenSharing } }
      set { lock.withLock { chosenSharing = newValue } }
    }
  }
}
