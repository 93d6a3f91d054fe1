import _GraphFiles
import _GraphSupport

/// The objects of a part that is decoded as if it were the root: those reachable from there.
///
/// A conditional reference counts only if another reference inside the part leads to the object; otherwise a weak parent would
/// bring along the whole graph.
package struct PartReach {
  /// The value, after its kind.
  let kind: GraphKind
  let offset: UInt64
  /// By number; nil until the first conditional reference.
  var isReached: [Bool]?

  package init(kind: GraphKind, offset: UInt64, isReached: [Bool]? = nil) {
    (self.kind, self.offset, self.isReached) = (kind, offset, isReached)
  }
}

extension GDecoder {
  /// Whether a stored object belongs to what is decoded, the root or a part.
  func isReached(_ number: UInt32) -> Bool {
    guard let reach = tables.part else { return true }
    let isReached = reach.isReached ?? findReached(reach)
    return isReached[Int(number)]
  }

  /// Follows all references of the part but conditional ones.
  private func findReached(_ reach: PartReach) -> [Bool] {
    let input = state.pointee.stream.input
    defer { state.pointee.stream.input = input }
    state.pointee.stream.rewind()
    let isReached: [Bool]
    do { isReached = try reached(from: reach) } catch {
      // Unreadable bytes may lead anywhere. The error is thrown when they are needed.
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
    state.pointee.stream.move(to: part.offset)
    // A conditional reference that the path leads to counts.
    let kind = try state.pointee.stream.readTagged(part.kind)
    let isAsked = kind == .conditional
    try visitReferences(of: kind, skippingDeferred: false) { if !$1 || isAsked { reach($0) } }
    while let number = list.popLast() {
      try move(toObject: number)
      try visitReferences(of: .record, skippingDeferred: false) { if !$1 { reach($0) } }
    }
    return isReached
  }
}
