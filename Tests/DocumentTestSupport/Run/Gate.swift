/// Lets only so many tasks in at once; the others wait in line.
actor Gate {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { free = width }

  /// Runs `body` as soon as there is room.
  func pass<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      // The one who leaves hands its room over, so `free` stays as it is.
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
