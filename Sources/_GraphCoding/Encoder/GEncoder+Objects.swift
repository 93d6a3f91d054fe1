import Foundation
import _GraphFiles
import _GraphSupport

/// The whole graph: the root, then the objects it leads to, one after the other.
extension GEncoder {
  /// Writes the root: its kind, then the value.
  @inlinable
  package func writeRoot<Root: GEncodable>(_ root: Root) throws {
    try reserve()
    state.pointee.out.putByte(nestedKind(Root.self).rawValue)
    try writeNested(root)
  }

  /// Encodes a root and everything reachable from it into the graph stream, and makes the object index.
  ///
  /// - Parameter start: where the graph stream begins in what has been put.
  func encodeGraph(
    from start: Int = 0, _ writeRoot: (GEncoder) throws -> Void
  ) throws -> ObjectIndex.Builder {
    // They hold this encoder.
    defer {
      if tables.codable != nil { tables.codable = nil }
      tables.comparison.end()
    }
    try writeRoot(self)
    var index = ObjectIndex.Builder(start)
    var place = 0
    while place < state.pointee.objects.enqueuedCount {
      index.append(offset: UInt64(state.pointee.out.count))
      state.pointee.objects.prefetch(place + 4)
      try encodeObject(state.pointee.objects.enqueued(place))
      place += 1
    }
    // An error that an `encode(to:)` has caught still leaves its value incomplete.
    if let failure = tables.failure { throw failure }
    try checkMarks()
    guard tables.keys.names.count + tables.types.classes.count <= GraphDecoder.Limits.defaultNameCount else {
      throw GCodableError(
        .limitExceeded,
        "the graph has more than \(GraphDecoder.Limits.defaultNameCount) keys and classes; store names as values"
      )
    }
    return index
  }

  /// Encodes a root and a limited number of the objects reachable from it.
  ///
  /// - Returns: whether these are all.
  func encodeGraph(_ writeRoot: (GEncoder) throws -> Void, atMost count: Int) throws -> Bool {
    defer { tables.codable = nil }
    try writeRoot(self)
    var index = 0
    while index < min(count, state.pointee.objects.enqueuedCount) {
      try encodeObject(state.pointee.objects.enqueued(index))
      index += 1
    }
    if let failure = tables.failure { throw failure }
    return index == state.pointee.objects.enqueuedCount
  }

  private func encodeObject(_ number: UInt32) throws {
    let entry = state.pointee.objects[number]
    state.pointee.object = number
    state.pointee.depth = 0
    // The entry holds the object, its type the facts, for as long as this encoder lives.
    try entry.instance.withObject { instance in
      do {
        try entry.type.pointee.facts?.withObject { facts in
          if facts.hasUncheckedCoding { return try encodeFirst(instance, entry.type, facts) }
          try facts.encodeObject(instance, self, entry.type)
        }
      } catch { throw failed(error, inObject: number, instance) }
    }
  }
}

// MARK: - Errors and warnings

extension GEncoder {
  /// Notes the first error, so that the encode fails even if user code catches it.
  @inline(never)
  func failed(_ error: GCodableError) -> GCodableError {
    if tables.failure == nil { tables.failure = error }
    return error
  }

  /// Notes an error of any origin that has left a value incomplete.
  @usableFromInline
  @inline(never)
  func noted(_ error: any Error) -> any Error {
    if tables.failure == nil { tables.failure = error }
    return error
  }

  /// Notes an error that leaves a record, with the key of the field that it came from.
  @usableFromInline
  @inline(never)
  func failed(_ error: any Error, in type: Any.Type, leavingTo outer: Pinned<ShapeTransition>)
    -> any Error
  {
    let node = state.pointee.node
    state.pointee.node = outer
    guard var graphError = error as? GCodableError else { return noted(error) }
    if node.pointee.isField {
      let number = node.pointee.keyNumber
      graphError.prepend(
        number == 0 ? "[\(node.pointee.unkeyedCount - 1)]" : tables.keys.names[Int(number) - 1])
    }
    if graphError.typeName == nil { graphError.typeName = _typeName(type, qualified: true) }
    tables.failure = graphError
    return graphError
  }

  @inline(never)
  fileprivate func failed(_ error: any Error, inObject number: UInt32, _ instance: AnyObject) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.prepend("<\(type(of: instance)) \(number)>")
    tables.failure = graphError
    return graphError
  }

  func warn(_ message: @autoclosure () -> String) {
    guard tables.options.contains(.printWarnings) else { return }
    let text = message()
    guard tables.warnings.insert(text).inserted else { return }
    FileHandle.standardError.write(Data("### Warning: \(text).\n".utf8))
  }
}
