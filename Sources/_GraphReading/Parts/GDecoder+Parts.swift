import _GraphCoding
import _GraphFiles
import _GraphSupport

/// The place of a part to decode: the cursor is at it, after its kind.
@usableFromInline
struct PartPosition {
  @usableFromInline let kind: GraphKind
  /// Where it ends in the stream.
  let end: UInt64
  /// The value or, for an element of a packed array, an array with it as the only element; the cursor is there.
  var bytes: RawBytes?
  /// Whether an array with the part as its only element is to be read.
  @usableFromInline var isElement = false
}

extension GDecoder {
  /// Decodes the value at a path, then what was deferred.
  @inlinable
  func readPart<Value: GDecodable>(_ type: Value.Type, at path: GraphPath) throws -> Value {
    try readPart(
      at: path, { try Value._graphRead(self, $0) }, { try [Value]._graphRead(self, $0) }, translated: { $0 })
  }

  func readPart<Value: Decodable>(codable type: Value.Type, at path: GraphPath) throws -> Value {
    let reader = codable
    return try readPart(
      at: path, { try reader.type(type).read($0) }, { try reader.type([Value].self).read($0) },
      translated: { reader.translated($0, type, in: 0, nil) })
  }

  /// - Parameters:
  ///   - read: reads the value, which is of a kind.
  ///   - readArray: reads an array of such values.
  ///   - translated: translates their errors to those that the caller expects.
  @inlinable
  func readPart<Value>(
    at path: GraphPath, _ read: (GraphKind) throws -> Value, _ readArray: (GraphKind) throws -> [Value],
    translated: (any Error) -> any Error
  ) throws -> Value {
    // Setters may mention the decoder: it would hold itself.
    defer { forgetDeferred() }
    let place = try find(path)
    do {
      let value = try place.isElement ? onlyElement(of: readArray(place.kind)) : read(place.kind)
      try checkEnd(of: place)  // Which also holds the bytes of an element up to here.
      try runDeferred()
      return value
    } catch { throw translated(inPart(error, path, place)) }
  }

  /// Moves to the value at a path, and expands all of it.
  @usableFromInline
  func find(_ path: GraphPath) throws -> PartPosition {
    let place = try withWalk { walk in
      try walk.move(along: path, from: tables.rootStepCount)
      do { return try walk.place() } catch { throw path.steps[...].leading(to: error) }
    }
    if let bytes = unsafe place.bytes?.buffer {
      // The place holds the bytes.
      state.pointee.stream.input = unsafe StreamReader(bytes)
    } else {
      tables.part = PartReach(kind: place.kind, offset: streamOffset)
    }
    return place
  }

  @usableFromInline
  func onlyElement<Value>(of array: [Value]) throws -> Value {
    guard let element = array.first else { throw malformed("an array has no elements") }
    return element
  }

  @usableFromInline
  func checkEnd(of place: PartPosition) throws {
    if place.bytes == nil { try state.pointee.stream.checkEnd(place.end, of: "the value") }
  }

  /// An error of decoding a part, with the path to the part prepended to its own.
  @usableFromInline
  @inline(never)
  func inPart(_ error: any Error, _ path: GraphPath, _ place: PartPosition) -> any Error {
    if let error = error as? DecodingError { return error.inside(path.steps.map(\.codingKey)) }
    guard var graphError = error as? GCodableError else { return error }
    if place.bytes != nil {
      // It is not in the stream.
      graphError.byteOffset = nil
      if place.isElement, graphError.keyPath.first == "[0]" { graphError.keyPath.removeFirst() }
    }
    // A path that begins with an object, whose field was deferred, is not one from the part.
    if graphError.keyPath.first?.hasPrefix("<") == true { return graphError }
    return path.steps.leading(to: graphError)
  }
}

extension PartWalk {
  /// The place of the value that it stands at.
  fileprivate mutating func place() throws -> PartPosition {
    switch value {
    case .stored(let kind):
      let start = position
      try pass()
      let end = decoder.streamOffset
      try move(to: start)
      return PartPosition(kind: kind, end: end)
    case .row(let part):
      let (elements, extent) = (part.array.elements, part.extent)
      let bytes = try decoder.gather(extent.runs, of: elements, behind: elements.head(of: extent.shape))
      return PartPosition(kind: elements.kind(of: extent.shape), end: 0, bytes: bytes)
    case .missing: return PartPosition(kind: .null, end: 0, bytes: try RawBytes(byteCount: 0))
    case .packed(let part):
      let bytes = try unsafe decoder.withBytes(part.range, of: part.array) { unsafe part.arrayBytes($0) }
      return PartPosition(kind: part.arrayKind, end: 0, bytes: try RawBytes(copying: bytes), isElement: true)
    }
  }
}

extension GraphPath.Step {
  fileprivate var codingKey: any CodingKey {
    switch self {
    case .key(let key): ArchiveKey(stringValue: key)
    case .index(let index): ArchiveKey(intValue: index)
    case .range(let range): ArchiveKey(stringValue: "\(range)")
    }
  }
}

extension DecodingError {
  /// The error with keys prepended to its coding path.
  @inline(never)
  fileprivate func inside(_ keys: [any CodingKey]) -> DecodingError {
    func context(_ context: Context) -> Context {
      Context(
        codingPath: keys + context.codingPath, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError)
    }
    switch self {
    case .typeMismatch(let type, let inner): return .typeMismatch(type, context(inner))
    case .valueNotFound(let type, let inner): return .valueNotFound(type, context(inner))
    case .keyNotFound(let key, let inner): return .keyNotFound(key, context(inner))
    case .dataCorrupted(let inner): return .dataCorrupted(context(inner))
    @unknown default: return self
    }
  }
}
