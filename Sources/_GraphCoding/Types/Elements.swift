import CGraphArchive
import _GraphFiles
import _GraphSupport

// What all containers share: an element kind, a count, the elements; or, where the elements lie side by
// side without padding and references, the packed form.

extension GEncoder {
  /// Writes the elements of a container, each as its static type says.
  @inlinable
  func writeElements<Elements: Sequence>(_ elements: Elements, count: Int) throws
  where Elements.Element: GEncodable {
    try reserve()
    state.pointee.out.putByte(nestedKind(Elements.Element.self).rawValue)
    state.pointee.out.putVarint(UInt64(count))
    try nested(in: Elements.self) {
      if state.pointee.isCareful {
        for element in elements { try writeCareful(element) }
      } else {
        for element in elements { try element._graphWrite(self) }
      }
    }
  }

  /// Writes the elements of an array as `writeElements` does.
  @inlinable
  func writeArray<Element: GEncodable>(
    _ elements: UnsafeBufferPointer<Element>, of array: ArrayStorage
  ) throws {
    if Element._graphIsFieldwise, !state.pointee.isCareful, try unsafe writeRecords(elements) { return }
    guard _canBeClass(Element.self) == 1, !state.pointee.isCareful,
      encoderType(Element.self).pointee.plan == .reference
    else { return try unsafe writeElements(elements, count: elements.count) }
    try reserve()
    state.pointee.out.putByte(GraphKind.reference.rawValue)
    state.pointee.out.putVarint(UInt64(elements.count))
    try nested(in: Element.self) { try unsafe writeReferences(elements, of: array) }
  }

  /// Writes packed elements: format, count, then the bytes here or, if they are many, in a segment.
  ///
  /// - Parameter owner: keeps the elements unchanged until the archive is written, and shows them again then.
  func writePacked(
    _ elements: PackedBytes, count: Int, format: PackedFormat, owner: @autoclosure () -> any PackedOwner
  ) throws {
    try reserve()
    putFormat(format)
    try writePackedElements(elements, count: count, format: format, owner: owner())
  }

  /// What packed elements are stored to, and how they are rounded to it in place.
  ///
  /// - Parameter layout: the fields of packed structs.
  func rounding(
    _ format: PackedFormat, _ layout: Contents.Layout?
  ) -> (precision: GPrecision?, rounding: Rounding?) {
    // Integers are not rounded.
    guard let precision = tables.precision, Rounding.changes(format, layout) else { return (nil, nil) }
    return (precision, Rounding(precision, format, layout))
  }

  /// Writes packed elements behind their format.
  ///
  /// - Parameter layout: the fields of packed structs.
  @inline(never)
  func writePackedElements(
    _ elements: PackedBytes, count: Int, format: PackedFormat, layout: Contents.Layout? = nil,
    owner: @autoclosure () -> any PackedOwner
  ) throws {
    try reserve()
    let (precision, rounding) = rounding(format, layout)
    let byteCount = elements.byteCount
    if byteCount < BulkArray.minimumByteCount {
      try reserve(byteCount: byteCount + 9)
      state.pointee.out.putVarint(UInt64(count) << 1)
      unsafe state.pointee.out.putBytes(byteCount) {
        unsafe elements.copy(0..<byteCount, to: $0)
        unsafe rounding?.apply(to: $0)
      }
    } else {
      state.pointee.out.putVarint(UInt64(count) << 1 | 1)
      state.pointee.out.putVarint(UInt64(tables.bulk.count))
      tables.bulk.append(
        BulkArray(
          byteCount: byteCount, elementByteCount: elements.elementByteCount, format: format,
          precision: precision, rounding: rounding, compression: tables.compression, owner: owner()))
    }
  }
}

extension BulkArray {
  /// Shorter arrays stay in the graph stream: a segment of their own costs some hundred bytes and a call.
  static let minimumByteCount = 16 << 10
}

extension GDecoder {
  /// Reads elements into new storage, which `append` owns.
  @inlinable
  func readElements<Element: GDecodable>(
    _ type: Element.Type, _ kind: GraphKind, count: Int, append: (Element) throws -> Void
  ) throws {
    var index = 0
    do {
      try nested {
        while index < count {
          try append(Element._graphRead(self, kind))
          index += 1
        }
      }
    } catch { throw inElement(index, error) }
  }

