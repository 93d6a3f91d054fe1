import _GraphCoding
import _GraphFiles
import _GraphSupport

/// The parts of the value that a walk stands at, one after the other.
struct PartList {
  let contents: PartWalk.Contents
  /// How many there are; of a record, those of its shape until `countAll` has counted the others.
  private(set) var count: Int
  /// The place of the part that is next.
  private var index = 0
  private var unkeyedCount = 0
  /// Where the key of the last part is, in a dictionary whose keys are neither strings nor integers.
  private(set) var keyPosition: PartWalk.Position?

  /// Moves the walk into the value that it stands at.
  @inline(never)
  init(_ walk: inout PartWalk) throws {
    contents = try walk.contents()
    count =
      switch contents.form {
      case .fields(let shape): shape.pointee.fieldCount
      case .elements(_, let count), .pairs(_, _, let count): count
      case .packed(let array): array.count
      case .rows(let part): part.count
      case .optionals(let optionals, _): optionals.count
      case .packedFields(let part): part.formats.count
      case .single, .packedSingle, .text, .nothing: 0
      }
  }

  /// Moves the walk to the next part, and gives the step that leads there; nil behind the last one.
  ///
  /// The walk has been moved behind the part before.
  @inline(never)
  mutating func next(_ walk: inout PartWalk) throws -> GraphPath.Step? {
    switch contents.form {
    case .fields: return try nextField(&walk)
    case .elements:
      guard let element = try walk.nextPart() else { return nil }
      walk.stand(at: .stored(element.kind))
    case .pairs: return try nextPair(&walk)
    case .packed(let array):
      guard index < count else { return nil }
      walk.stand(at: .packed(PackedPart(array: array, index: index)))
    case .rows(let part):
      // An index in a slice leads to an element of each of its parts.
      guard index < count, !part.isSlice else { return nil }
      walk.stand(at: part.part(index))
    case .optionals(let optionals, let presence):
      guard index < count else { return nil }
      walk.stand(at: optionals.part(index, presence))
    case .packedFields(let part):
      guard index < count else { return nil }
      walk.stand(at: .packed(PackedPart(array: part.array, index: part.index, field: index)))
      defer { index += 1 }
      return walk.key(ofField: index, in: part.array) ?? .index(index)
    case .single, .packedSingle, .text, .nothing: return nil
    }
    defer { index += 1 }
    return .index(index)
  }

  /// Moves past the fields of a record's shape, so that `count` includes its overflow fields.
  mutating func countAll(_ walk: inout PartWalk) throws {
    guard case .fields(let shape) = contents.form, shape.pointee.isOpen else { return }
    while index < shape.pointee.fieldCount, try next(&walk) != nil { try walk.pass() }
    count += try walk.overflowFieldCount()
  }

  private mutating func nextField(_ walk: inout PartWalk) throws -> GraphPath.Step? {
    guard let field = try walk.nextPart() else { return nil }
    index += 1
    walk.stand(at: .stored(field.kind))
    guard field.keyNumber == 0 else { return .key(walk.decoder.tables.keys[Int(field.keyNumber) - 1]) }
    defer { unkeyedCount += 1 }
    return .index(unkeyedCount)
  }

  private mutating func nextPair(_ walk: inout PartWalk) throws -> GraphPath.Step? {
    guard let key = try walk.nextPart() else { return nil }
    walk.stand(at: .stored(key.kind))
    keyPosition = walk.position
    var step = GraphPath.Step.index(index)
    if let name = try walk.name() {
      keyPosition = nil
      step = name
    } else {
      try walk.pass()
    }
    guard let value = try walk.nextPart() else { return nil }
    walk.stand(at: .stored(value.kind))
    index += 1
    return step
  }
}

extension PartList {
  /// Moves the walk to the part that a step leads to.
  ///
  /// - Throws: `keyNotFound`, `valueNotFound` or `typeMismatch` where there is none.
  mutating func move(_ walk: inout PartWalk, to step: GraphPath.Step) throws {
    guard mayHave(step) else { throw noSuchParts(step, walk) }
    switch (contents.form, step) {
    case (.packed(let array), .range):
      guard let value = ArrayPart(array).part(step) else { throw notFound(step, walk) }
      return walk.stand(at: value)
    case (.rows(let part), _):
      guard let value = part.part(step) else { throw notFound(step, walk) }
      return walk.stand(at: value)
    case (.packed, .index(let index)), (.packedFields, .index(let index)), (.optionals, .index(let index)):
      // Found by its place, whether or not it has a key.
      guard (0..<count).contains(index) else { throw notFound(step, walk) }
      self.index = index
      _ = try next(&walk)
      return
    default: break
    }
    while let next = try next(&walk) {
      if next == step { return }
      try walk.pass()
    }
    throw notFound(step, walk)
  }

