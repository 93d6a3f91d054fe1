import Foundation
import _GraphSupport

extension ArchiveWriter {
  /// Writes parity beside a file, if that is wanted.
  package func protect(_ url: URL) throws {
    guard redundancy != .none else { return }
    try ParityFile.protect(url, redundancy, threadCount: threadCount, nil)
  }

  /// Writes parity beside a file that was written anew, if that is wanted or the former one had some.
  package func renewParity(of url: URL) throws {
    guard redundancy == .none else { return try protect(url) }
    try ParityFile.renew(url, threadCount: threadCount)
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
        try ParallelLoop(count: open.blockOffsets.count, threadCount: threadCount).run(source.scratchPool) {
          index, scratch in
          try progress?.checkCancellation()
          try reader.verify(index, of: open, scratch)
        }
      }
    }
  }
}
