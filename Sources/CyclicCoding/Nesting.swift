internal import GraphCallStack

/// The current depth of encoding or decoding, and the stack that it runs on.
struct Nesting {
  /// The maximum number of nested levels.
  static let maximumDepth = 1 << 17

  private(set) var depth = 0
  /// Found on demand, because the system may take long to answer.
  private var stack: CallStack?

  /// The number of levels that every thread's stack has room for.
  private static let uncheckedDepth = 32

  /// The stack on which the next level can be encoded or decoded.
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

  /// Whether a value may recurse further inside its level.
  mutating func hasRoomInside() -> Bool { !callStack().isUsedUp }

  private mutating func callStack() -> CallStack {
    let stack = self.stack ?? CallStack()
    self.stack = stack
    return stack
  }

  mutating func leave() { depth -= 1 }

  /// The same depth, on the stack of another thread.
  var onOtherStack: Nesting {
    var nesting = Nesting()
    nesting.depth = depth
    return nesting
  }
}
