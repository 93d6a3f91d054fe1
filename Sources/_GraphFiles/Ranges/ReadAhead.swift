import Foundation
import _GraphSupport

/// Ranges of a source that are about to be read: neighbours are one request, and several requests are under way at a time.
///
/// `@unchecked`: what changes is used under `condition` alone.
package final class ReadAhead: @unchecked Sendable {
  private let condition = NSCondition()
  private var groups: [Group]
  /// The numbers of the groups by their places.
  private let sorted: [Int]
  private let request: @Sendable (Range<UInt64>) throws -> Data
  private var isEnded = false
  /// Whether a request has failed; then no more are begun.
  private var hasFailed = false
  private let onEnd: @Sendable (ReadAhead) -> Void

  /// Ranges that are read by one request.
  private struct Group {
    var range: Range<UInt64>
    /// The number of bytes not used yet.
    var left: UInt64
    var state = State.waiting
    /// Whether a thread is about to make the request: it may never start, where there are too many.
    var hasThread = false

    /// Whether it has bytes, or is about to.
    var isHeld: Bool {
      switch state {
      case .waiting: hasThread
      case .underWay, .done: true
      case .used: false
      }
    }
  }

  private enum State {
    case waiting, underWay
    case done(Data)
    /// The bytes are gone, or did not come: they are requested when needed.
    case used
  }

  /// Ranges that are no further apart are one request.
  private static let gapByteCount: UInt64 = 1 << 18
  /// The most that one request reads, of several ranges.
  private static let requestByteCount: UInt64 = 4 << 20
  /// Requests are begun ahead until this many are under way, or done and not used.
  private static let width = 8
  /// How many groups at once ranges may continue: the sources of a block are in two places.
  private static let sideBySide = 4

  /// - Parameters:
  ///   - ranges: in the order in which they will be read.
  ///   - request: makes a request.
  ///   - onEnd: is called by `end`.
  init(
    _ ranges: [Range<UInt64>], _ request: @escaping @Sendable (Range<UInt64>) throws -> Data,
    onEnd: @escaping @Sendable (ReadAhead) -> Void
  ) {
    let groups = Self.groups(of: ranges)
    self.groups = groups
    sorted = groups.indices.sortedOutOfLine { groups[$0].range.lowerBound < groups[$1].range.lowerBound }
    (self.request, self.onEnd) = (request, onEnd)
  }

  private static func groups(of ranges: [Range<UInt64>]) -> [Group] {
    var groups: [Group] = []
    for range in ranges where !range.isEmpty {
      let byteCount = range.upperBound - range.lowerBound
      let continued = groups.indices.suffix(sideBySide).last {
        let group = groups[$0].range
        return range.lowerBound >= group.upperBound && range.lowerBound - group.upperBound <= gapByteCount
          && range.upperBound - group.lowerBound <= requestByteCount
      }
      if let continued {
        groups[continued].range = groups[continued].range.lowerBound..<range.upperBound
        groups[continued].left += byteCount
      } else {
        groups.append(Group(range: range, left: byteCount))
      }
    }
    return groups
  }

  /// Fills `destination`, which is not empty, if the bytes are among those that were expected; waits for them.
  ///
  /// - Returns: false if they are not, or if another one's request for them has failed.
  /// - Throws: what a request that is made here has thrown.
  func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    guard let (data, start) = try take(offset..<(offset + UInt64(destination.count))) else { return false }
    unsafe data.copy(to: destination, from: Int(offset - start))
    return true
  }

  /// The bytes of the group that has a range, and where they begin.
  private func take(_ range: Range<UInt64>) throws -> (data: Data, start: UInt64)? {
    condition.lock()
    defer { condition.unlock() }
    guard let index = group(of: range) else { return nil }
    begin(behind: index)
    while !isEnded {
      switch groups[index].state {
      case .waiting: try makeRequest(index)
      case .underWay: condition.wait()
      case .used: return nil
      case .done(let data):
        let byteCount = range.upperBound - range.lowerBound
        groups[index].left -= min(byteCount, groups[index].left)
        if groups[index].left == 0 { groups[index].state = .used }
        return (data, groups[index].range.lowerBound)
      }
    }
    return nil
  }

  /// The group that contains a range: the last one that begins before it, unless the range lies in a gap.
  private func group(of range: Range<UInt64>) -> Int? {
    let place = sorted.partitioningIndex { groups[$0].range.lowerBound > range.lowerBound }
    return sorted[..<place].suffix(Self.sideBySide).last { groups[$0].range.upperBound >= range.upperBound }
  }

  /// Makes the request of a group; called, and left, with `condition` locked.
  private func makeRequest(_ index: Int) throws {
    groups[index].state = .underWay
    let range = groups[index].range
    condition.unlock()
    let result = Result { try request(range) }
    condition.lock()
    if case .success(let data) = result, !isEnded {
      groups[index].state = .done(data)
    } else {
      groups[index].state = .used
    }
    if case .failure = result { hasFailed = true }
    condition.broadcast()
    _ = try result.get()
  }

  /// Begins the next requests, each on its own thread, because they do not wait for the processor.
  private func begin(behind index: Int) {
    guard !isEnded, !hasFailed else { return }
    var count = groups.count { $0.isHeld }
    for next in groups.indices.dropFirst(index + 1).prefix(Self.width - 1) where count < Self.width - 1 {
      guard case .waiting = groups[next].state, !groups[next].hasThread else { continue }
      groups[next].hasThread = true
      count += 1
      Thread.detachNewThread { [self] in
        condition.withLock {
          // The request may have been made, or no longer be waited for.
          guard !isEnded, !hasFailed, case .waiting = groups[next].state else { return }
          // Its error is dropped: the bytes are requested when needed.
          try? makeRequest(next)
        }
      }
    }
  }

  /// Begins no more requests, and forgets the bytes of those that are under way.
  package func end() {
    condition.withLock {
      isEnded = true
      for index in groups.indices { if case .done = groups[index].state { groups[index].state = .used } }
      condition.broadcast()
    }
    onEnd(self)
  }
}

extension Data {
  /// Copies bytes from a place on to memory that is not larger than what is there.
  func copy(to destination: UnsafeMutableRawBufferPointer, from start: Int) {
    let first = startIndex + start
    unsafe copyBytes(to: destination, from: first..<(first + destination.count))
  }
}