  /// Reads elements into the storage of an array, as `readElements` does.
  @inlinable
  func readArray<Element: GDecodable>(_ type: Element.Type) throws -> [Element] {
    let (kind, count) = try readListHead()
    if count == 0 { return [] }
    try takeRoom(forArrayOf: count, stride: MemoryLayout<Element>.stride)
    return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, index in
      // Of an array that is not finished, the elements before `index` are destroyed by the initializer.
      guard let elements = buffer.baseAddress else { return }
      let fieldwise = kind == .record ? Element._graphFieldwise : nil
      if count >= Self.manyElements { unsafe Self.expectFill(UnsafeMutableRawBufferPointer(buffer)) }
      do {
        try nested {
          while index < count {
            // `index` is below the capacity.
            if let fieldwise {
              try unsafe readRecord(into: UnsafeMutableRawPointer(elements + index), fieldwise)
            } else {
              unsafe (elements + index).initialize(to: try Element._graphRead(self, kind))
            }
            index += 1
          }
        }
      } catch {
        giveBackRoom(forArrayOf: count, stride: MemoryLayout<Element>.stride)
        throw inElement(index, error)
      }
    }
  }

  /// What an array has in front of its elements, and `malloc` in front of that.
  @inlinable static var arrayHeadByteCount: Int { 48 }

  /// Fewer elements are not worth a look at how much memory they take.
  @inlinable static var manyElements: Int { 1 << 14 }

  @usableFromInline
  @inline(never)
  static func expectFill(_ memory: UnsafeMutableRawBufferPointer) {
    unsafe gca_memory_expect_fill(memory.baseAddress, memory.count)
  }

  @usableFromInline
  @inline(never)
  func inElement(_ index: Int, _ error: any Error) -> any Error {
    guard var graphError = error as? GCodableError else { return error }
    graphError.prepend("[\(index)]")
    return graphError
  }

  /// A packed array whose elements are known to be there.
  @usableFromInline
  struct Packed {
    @usableFromInline let elements: PackedElements
    /// nil where the elements stand in the stream.
    let segment: ArchiveReader.OpenSegment?
    /// What expands the segment where the elements are only some of its, and the first of their bytes there.
    var window: (segment: SegmentWindow, start: Int)?

    @usableFromInline var format: PackedFormat { elements.format.plain }
    @usableFromInline var count: Int { elements.count }
  }

  /// Reads the head of a packed array and checks that the elements are there.
  ///
  /// - Parameter kind: `packed` or `packedStructs`.
  @usableFromInline
  func readPackedHead(_ kind: GraphKind = .packed) throws -> Packed {
    let elements = try state.pointee.stream.readPacked(kind)
    if elements.count > 0 { try takeRoom(byteCount: Self.arrayHeadByteCount) }
    // Opened before memory is taken: an open segment has its blocks in the archive.
    return Packed(elements: elements, segment: try openSegment(of: elements))
  }

  /// Opens the bulk segment of a packed array; nil where its elements stand in the stream.
  package func openSegment(of elements: PackedElements) throws -> ArchiveReader.OpenSegment? {
    guard case .segment(let number) = elements.place else { return nil }
    return try tables.reader.open(tables.reader.contents.bulk[number])
  }

  /// Notes where a packed array is, whose head has just been read, if it stands for a bulk segment.
  ///
  /// - Throws: `malformed` where another array does so as well.
  package func noteMention(of array: PackedElements) throws {
    guard case .segment(let number) = array.place else { return }
    try tables.noteMention(of: tables.reader.contents.bulk[number].offset, at: streamOffset)
  }

  /// Fills memory with the elements of a packed array, which has room for them with their padding.
  @usableFromInline
  func fill(_ memory: UnsafeMutableRawBufferPointer, _ packed: Packed, stride: Int) throws {
    // The memory is that of an array, which is filled within its initializer.
    let room = unsafe PackedRoom(
      memory: memory, elementByteCount: packed.elements.elementByteCount, stride: stride)
    if let (window, start) = packed.window {
      try window.fill(room, with: start..<(start + packed.elements.byteCount))
    } else if let open = packed.segment {
      try tables.noteExpansion(of: open, mentionedAt: streamOffset)
      try tables.reader.expand(open, into: room)
    } else if case .stream(let bytes) = packed.elements.place {
      unsafe room.fill(from: 0, bytes)
    }
    if packed.format.scalar == .bool {
      guard unsafe memory.allSatisfy({ $0 <= 1 }) else { throw malformed("a Bool is neither 0 nor 1") }
    }
  }

  /// Reads a packed array as elements of `type`, straight into their storage where that has no padding.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func readPacked<Element: GDecodable>(_ type: Element.Type) throws -> [Element] {
    let start = state.pointee.stream.input
    return try makeArray(type, readPackedHead(), from: start)
  }

  /// Makes elements of `type` of packed ones.
  ///
  /// - Parameters:
  ///   - start: in front of the head of the array, for errors.
  ///   - isMissing: whether something stands in the place of an element that is not used.
  @_semantics("optimize.sil.specialize.generic.never")
  func makeArray<Element: GDecodable>(
    _ type: Element.Type, _ packed: Packed, from start: StreamReader,
    except isMissing: ((Int) -> Bool)? = nil
  ) throws -> [Element] {
    guard packed.format == Element._graphDecodedFormat || (packed.format == .byte && type == UInt8.self)
    else { return try makeConverted(type, packed, from: start) }
    // The format is declared for types only that consist of the format's scalars.
    return try unsafe [Element](trivial: packed.count) { memory in
      try unsafe fill(memory, packed, stride: MemoryLayout<Element>.stride)
      guard let refuses = Element._graphRefuses else { return }
      let elements = unsafe memory.assumingMemoryBound(to: Element.self)
      for bad in elements.indices where unsafe refuses(elements[bad]) && isMissing?(bad) != true {
        throw inElement(bad, invalidValue(type, "its bytes are not a value of the type"))
      }
    }
  }
}

extension PackedFormat: CustomStringConvertible {
  /// The scalar and the lanes: `float64`, `float32 × 4`.
  public var description: String {
    if self == .utf8 { return "string" }
    guard let scalar, let meaning else { return "format 0x\(String(rawValue, radix: 16))" }
    let text = laneCount == 1 ? "\(scalar)" : "\(scalar) × \(laneCount)"
    return meaning == .none ? text : "\(text) (\(meaning))"
  }
}
