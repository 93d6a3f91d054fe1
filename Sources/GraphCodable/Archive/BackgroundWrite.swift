import Foundation

extension GraphEncoder {
  /// A file, or an entry of a series, that is being written while the program goes on.
  ///
  ///     let saving = try encoder.writeInBackground(simulation, to: url)
  ///     simulation.advance()  // The file gets the state of before.
  ///     try await saving.finish()
  ///
  /// Writing goes on, and ends, even if nobody waits for it. A process that exits before leaves what was there before.
  public struct BackgroundWrite: Sendable {
    /// How far it is, as in `GraphEncoder.write` and `append`: the progress that it was started with, or one of its own.
    public let progress: Progress
    private let task: Task<Void, any Error>

    /// Does the work on `queue`, not on the threads of Swift's tasks: it waits for the device.
    init(
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
    /// Several tasks may call it, and call it again. If a task that waits is cancelled, so is the writing.
    ///
    /// - Throws: `GCodableError` with the code `file` when the file cannot be written, `CancellationError` when
    ///   writing was cancelled. Then what was under the name before is there, and no other file. For an entry, also
    ///   what `GraphEncoder.append` throws beyond that.
    public func finish() async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        cancel()
      }
    }

    /// Ends writing before the next block, unless everything is in its place already.
    ///
    /// `finish` throws `CancellationError` in the first case, and returns in the second.
    public func cancel() { progress.cancel() }
  }
}

/// The former name of `GraphEncoder.BackgroundWrite`.
@available(*, deprecated, renamed: "GraphEncoder.BackgroundWrite")
public typealias BackgroundWrite = GraphEncoder.BackgroundWrite

extension GraphEncoder {
  /// Encodes a graph into a file, and writes the file while the program goes on.
  ///
  /// The model is walked on the caller's thread before this returns; errors of the walk are thrown here. From then
  /// on the model may change and be released, and the encoder be used and set anew: the file gets what was walked.
  /// Compression, checksums and writing follow on other threads, as many as `threadCount`.
  ///
  /// Meanwhile the storage of large packed arrays is shared with the model, not copied. If the program changes such
  /// an array, Swift copies its storage first, as for any array that has two owners. `Data` without a copy of its own
  /// (`bytesNoCopy`) is not protected by that: its memory must stay as it is until `finish` returns. Objects of the
  /// model are released before this returns.
  ///
  /// Two of these to the same file at once are both written whole; the one that ends last stays.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - url: the file.
  ///   - progress: as in `write`; nil for one that is made for it.
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

/// Work that is done once, on one thread, and lets go of what it holds when it ends: the model's arrays and a series'
/// writer are free when `finish` returns.
private final class Job: @unchecked Sendable {
  // `@unchecked`: `work` is used by `run` alone, which one thread calls once.
  private var work: (() throws -> Void)?

  init(_ work: @escaping () throws -> Void) { self.work = work }

  func run() throws {
    defer { work = nil }
    try work?()
  }
}