  /// Whether there could be such a step.
  private func mayHave(_ step: GraphPath.Step) -> Bool {
    switch (contents.form, step) {
    case (.fields, _), (.elements, .index), (.packed, .index), (.packed, .range), (.packedFields, .index),
      (.optionals, .index), (.nothing, _):
      true
    case (.rows(let part), .index), (.rows(let part), .range): part.hasParts
    case (.packedFields(let part), .key(_)): part.array.layout?.fields.contains { $0.keyNumber != 0 } == true
    case (.pairs(let keyKind, _, _), .key): keyKind.isName || keyKind == .record
    case (.pairs, .index(_)): true
    default: false
    }
  }

  @inline(never)
  private func noSuchParts(_ step: GraphPath.Step, _ walk: PartWalk) -> GCodableError {
    let part =
      switch step {
      case .key(let key): "key \"\(key)\""
      case .index(let index): "index \(index)"
      case .range(let range): "range \(range)"
      }
    return GCodableError(
      .typeMismatch,
      "the archive has a value of kind \(contents.kind), which has no parts to find by \(part)",
      byteOffset: walk.decoder.streamOffset)
  }

  @inline(never)
  private func notFound(_ step: GraphPath.Step, _ walk: PartWalk) -> GCodableError {
    @inline(never)
    func error(_ code: GCodableError.Code, _ message: String) -> GCodableError {
      GCodableError(code, message, byteOffset: walk.decoder.streamOffset)
    }
    switch (contents.form, step) {
    case (.nothing, _): return error(.valueNotFound, "there is nil where a value with parts is asked for")
    case (.pairs, .index(let key)) where keyPosition == nil:
      return error(.keyNotFound, "there is no value for key \(key)")
    case (_, .key(let key)): return error(.keyNotFound, "there is no value for key \"\(key)\"")
    case (.fields, .index(let index)):
      return error(.valueNotFound, "no value \(index) without a key: there are \(unkeyedCount)")
    case (_, .index(let index)):
      return error(.valueNotFound, "no element \(index): there are \(count)")
    case (_, .range(let range)):
      return error(.valueNotFound, "no elements \(range): there are \(count)")
    }
  }
}

extension PackedOptionals {
  /// One of the elements.
  fileprivate func part(_ index: Int, _ presence: Presence) -> PartWalk.Value {
    guard presence[index] else { return .missing }
    return kind == .nestedPacked
      ? ArrayPart(array).part(index) : .packed(PackedPart(array: array.elements, index: index))
  }
}

extension PartWalk {
  /// The step to a field of packed structs by its key; nil where it has none.
  func key(ofField index: Int, in array: PackedElements) -> GraphPath.Step? {
    guard let keyNumber = array.layout?.fields[index].keyNumber, keyNumber != 0 else { return nil }
    return .key(decoder.tables.keys[Int(keyNumber) - 1])
  }

  /// Moves along a path.
  ///
  /// - Throws: `keyNotFound` for a key that is not there, `valueNotFound` for an index that is too high, and for nil on
  ///   the way, `typeMismatch` for a value without such parts; each with the path as far as it went.
  ///
  /// - Parameter first: how many steps have led to where it stands.
  mutating func move(along path: GraphPath, from first: Int = 0) throws {
    for (index, step) in path.steps.enumerated().dropFirst(first) {
      do {
        var parts = try PartList(&self)
        try parts.move(&self, to: step)
      } catch {
        throw path.steps[..<index].leading(to: error)
      }
    }
  }
}

extension Collection<GraphPath.Step> where Self: BidirectionalCollection {
  /// An error with the steps prepended to its path.
  @inline(never)
  func leading(to error: any Error) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.keyPath = map(\.errorText) + graphError.keyPath
    graphError.keyPath.shorten(to: GCodableError.maximumKeyPathCount)
    return graphError
  }
}
