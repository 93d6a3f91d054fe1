import Foundation
import _GraphSupport

extension ArchiveWriter {
  /// Puts a complete file in its place, and then its parity, if that is wanted.
  ///
  /// The parity is written before: what fails meanwhile leaves the older file, and its parity.
  ///
  /// - Parameter renewsParity: whether a file gets parity also where the one that it replaces has some.
  package func publish(_ sink: FileSink, renewsParity: Bool = false) throws {
    let url = sink.url
    let parity = try renewsParity && redundancy == .none ? ParityFile.redundancy(of: url) : redundancy
    let draft =
      try parity == .none ? nil : ParityFile.draft(sink.openFile(), of: url, parity, threadCount, nil)
    try sink.publish(progress)
    try draft?.publish()
  }

  /// Writes parity beside a file, if that is wanted.
  package func protect(_ url: URL) throws {
    guard redundancy != .none else { return }
    try ParityFile.protect(url, redundancy, threadCount: threadCount, nil)
  }

  /// Writes parity for what was appended to a file, if that is wanted.
  package func protect(_ url: URL, _ file: any RangeReader, upTo end: UInt64) throws {
    guard redundancy != .none else { return }
    try ParityFile.extend(url, file, upTo: end, redundancy, threadCount: threadCount)
  }

  /// Compares an archive that has been written with its checksums, if that is wanted.
  ///
  /// - Throws: `damaged` or `malformed`, with the offset; `file`.
  package func readBack(_ sink: FileSink) throws {
    guard verifiesAfterWrite else { return }
    try sink.forgetWritten()
    try ArchiveStorage(sink.openFile()).withSource { source in
      let reader = try ArchiveReader(source, threadCount: threadCount)
      for placed in reader.contents.segments {
        let open = try reader.open(placed)
        let loop = ParallelLoop(
          count: open.blockOffsets.count, threadCount: open.threadCount(atMost: threadCount))
        try loop.run(source.scratchPool) { index, scratch in
          try progress?.checkCancellation()
          try reader.verify(index, of: open, scratch)
        }
      }
    }
  }
}
