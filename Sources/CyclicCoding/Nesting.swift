internal import GraphCallStack

/// How deep values nest while they are encoded or decoded, and on which stack they do.
struct Nesting {
  /// Levels that may lie inside each other.
  static let maximumDepth = 1 << 17

  private(set) var depth = 0
  /// Found when it is first needed, since the system may take long to answer.
  private var stack: CallStack?

  /// Levels that every thread's stack has room for.
  private static let uncheckedDepth = 32

  /// Where a level can be encoded or decoded.
  enum Room {
    case here
    case onNewStack
    case nowhere
  }

  /// Enters a level.
  mutating func enter() -> Room {
    depth += 1
    guard depth > Self.uncheckedDepth else { return .here }
    guard depth <= Self.maximumDepth else { return .nowhere }
    return callStack().isExhausted ? .onNewStack : .here
  }

  /// Whether there is room for what a value does inside its level.
  mutating func hasRoomInside() -> Bool { !callStack().isUsedUp }

  private mutating func callStack() -> CallStack {
    let stack = self.stack ?? CallStack()
    self.stack = stack
    return stack
  }

  mutating func leave() { depth -= 1 }

  /// The same depth on the stack of another thread.
  var onOtherStack: Nesting {
    var nesting = Nesting()
    nesting.depth = depth
    return nesting
  }
}
