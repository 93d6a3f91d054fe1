import CGraphArchive
import _GraphFiles
import _GraphSupport

// Strings are made of many at once: what they need to be checked for is looked for in all of their bytes first.

extension GDecoder {
  /// Reads an array of strings that are packed.
  ///
  /// - Returns: nil, and the cursor stays, for other nested arrays and for whatever is not as it should be, of which
  ///   `readNested` has the errors.
  @usableFromInline
  func readStrings() throws -> [String]? {
    let start = state.pointee.stream.input
    guard let head = try state.pointee.stream.readStringsHead() else {
      state.pointee.stream.input = start
      return nil
    }
    if head.count == 0 { return [] }
    let segment = try openSegment(of: head.elements)
    try takeRoom(forArrayOf: head.count, stride: MemoryLayout<String>.stride)
    var lengths = head.lengths
    do {
      return try unsafe [String](unsafeUninitializedCapacity: head.count) { buffer, count in
        if head.count >= Self.manyElements { unsafe Self.expectFill(UnsafeMutableRawBufferPointer(buffer)) }
        // Of an array that is not finished, the strings before `count` are destroyed by the initializer.
        if let segment { try tables.noteExpansion(of: segment, mentionedAt: streamOffset) }
        if let segment, let bytes = try unsafe tables.reader.inPlace(segment) {
          try unsafe makeStrings(bytes, &lengths, head.count, into: buffer, &count)
        } else if let segment {
          try unsafe makeStrings(head, segment, &lengths, into: buffer, &count)
        } else if case .stream(let bytes) = head.elements.place {
          try unsafe makeStrings(bytes, &lengths, head.count, into: buffer, &count)
        }
      }
    } catch {
      giveBackRoom(forArrayOf: head.count, stride: MemoryLayout<String>.stride)
      throw error
    }
  }

  /// Makes strings of the bytes of a segment, some blocks at a time.
  private func makeStrings(
    _ head: StringsHead, _ segment: ArchiveReader.OpenSegment, _ lengths: inout StringLengths,
    into buffer: UnsafeMutableBufferPointer<String>, _ count: inout Int
  ) throws {
    let window = try SegmentWindow(tables.reader, segment)
    var (text, start) = (try RawBytes(byteCount: 0), 0)
    while count < head.count {
      var next = lengths
      let (stringCount, byteCount) = next.take(atMost: head.count - count, byteCount: Self.textByteCount)
      if unsafe text.buffer.count < byteCount { text = try RawBytes(byteCount: byteCount) }
      try unsafe text.fill { memory in
        try unsafe window.fill(
          PackedRoom(UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount])),
          with: start..<(start + byteCount))
      }
      // It has so many bytes, at least.
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: text.buffer[..<byteCount])
      try unsafe makeStrings(bytes, &lengths, count + stringCount, into: buffer, &count)
      start += byteCount
    }
    withExtendedLifetime(text) {}
  }

  /// Bytes of strings that are expanded at a time.
  private static var textByteCount: Int { 1 << 18 }

  /// Makes strings of bytes that lie one behind the other.
  ///
  /// - Parameters:
  ///   - end: how many strings there are then.
  ///   - count: how many there are.
  private func makeStrings(
    _ bytes: UnsafeRawBufferPointer, _ lengths: inout StringLengths, _ end: Int,
    into buffer: UnsafeMutableBufferPointer<String>, _ count: inout Int
  ) throws {
    guard let strings = buffer.baseAddress else { return }
    let isASCII = unsafe gca_is_ascii(bytes.baseAddress, bytes.count)
    let isUsable = state.pointee.smallStrings
    var input = unsafe StreamReader(bytes)
    // Copies, which need not be in memory while calls are made.
    var (index, left) = (count, lengths)
    defer { (count, lengths) = (index, left) }
    while index < end {
      let length = left.next()
      // `index` is below the capacity, and the bytes have as many as the lengths say.
      if let small = input.takeSmallString(UInt64(truncatingIfNeeded: length), isUsable: isUsable) {
        unsafe (strings + index).initialize(to: small.string)
      } else if let text = unsafe input.nextBytes(length) {
        let string: String
        if isASCII {
          string = unsafe String(asciiBytes: text)
        } else {
          do { string = try unsafe self.string(text) } catch { throw inElement(index, error) }
        }
        unsafe (strings + index).initialize(to: string)
      } else {
        throw malformed("strings have fewer bytes than their lengths say")
      }
      index &+= 1
    }
  }

  /// A string of bytes that must be valid UTF-8.
  func string(_ bytes: UnsafeRawBufferPointer) throws -> String {
    guard let string = unsafe String(validatingUTF8Bytes: bytes) else {
      throw invalidValue(String.self, "\(bytes.count) bytes are not valid UTF-8")
    }
    // Nothing for strings of a line or two: a mark has two bytes at least.
    if bytes.count / 2 > min(state.pointee.combiningMarkCount, CombiningMarks.maximumNameCount) {
      noteMarks(in: string)
    }
    return string
  }
}

