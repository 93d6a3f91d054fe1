import CGraphArchive

/// Which objects belong to a part that is decoded as if it were the root: those that references lead to from there.
///
/// A conditional reference leads to an object only if another one does so, inside of the part: otherwise a weak parent
/// would bring all of the graph along.
struct PartReach {
  /// The value, behind its kind.
  let kind: GraphKind
  let offset: UInt64
  /// By number; nil until the first conditional reference.
  var isReached: [Bool]?
}

extension GDecoder {
  /// Whether an object that is stored belongs to what is decoded, be it the root or a part.
  func isReached(_ number: UInt32) -> Bool {
    guard let reach = tables.part else { return true }
    let isReached = reach.isReached ?? findReached(reach)
    return isReached[Int(number)]
  }

  /// Follows all references of the part but conditional ones.
  private func findReached(_ reach: PartReach) -> [Bool] {
    let (input, depth, deferredKeys) = (state.pointee.input, state.pointee.frame.depth, tables.deferredKeys)
    // Passing over values, one visits nothing through keys that are deferred.
    tables.deferredKeys = DeferredKeys()
    defer {
      state.pointee.input = input
      state.pointee.frame.depth = depth
      tables.deferredKeys = deferredKeys
    }
    let stream = tables.streamBytes
    gca_reader_init(
      &state.pointee.input, stream.baseAddress?.assumingMemoryBound(to: UInt8.self), stream.count)
    let isReached: [Bool]
    do { isReached = try reached(from: reach) } catch {
      // What cannot be read may lead anywhere. Who needs it gets the error.
      isReached = Array(repeating: true, count: tables.objectCount)
    }
    tables.part?.isReached = isReached
    return isReached
  }

  private func reached(from part: PartReach) throws -> [Bool] {
    var isReached = Array(repeating: false, count: tables.objectCount)
    var list: [UInt32] = []
    func reach(_ number: UInt32) {
      guard !isReached[Int(number)], state.pointee.objects[Int(number)].offset != ObjectSlot.notStored else {
        return
      }
      isReached[Int(number)] = true
      list.append(number)
    }
    func passOver(_ kind: GraphKind, conditional: Bool = false) throws {
      state.pointee.frame.depth = 0
      try skip(kind) { number, kind in if conditional || kind == .reference { reach(number) } }
    }
    state.pointee.input.cursor = state.pointee.input.base + Int(part.offset)
    var kind = part.kind
    while kind == .tagged { kind = GraphKind(rawValue: try readByte()) }
    // The path has led to what is behind the reference.
    try passOver(kind, conditional: kind == .conditional)
    while let number = list.popLast() {
      try move(toObject: number)
      try passOver(.record)
    }
    return isReached
  }
}
