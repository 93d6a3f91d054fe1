import Foundation
import GraphCodable

/// Bytes in memory that are read by ranges, and notes which.
///
/// `@unchecked`: what changes is used under `lock` alone.
package final class TestSource: GraphSource, @unchecked Sendable {
  package let name = "the test's source"
  private let bytes: [UInt8]
  private let lock = NSLock()
  private var noted: [Range<UInt64>] = []
  private let change: @Sendable (_ number: Int, _ answer: inout GraphSourceBytes) throws -> Void

  /// - Parameter change: is told how many requests there were before, and may throw, or answer something else.
  package init(
    _ bytes: [UInt8],
    _ change: @escaping @Sendable (_ number: Int, _ answer: inout GraphSourceBytes) throws -> Void = { _, _ in
    }
  ) {
    (self.bytes, self.change) = (bytes, change)
  }

  /// The ranges that were asked for, in some order of those that were under way at the same time.
  package var requests: [Range<UInt64>] { lock.withLock { noted } }

  /// How many bytes were asked for that are there.
  package var requestedByteCount: Int {
    requests.reduce(0) { $0 + $1.clamped(to: 0..<UInt64(bytes.count)).count }
  }

  /// Whether all ranges were within the bytes, but for those with which an archive or a series was opened.
  package var isWithinBounds: Bool {
    requests.allSatisfy { $0 == 0..<(1 << 16) || !$0.isEmpty && $0.upperBound <= bytes.count }
  }

  package func read(_ range: Range<UInt64>) throws -> GraphSourceBytes {
    let number = lock.withLock {
      noted.append(range)
      return noted.count - 1
    }
    let found = range.clamped(to: 0..<UInt64(bytes.count))
    var answer = GraphSourceBytes(
      Data(bytes[Int(found.lowerBound)..<Int(found.upperBound)]), of: UInt64(bytes.count), version: "1")
    try change(number, &answer)
    return answer
  }
}
