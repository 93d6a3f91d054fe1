import Foundation
import GraphCodable
import Testing

/// An object store in memory, in which requests fail as they do on networks.
final class MemoryStore: GraphSetStore, @unchecked Sendable {
  // `@unchecked`: all that changes is used under `lock` alone.
  private let lock = NSLock()
  private var objects: [String: Data] = [:]
  private var fault: (call: Int, Fault)?
  private(set) var callCount = 0
  /// Names that are not listed, as if they had been written a moment ago.
  private var unlisted: Set<String> = []
  private var beforeCreation: (@Sendable () -> Void)?
  private var late: ((inout [String: Data]) throws -> Void)?

  enum Fault: CaseIterable {
    /// The request does not arrive.
    case refused
    /// It is done, and its answer gets lost.
    case lost
    /// As `refused`, and all others after it: the process is killed.
    case killedBefore
    /// As `lost`, and all others are refused.
    case killedAfter
    /// It is done when ``heal()`` is called, if it changes something.
    case late

    /// Those after which a process does not know what was done, or is not there any more.
    static let allCases: [Self] = [.refused, .lost, .killedBefore, .killedAfter]
  }

  struct Failure: Error {}

  /// Lets a call fail; the first one is 1.
  func fail(at call: Int, _ fault: Fault) { lock.withLock { (callCount, self.fault) = (0, (call, fault)) } }

  /// From now on, all requests are answered.
  func heal() {
    lock.withLock {
      try? late?(&objects)
      (callCount, fault, late) = (0, nil, nil)
    }
  }

  /// Calls something once, just before an object is created.
  func beforeCreation(_ body: @escaping @Sendable () -> Void) { lock.withLock { beforeCreation = body } }

  /// Does not list what is there now, until the next call.
  func hideAll() { lock.withLock { unlisted = Set(objects.keys) } }
  func showAll() { lock.withLock { unlisted = [] } }

  var names: [String] { lock.withLock { objects.keys.sorted() } }
  subscript(name: String) -> Data? {
    get { lock.withLock { objects[name] } }
    set { lock.withLock { objects[name] = newValue } }
  }

  private func request<Result>(_ body: @escaping (inout [String: Data]) throws -> Result) throws -> Result {
    try lock.withLock {
      callCount += 1
      guard let fault, callCount >= fault.call else { return try body(&objects) }
      let isFirst = callCount == fault.call
      switch fault.1 {
      case .refused, .lost: guard isFirst else { return try body(&objects) }
      case .late:
        guard isFirst else { return try body(&objects) }
        late = { _ = try body(&$0) }
      case .killedBefore, .killedAfter: break
      }
      if isFirst, fault.1 == .lost || fault.1 == .killedAfter { _ = try body(&objects) }
      throw Failure()
    }
  }

  // MARK: GraphSetStore

  func read(_ name: String, range: Range<UInt64>?) throws -> (bytes: Data, byteCount: UInt64)? {
    try request { objects in
      objects[name].map { bytes in
        let wanted = range.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? 0..<bytes.count
        return (Data(bytes[wanted.clamped(to: 0..<bytes.count)]), UInt64(bytes.count))
      }
    }
  }

  func write(_ bytes: Data, as name: String) throws { try request { $0[name] = bytes } }

  func create(_ bytes: Data, as name: String) throws -> Bool {
    let body = lock.withLock {
      defer { beforeCreation = nil }
      return beforeCreation
    }
    body?()
    return try request { objects in
      guard objects[name] == nil else { return false }
      objects[name] = bytes
      return true
    }
  }

  func remove(_ name: String) throws { try request { _ = $0.removeValue(forKey: name) } }

  func names(in folder: String) throws -> [String] {
    let prefix = folder.isEmpty ? "" : folder + "/"
    return try request { objects in
      let found = objects.keys.filter { $0.hasPrefix(prefix) && !self.unlisted.contains($0) }
      return Set(found.map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }).shuffled()
    }
  }
}
