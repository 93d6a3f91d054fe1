import Foundation
import GraphCodable
import _GraphFiles

/// Collects what is written.
package final class BytesSink: ArchiveSink, @unchecked Sendable {
  // `@unchecked`: used under `lock` alone.
  private let lock = NSLock()
  private var written: Bytes = []

  package init() {}

  package var bytes: Bytes { lock.withLock { written } }

  package func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
    lock.withLock {
      var start = Int(offset)
      for piece in pieces {
        if written.count < start + piece.count {
          written.append(contentsOf: repeatElement(0, count: start + piece.count - written.count))
        }
        written.replaceSubrange(start..<(start + piece.count), with: piece)
        start += piece.count
      }
    }
  }
}
