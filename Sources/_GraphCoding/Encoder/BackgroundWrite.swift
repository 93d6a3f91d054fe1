import Foundation
import _GraphFiles

extension GraphEncoder {
  /// A file, or an entry of a series, that is being written while the program goes on.
  ///
  ///     let saving = try encoder.writeInBackground(simulation, to: url)
  ///     simulation.advance()  // The file gets the earlier state.
  ///     try await saving.finish()
  ///
  /// Writing completes even if nothing waits for it. If the process exits first, the earlier file stays as it was.
  public struct BackgroundWrite: Sendable {
    /// The progress of the write, as in `GraphEncoder.write` and `append`: the one passed in, or a new one.
    public let progress: Progress
    private let task: Task<Void, any Error>

    /// Does the work on `queue`, not on the threads of Swift's tasks, because it waits for the device.
    package init(
      _ progress: Progress, on queue: DispatchQueue = .global(),
      _ work: @escaping @Sendable () throws -> Void
    ) {
      self.progress = progress
      let (end, continuation) = AsyncThrowingStream<Never, any Error>.makeStream()
      let job = Job(work)
      queue.async {
        do {
          try job.run()
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      task = Task.detached { for try await _ in end {} }
    }

    /// Waits until the file, or the entry, is in its place and on the device.
    ///
    /// Several tasks may call it, more than once. Cancelling a task that waits cancels the write.
    ///
    /// - Throws: `GCodableError` with the code `file` when the file cannot be written, `CancellationError` when the
    ///   write was cancelled. The earlier file is then unchanged, and no temporary file remains. For an entry, also
    ///   whatever else `GraphEncoder.append` throws.
    public func finish() async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        cancel()
      }
    }

    /// Stops writing before the next block, unless the file is already complete.
    ///
    /// `finish` throws `CancellationError` if writing was stopped, and returns normally otherwise.
    public func cancel() { progress.cancel() }
  }
}

/// The former name of `GraphEncoder.BackgroundWrite`.
@available(*, deprecated, renamed: "GraphEncoder.BackgroundWrite")
public typealias BackgroundWrite = GraphEncoder.BackgroundWrite

extension GraphEncoder {
  /// Encodes a graph and writes it to a file in the background.
  ///
  /// The model is walked on the caller's thread before this returns; errors of the walk are thrown here. After that
  /// the model may change or be released, and the encoder may be reused: the file gets the state that was walked.
  /// Compression, checksums and writing follow on up to `threadCount` other threads.
  ///
  /// The storage of large packed arrays is shared with the model, not copied. If the program changes such an array
  /// meanwhile, Swift copies its storage first, as for any array with two owners. `Data` that does not own its memory
  /// (`bytesNoCopy`) is not protected in this way: its memory must not change until `finish` returns. Objects of the
  /// model are released before this returns.
  ///
  /// If two such writes to one file overlap, each is complete, and the one that finishes last stays.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - url: the file.
  ///   - progress: as in `write`; nil to have one created.
  /// - Throws: as `encode`; `CancellationError` if `progress` is cancelled already.
  @inlinable
  public func writeInBackground<Root: GEncodable>(
    _ root: Root, to url: URL, progress: Progress? = nil
  ) throws -> BackgroundWrite {
    try progress?.checkCancellation()
    return writeInBackground(try walk { try $0.writeRoot(root) }, to: url, progress)
  }

  @usableFromInline
  func writeInBackground(_ graph: EncodedGraph, to url: URL, _ progress: Progress?) -> BackgroundWrite {
    let (writer, progress) = (archiveWriter, progress ?? .discreteProgress(totalUnitCount: 0))
    return BackgroundWrite(progress) { try writer.write(graph, to: url, ProgressReport(progress)) }
  }
}

/// Work that is done once, on one thread, and releases what it holds when it ends: the model's arrays and a series' writer are
/// free when `finish` returns.
private final class Job: @unchecked Sendable {
  // `@unchecked`: `work` is used by `run` alone, which one thread calls once.
  private var work: (() throws -> Void)?

  init(_ work: @escaping () throws -> Void) { self.work = work }

  func run() throws {
    defer { work = nil }
    try work?()
  }
}
