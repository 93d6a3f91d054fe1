/// How deep values nest while they are encoded or decoded, and on which stack they do.
struct Nesting {
  /// Levels that may lie inside each other.
  static let maximumDepth = 1 << 17

  private(set) var depth = 0
  /// Found when it is first needed, since the system may take long to answer.
  private var stack: CallStack?

  /// Levels that every thread's stack has room for.
  private static let uncheckedDepth = 32

  /// Enters a level.
  ///
  /// - Returns: whether it has to go to the stack of a new thread.
  mutating func enter() -> Bool {
    depth += 1
    guard depth > Self.uncheckedDepth else { return false }
    let stack = self.stack ?? CallStack()
    self.stack = stack
    return stack.isExhausted
  }

  mutating func leave() { depth -= 1 }

  /// The same depth on the stack of another thread.
  var onOtherStack: Nesting {
    var nesting = Nesting()
    nesting.depth = depth
    return nesting
  }
}
