internal import CCallStack
import Foundation

/// The stack of the calling thread, and what to do when it comes to its end.
///
/// Codable recurses through values, and decoding through references, too. Past some depth it goes on on the
/// stack of a new thread, while the first one waits. So do the coders of the product GraphCodable.
package struct CallStack {
  /// Below this address only what a thread needs for one more level is left; 0 where the system does not say.
  private let limit: UInt

  /// Kept free: what one `encode(to:)` or `init(from:)`, and the frames around it, may need before the next
  /// check.
  private static let reservedByteCount: UInt = 96 << 10

  /// Of a new thread; the system provides the memory as it is touched.
  package static let newByteCount = 16 << 20

  /// The stack of the calling thread.
  init() {
    let bottom = UInt(ccs_stack_bottom())
    limit = bottom == 0 ? 0 : bottom + Self.reservedByteCount
  }

  /// Whether the calling thread, whose stack this is, has come to its end.
  var isExhausted: Bool { UInt(ccs_stack_pointer()) < limit }

  /// Whether not even what is kept free is left for the most part.
  var isUsedUp: Bool { UInt(ccs_stack_pointer()) &+ Self.reservedByteCount / 3 < limit }

  /// Runs `body` on the stack of a new thread, and waits until the thread has ended.
  ///
  /// - Parameter byteCount: of its stack.
  /// - Returns: nil where the system has no thread to give.
  package static func onNewThread<Value>(
    byteCount: Int = newByteCount, _ body: () throws -> Value
  ) throws -> Value? {
    try withoutActuallyEscaping(body) { body in
      let errand = Errand(body)
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, byteCount)
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      // The errand lives until the thread has been joined.
      let pointer = Unmanaged<AnyErrand>.passUnretained(errand).toOpaque()
      guard pthread_create(&thread, &attributes, { CallStack.runErrand($0) }, pointer) == 0 else {
        return nil
      }
      #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
      #else
        pthread_join(thread, nil)
      #endif
      return try withExtendedLifetime(errand) { try errand.result?.get() }
    }
  }

  private static func runErrand(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { Unmanaged<AnyErrand>.fromOpaque(pointer).takeUnretainedValue().run() }
    return nil
  }
}

/// What a thread is started for.
private class AnyErrand {
  func run() {}
}

private final class Errand<Value>: AnyErrand {
  private let body: () throws -> Value
  private(set) var result: Result<Value, any Error>?

  init(_ body: @escaping () throws -> Value) { self.body = body }

  override func run() { result = Result(catching: body) }
}
