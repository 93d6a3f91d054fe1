import CCallStack

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// The checks are public because the compiler inlines nothing that is `package` into another module. No product
// exports this one.

/// The stack of the calling thread.
///
/// Coders recurse through values, and when they decode, through references, too. When a thread's stack runs out, they continue on
/// the stack of a new thread while the first one waits.
public struct CallStack {
  /// Below this address, only one more level fits on the stack; 0 if the system does not tell.
  public let limit: UInt

  /// Kept free: what one `encode(to:)` or `init(from:)`, and the frames around it, may need before the next check.
  @inlinable public static var reservedByteCount: UInt { 96 << 10 }

  /// Finds the end of the calling thread's stack.
  ///
  /// - Parameter byteCount: what is kept free.
  @inlinable
  public init(reserving byteCount: UInt = reservedByteCount) {
    let bottom = UInt(gca_stack_bottom())
    limit = bottom == 0 ? 0 : bottom + byteCount
  }

  /// Whether the calling thread's stack, which this is, has run out.
  @inlinable public var isExhausted: Bool { UInt(gca_stack_pointer()) < limit }

  /// Whether most of what is kept free is used, too.
  @inlinable public var isUsedUp: Bool { UInt(gca_stack_pointer()) &+ Self.reservedByteCount / 3 < limit }
}

extension CallStack {
  /// The stack size of a new thread; the system provides the memory as it is touched.
  package static let newByteCount = 16 << 20

  /// Runs `body` on the stack of a new thread, and waits until the thread has ended.
  ///
  /// Task-local values do not reach that thread.
  ///
  /// - Parameter byteCount: the size of its stack.
  /// - Returns: what `body` returns; nil if the system has no thread to give.
  package static func onNewThread<Value>(
    byteCount: Int = newByteCount, _ body: () throws -> Value
  ) throws -> Value? {
    try withoutActuallyEscaping(body) { body in
      let job = Job(body)
      // The C functions use the addresses of variables, or of the job, only during the call.
      var attributes = pthread_attr_t()
      unsafe pthread_attr_init(&attributes)
      defer { unsafe pthread_attr_destroy(&attributes) }
      unsafe pthread_attr_setstacksize(&attributes, byteCount)
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      // Safe because the job lives until the thread has been joined.
      let pointer = unsafe Unmanaged<AnyJob>.passUnretained(job).toOpaque()
      guard unsafe pthread_create(&thread, &attributes, { unsafe CallStack.runJob($0) }, pointer) == 0 else {
        return nil
      }
      #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_join(thread, nil) }
      #else
        pthread_join(thread, nil)
      #endif
      return try withExtendedLifetime(job) { try job.result?.get() }
    }
  }

  private static func runJob(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // The job of `onNewThread`.
    if let pointer = unsafe pointer {
      unsafe Unmanaged<AnyJob>.fromOpaque(pointer).takeUnretainedValue().run()
    }
    return nil
  }
}

/// What a thread is started for.
private class AnyJob {
  func run() {}
}

private final class Job<Value>: AnyJob {
  private let body: () throws -> Value
  private(set) var result: Result<Value, any Error>?

  init(_ body: @escaping () throws -> Value) { self.body = body }

  override func run() { result = Result(catching: body) }
}
