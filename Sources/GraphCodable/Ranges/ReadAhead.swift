import Foundation

/// Ranges of a source that somebody is about to read: neighbours are one request, and several requests are under way at a time.
///
/// `@unchecked`: what changes is used under `condition` alone.
final class ReadAhead: @unchecked Sendable {
  private let condition = NSCondition()
  private var groups: [Group]
  /// The numbers of the groups by their places.
  private let sorted: [Int]
  private let request: @Sendable (Range<UInt64>) throws -> Data
  private var isEnded = false
  /// Whether a request has failed: no more are begun.
  private var hasFailed = false
  private let onEnd: @Sendable (ReadAhead) -> Void

  /// Ranges that are read by one request.
  private struct Group {
    var range: Range<UInt64>
    /// How many bytes nobody has used yet.
    var left: UInt64
    var state = State.waiting
  }

  private enum State {
    case waiting, underWay
    case done(Data)
    case failed(any Error)
    /// All ranges have been used, and the bytes are gone.
    case used
  }

  /// Ranges that are no further apart are one request.
  private static let gapByteCount: UInt64 = 1 << 18
  /// The most that one request reads, of several ranges.
  private static let requestByteCount: UInt64 = 4 << 20
  /// How many requests are under way at the most, or done and not used.
  private static let width = 8

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
    sorted = groups.indices.sorted { groups[$0].range.lowerBound < groups[$1].range.lowerBound }
    (self.request, self.onEnd) = (request, onEnd)
  }

  private static func groups(of ranges: [Range<UInt64>]) -> [Group] {
    var groups: [Group] = []
    for range in ranges where !range.isEmpty {
      let byteCount = range.upperBound - range.lowerBound
      if let last = groups.last?.range, range.lowerBound >= last.upperBound,
        range.lowerBound - last.upperBound <= gapByteCount,
        range.upperBound - last.lowerBound <= requestByteCount
      {
        groups[groups.count - 1].range = last.lowerBound..<range.upperBound
        groups[groups.count - 1].left += byteCount
      } else {
        groups.append(Group(range: range, left: byteCount))
      }
    }
    return groups
  }

  /// Fills `destination`, which is not empty, if the bytes are among those that were expected; waits for them.
  ///
  /// - Returns: false if they are not.
  /// - Throws: what the request has thrown.
  func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    guard let (data, start) = try take(offset..<(offset + UInt64(destination.count))) else { return false }
    unsafe data.copy(to: destination, from: Int(offset - start))
    return true
  }

  /// The bytes of the group that has a range, and where they begin.
  private func take(_ range: Range<UInt64>) throws -> (data: Data, start: UInt64)? {
    condition.lock()
    defer { condition.unlock() }
    let place = sorted.partitioningIndex { groups[$0].range.lowerBound > range.lowerBound } - 1
    guard place >= 0, groups[sorted[place]].range.upperBound >= range.upperBound else { return nil }
    let index = sorted[place]
    begin(behind: index)
    while true {
      switch groups[index].state {
      case .waiting:
        groups[index].state = .underWay
        let whole = groups[index].range
        condition.unlock()
        let result = Result { try request(whole) }
        condition.lock()
        note(result, index)
      case .underWay: condition.wait()
      case .failed(let error): throw error
      case .used: return nil
      case .done(let data):
        let byteCount = range.upperBound - range.lowerBound
        groups[index].left -= min(byteCount, groups[index].left)
        if groups[index].left == 0 { groups[index].state = .used }
        return (data, groups[index].range.lowerBound)
      }
    }
  }

  private func note(_ result: Result<Data, any Error>, _ index: Int) {
    switch result {
    case .success(let data): groups[index].state = isEnded ? .used : .done(data)
    case .failure(let error):
      groups[index].state = .failed(error)
      hasFailed = true
    }
    condition.broadcast()
  }

  /// Begins the next requests, each on a thread of its own: what they wait for is not the processor.
  private func begin(behind index: Int) {
    guard !isEnded, !hasFailed else { return }
    for next in groups.indices.dropFirst(index + 1).prefix(Self.width - 1) {
      guard case .waiting = groups[next].state else { continue }
      groups[next].state = .underWay
      let range = groups[next].range
      Thread.detachNewThread { [self] in
        let result = Result { try request(range) }
        condition.withLock { note(result, next) }
      }
    }
  }

  /// Begins no more requests, and forgets the bytes of those that are under way.
  func end() {
    condition.withLock {
      isEnded = true
      for index in groups.indices { if case .done = groups[index].state { groups[index].state = .used } }
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
