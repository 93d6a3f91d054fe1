import Foundation
import _GraphSupport

/// Reads a user's source in few requests, and checks its answers.
///
/// `@unchecked`: what changes is used under `lock` alone.
package final class SourceReader: RangeReader, @unchecked Sendable {
  private let source: any GraphSource
  package let path: String
  private let size: UInt64
  private let version: String?
  private let lock = NSLock()
  /// The extra bytes of short reads, last used ones at the end.
  private var kept: [Piece] = []
  private var aheads: [ReadAhead] = []
  /// Where the last short read ended, and how many bytes it has taken.
  private var last: (end: UInt64, byteCount: UInt64) = (0, 0)

  private struct Piece {
    let start: UInt64
    let data: Data
  }

  /// The extra bytes of short reads: tables and headers are close to each other.
  private static let shortByteCount: UInt64 = 1 << 16
  /// The most extra bytes, when one read begins where the other ends.
  private static let longByteCount: UInt64 = 1 << 20
  private static let keptCount = 16
  /// Larger reads are several requests.
  private static let requestByteCount: UInt64 = 4 << 20

  /// Reads the first bytes.
  ///
  /// - Throws: `file`; what the source throws on.
  package init(_ source: any GraphSource) throws {
    self.source = source
    path = source.name
    let answer = try Self.answer(of: source, 0..<Self.shortByteCount)
    (size, version) = (answer.byteCount, answer.version)
    guard size <= UInt64(Int64.max) else {
      throw GCodableError(file: path, "\(path) says that it has \(size) bytes, which no file can have")
    }
    try Self.check(answer, of: source, 0..<min(size, Self.shortByteCount))
    kept = [Piece(start: 0, data: answer.bytes)]
    last = (min(size, Self.shortByteCount), Self.shortByteCount)
  }

  /// As it was at first: another number is an error.
  package func byteCount() -> UInt64 { size }

  package func isSame(as other: any RangeReader) -> Bool { self === other }

  // MARK: Requests

  /// Makes a request for bytes that are there.
  private func request(_ range: Range<UInt64>) throws -> Data {
    let answer = try Self.answer(of: source, range)
    guard answer.byteCount == size, answer.version == version else {
      throw GCodableError(file: path, "\(path) was replaced while it was read")
    }
    try Self.check(answer, of: source, range)
    return answer.bytes
  }

  private static func answer(of source: any GraphSource, _ range: Range<UInt64>) throws -> GraphSourceBytes {
    do { return try source.read(range) } catch let error as GCodableError { throw error } catch let error
      as CancellationError
    { throw error } catch {
      throw GCodableError(file: source.name, "cannot read \(source.name)", underlyingError: error)
    }
  }

  /// - Parameter range: of bytes that are there.
  private static func check(
    _ answer: GraphSourceBytes, of source: any GraphSource, _ range: Range<UInt64>
  ) throws {
    guard UInt64(answer.bytes.count) == range.upperBound - range.lowerBound else {
      throw GCodableError(
        file: source.name, "\(source.name) gave \(answer.bytes.count) bytes for the range \(range)",
        byteOffset: range.lowerBound)
    }
  }

  // MARK: Reading

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    let byteCount = UInt64(destination.count)
    guard offset <= size, byteCount <= size - offset else { return false }
    guard byteCount > 0 else { return true }
    for ahead in lock.withLock({ aheads }) where try unsafe ahead.read(destination, from: offset) {
      return true
    }
    let range = offset..<(offset + byteCount)
    if let piece = found(range) {
      unsafe piece.data.copy(to: destination, from: Int(offset - piece.start))
    } else if byteCount > Self.requestByteCount {
      try unsafe readLong(destination, from: offset)
    } else {
      let wanted = wanted(range)
      let data = try request(wanted)
      note(Piece(start: wanted.lowerBound, data: data))
      unsafe data.copy(to: destination, from: Int(offset - wanted.lowerBound))
    }
    return true
  }

  /// The range to request when some bytes are wanted: extended backwards at the end, otherwise forwards.
  private func wanted(_ range: Range<UInt64>) -> Range<UInt64> {
    let byteCount = lock.withLock {
      let follows = range.lowerBound >= last.end && range.lowerBound - last.end <= Self.shortByteCount
      let byteCount = follows ? min(last.byteCount * 2, Self.longByteCount) : Self.shortByteCount
      last.byteCount = byteCount
      return byteCount
    }
    let start = min(range.lowerBound, size - min(size, Self.shortByteCount))
    let end = max(range.upperBound, start + min(size - start, byteCount))
    lock.withLock { last.end = end }
    return start..<end
  }

  /// Bytes already in memory.
  private func found(_ range: Range<UInt64>) -> Piece? {
    lock.withLock {
      let place = kept.lastIndex {
        $0.start <= range.lowerBound && range.upperBound - $0.start <= UInt64($0.data.count)
      }
      guard let place else { return nil }
      let piece = kept.remove(at: place)
      kept.append(piece)
      return piece
    }
  }

  private func note(_ piece: Piece) {
    guard piece.data.count <= Self.longByteCount else { return }
    lock.withLock {
      kept.append(piece)
      if kept.count > Self.keptCount { kept.removeFirst() }
    }
  }

  /// Reads a range that is large enough for several requests.
  private func readLong(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    let starts = stride(from: 0, to: destination.count, by: Int(Self.requestByteCount))
    let pieces = starts.map { start in
      start..<min(start + Int(Self.requestByteCount), destination.count)
    }
    let ahead = readAhead {
      pieces.map { (offset + UInt64($0.lowerBound))..<(offset + UInt64($0.upperBound)) }
    }
    defer { ahead?.end() }
    for piece in pieces {
      // Part of the destination, as all of them together.
      _ = try unsafe read(
        UnsafeMutableRawBufferPointer(rebasing: destination[piece]), from: offset + UInt64(piece.lowerBound))
    }
  }

  // MARK: Reading ahead

  package func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead? {
    let missing = ranges().filter { range in
      range.upperBound <= size && range.upperBound - range.lowerBound <= Self.requestByteCount
        && found(range) == nil
    }
    // A range read alone is kept for the next ones instead.
    guard missing.count > 1 else { return nil }
    let ahead = ReadAhead(missing) { [self] in
      try request($0)
    } onEnd: { [weak self] in
      self?.forget($0)
    }
    lock.withLock { aheads.append(ahead) }
    return ahead
  }

  private func forget(_ ahead: ReadAhead) { lock.withLock { aheads.removeAll { $0 === ahead } } }
}
