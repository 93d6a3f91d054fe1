import CycleBreaking
import _GraphSupport

/// Building objects before they are asked for, children first, with a list in place of recursion.
///
/// So chains of objects may have any length. Errors are kept and thrown when the object is asked for.
/// Fields that are known to be deferred are left alone: what they lead to is made when all that is needed at
/// once stands.
extension GDecoder {
  /// Builds what an object refers to, directly or not.
  func prebuildDescendants(of root: UInt32) {
    if tables.visited.isEmpty { tables.visited = Array(repeating: 0, count: tables.objectCount) }
    // Errors of cycles in here concern only what is prebuilt.
    let (cycleCount, firstTainted) = (state.pointee.cycleCount, state.pointee.firstTainted)
    state.pointee.firstTainted = nil
    state.pointee.descentDepth += 1
    defer {
      state.pointee.descentDepth -= 1
      state.pointee.cycleCount = cycleCount
      state.pointee.firstTainted = firstTainted
    }
    // An object that is made may be the first to defer a key. Without what that leads to the order is better.
    for _ in 0..<Self.maximumDescentCount
    where prebuildDescendants(of: root, deferredKeyCount: tables.deferredKeys.count) {
      return
    }
    _ = prebuildDescendants(of: root, deferredKeyCount: nil)
  }

  /// How many times a descent begins anew; more keys than these are found one by one only in forged archives.
  private static let maximumDescentCount = 64

  /// - Parameter deferredKeyCount: how many keys are known to be deferred; nil if that makes no difference.
  /// - Returns: false if more keys have turned out to be deferred, and not all is built.
  private func prebuildDescendants(of root: UInt32, deferredKeyCount: Int?) -> Bool {
    tables.descentCount += 1
    let descent = tables.descentCount
    let ready: UInt32 = 1 << 31  // Set on an object whose children have been dealt with.
    var list = [root]
    while let last = list.popLast() {
      let number = last & ~ready
      let slot = state.pointee.objects.pinned(Int(number))
      if slot.pointee.instance != nil || slot.pointee.isBeingBuilt
        || (state.pointee.hasFailures && tables.hasFailed(number))
      {
        continue
      }
      if last & ready != 0 {
        // Deeper objects stand, so this does not recurse far.
        if number != root { prebuild(number) }
        if let deferredKeyCount, tables.deferredKeys.count != deferredKeyCount { return false }
        continue
      }
      let wasVisited = tables.visited[Int(number)] == descent
      if slot.pointee.offset == ObjectSlot.notStored || wasVisited || (number != root && isLeftAlone(number))
      {
        continue
      }
      tables.visited[Int(number)] = descent
      list.append(number | ready)
      let start = list.count
      visitReferences(of: number) { if !$1 || isReached($0) { list.append($0) } }
      // What comes first in the object is built first.
      list[start...].reverse()
    }
    return true
  }

  /// Whether an object was prebuilt, and discarded because it needs one that is being made.
  func wasDiscarded(_ number: UInt32) -> Bool {
    !tables.visited.isEmpty && tables.visited[Int(number)] == DecoderTables.leftAlone
  }

  /// Whether an earlier descent has found that an object cannot be prebuilt.
  private func isLeftAlone(_ number: UInt32) -> Bool {
    switch tables.visited[Int(number)] {
    case DecoderTables.leftAlone: true
    case DecoderTables.withoutMaker: shape(of: number).map { tables.makers[$0] == nil } ?? true
    default: false
    }
  }

  /// Makes an object that has not been requested yet, if its type is known: its class is in the archive, or
  /// objects of its shape have been asked for.
  ///
  /// It may need an object that is being made, which is no cycle where it would be asked for later. An object
  /// whose `init(from:)` has caught such an error is discarded, and with it what may have got hold of it.
  private func prebuild(_ number: UInt32) {
    guard let shape = shape(of: number) else { return }
    let mark = state.pointee.deferred.mark
    let slot = state.pointee.objects.pinned(Int(number))
    if shape.pointee.classNumber != 0 {
      try? construct(number, NoType.self)
    } else if let maker = tables.makers[shape] {
      try? maker(self, number)
      slot.pointee.isSpeculative = slot.pointee.instance != nil
      if slot.pointee.isSpeculative { tables.speculations[number] = (mark, state.pointee.deferred.mark) }
    } else {
      tables.visited[Int(number)] = DecoderTables.withoutMaker
    }
    slot.pointee.isUnrequested = slot.pointee.instance != nil
    slot.pointee.metadata = 0  // So that it is noted when it is asked for.
    guard let first = state.pointee.firstTainted else { return }
    state.pointee.firstTainted = nil
    while state.pointee.built.count > first {
      let tainted = state.pointee.built.removeLast()
      discard(tainted)
      forgetDeferred(of: tainted, since: mark)
      tables.visited[Int(tainted)] = DecoderTables.leftAlone
    }
  }

  /// An object that was prebuilt, as the type that the first object of its shape was asked for as; made
  /// anew if another type is asked for.
  @_semantics("optimize.sil.specialize.generic.never")
  func confirm<Value: GDecodable>(_ type: Value.Type, _ number: UInt32, _ instance: AnyObject) throws -> Value
  {
    let slot = state.pointee.objects.pinned(Int(number))
    let marks = tables.speculations.removeValue(forKey: number)
    guard let value = try value(of: instance, number, as: type) else {
      discard(number)
      if let marks {
        let count = state.pointee.deferred.remove(of: number, from: marks.start, to: marks.end)
        giveBackRoom(byteCount: count * DeferredFields.Field.byteCount)
      }
      return try readObject(type, number)
    }
    slot.pointee.isSpeculative = false
    noteRequested(number, instance)
    return value
  }

  /// Notes that a prebuilt object has been requested.
  func noteRequested(_ number: UInt32, _ instance: AnyObject) {
    let slot = state.pointee.objects.pinned(Int(number))
    slot.pointee.isUnrequested = false
    slot.pointee.metadata = UInt(bitPattern: ObjectIdentifier(Swift.type(of: instance)))
  }

  /// What has been counted for an object that stands; 0 where that is not known.
  ///
  /// Where no class is stored, an initializer may have made an instance of another class than was asked for.
  private func countedByteCount(of number: UInt32) -> Int {
    guard let instance = state.pointee.objects[Int(number)].instance, let shape = shape(of: number) else {
      return 0
    }
    guard shape.pointee.isClass else {
      return allocatedByteCount(ofInstanceOf: Swift.type(of: instance.object))
    }
    return shape.pointee.classNumber == 0
      ? 0 : (try? resolvedClass(shape).withObject { $0.instanceByteCount }) ?? 0
  }

  /// Discards an object that nothing refers to but what is discarded with it.
  func discard(_ number: UInt32) {
    let slot = state.pointee.objects.pinned(Int(number))
    state.pointee.discardedCount += 1
    giveBackRoom(byteCount: countedByteCount(of: number))
    unsafe slot.pointee.instance?.release()
    slot.pointee.instance = nil
    slot.pointee.isSpeculative = false
    slot.pointee.isUnrequested = false
  }

  private func visitReferences(of number: UInt32, _ visit: (UInt32, Bool) -> Void) {
    let cursor = state.pointee.stream.input.cursor
    defer { state.pointee.stream.input.cursor = cursor }
    // A malformed record is reported when its object is decoded.
    try? visitReferences(ofObject: number, visit)
  }
}

/// Stands for the static type of objects whose class is in the archive.
private struct NoType: GDecodable {
  init(from decoder: GDecoder) throws {
    throw GCodableError(.internalInconsistency, "an object of a stored class has that class")
  }
}