/// What stands in front of the bytes of packed strings.
struct StringsHead {
  let count: Int
  let lengths: StringLengths
  /// The bytes of all of them.
  let elements: PackedElements
}

/// The lengths of strings that follow each other, which have been looked at before.
struct StringLengths {
  /// nil where each has its own.
  fileprivate let uniform: Int?
  fileprivate var input = StreamReader()

  @inline(__always)
  mutating func next() -> Int {
    if let uniform { return uniform }
    return Int(truncatingIfNeeded: input.isFast ? input.takeVarint() : input.nextVarint() ?? 0)
  }

  /// Moves behind some lengths: as many as fit, or one.
  fileprivate mutating func take(atMost most: Int, byteCount limit: Int) -> (count: Int, byteCount: Int) {
    if let uniform {
      let count = min(max(limit / uniform, 1), most)
      return (count, count * uniform)
    }
    var (count, byteCount) = (0, 0)
    while count < most, count == 0 || byteCount < limit {
      byteCount += next()
      count += 1
    }
    return (count, byteCount)
  }
}

extension GraphStream {
  /// Reads what stands in front of packed strings, and moves behind their bytes if these follow.
  ///
  /// - Returns: nil for all that is not as it should be.
  mutating func readStringsHead() throws -> StringsHead? {
    guard try takeVarint() == PackedFormat.utf8.rawValue, try takeVarint() == 2 else { return nil }
    var count = try takeVarint()
    if count == 1 {
      // One by one, of which there is one.
      count = try takeVarint()
    } else {
      guard count > 0, count & 1 == 0 else { return nil }
      count >>= 1
    }
    let head = try takeVarint()
    var (byteCount, uniform): (UInt64, Int?) = (0, nil)
    let lengths: StreamReader
    if head == 1 {
      guard count <= byteCountLeft else { return nil }
      let start = input.offset
      for _ in 0..<count {
        let (sum, isTooLarge) = byteCount.addingReportingOverflow(try takeVarint())
        guard !isTooLarge, sum <= Int.max else { return nil }
        byteCount = sum
      }
      // Where they are now: the stream may have been expanded meanwhile.
      var here = input
      here.cursor = here.position(at: start)
      lengths = here
    } else {
      guard head > 0, head & 1 == 0, head >> 1 <= Int.max,
        case (let product, false) = count.multipliedReportingOverflow(by: head >> 1), product <= Int.max
      else { return nil }
      (byteCount, uniform, lengths) = (product, Int(head >> 1), input)
    }
    let place = try takeVarint()
    let element = PackedElements.Element.scalars(.utf8)
    let bytes: PackedElements.Bytes =
      place == 0
      ? unsafe .stream(try readBytes(byteCount))
      : .segment(try segmentNumber(place - 1, element, byteCount))
    return StringsHead(
      count: Int(count), lengths: StringLengths(uniform: uniform, input: lengths),
      elements: PackedElements(
        element: element, elementByteCount: 1, count: Int(byteCount), place: bytes))
  }
}
