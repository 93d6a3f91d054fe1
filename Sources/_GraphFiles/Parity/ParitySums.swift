import CGraphArchive
import Foundation
import _GraphSupport

/// Sums of sectors across the words, to which several threads add.
///
/// `@unchecked`: each sum is changed under the lock that it has with its neighbours.
final class ParitySums: @unchecked Sendable {
  let memory: RawBytes
  private let layout: ParityLayout
  private let locks = (0..<64).map { _ in NSLock() }

  init(_ layout: ParityLayout) throws {
    self.layout = layout
    memory = try RawBytes(zeros: layout.sumCount * ParityLayout.sectorByteCount)
  }

  /// Adds successive sums of a thread.
  ///
  /// - Parameters:
  ///   - window: whole sectors.
  ///   - first: the sector whose sum is the first one.
  func add(_ window: UnsafeRawBufferPointer, from first: Int) {
    let size = ParityLayout.sectorByteCount
    var sum = layout.sum(of: first)
    var done = 0
    unsafe memory.fill { memory in
      while done < window.count {
        let count = min(
          window.count - done, (layout.sumCount - sum) * size,
          (Self.sumsPerLock - sum % Self.sumsPerLock) * size)
        locks[sum / Self.sumsPerLock % locks.count].withLock {
          // Both are cut to what is there.
          unsafe gca_parity_xor(memory.bytes! + sum * size, window.bytes! + done, count)
        }
        done += count
        sum = (sum + count / size) % layout.sumCount
      }
    }
  }

  private static let sumsPerLock = 16
}
