import _GraphCoding
import _GraphFiles
import _GraphReading

/// Arrays of strings, of optionals, and of numbers that are not packed.
extension GraphDump {
  /// A line for each element of an array of optionals.
  mutating func elements(_ optionals: PackedOptionals) throws {
    let (decoder, array, presence) = (decoder, optionals.array, try optionals.presence(decoder))
    try decoder.noteMention(of: optionals.presence)
    try decoder.noteMention(of: array.elements)
    if array.shape.levels.count == 2, let texts = PackedTexts(array) {
      let reader = try PackedTextReader(texts, decoder)
      for index in 0..<optionals.count { try presence[index] ? text(index, reader) : line("- NIL") }
      return
    }
    guard optionals.kind != .nestedPacked else {
      return try line("- BIV " + ValueText.shortened(ValueText(decoder).text(array)))
    }
    let elements = array.elements
    let (size, open) = (elements.elementByteCount, try decoder.openSegment(of: elements))
    let pieceCount = max(Segment.maximumBlockByteCount / size, 1)
    for start in stride(from: 0, to: optionals.count, by: pieceCount) {
      let places = start..<min(start + pieceCount, optionals.count)
      let range = (places.lowerBound * size)..<(places.upperBound * size)
      func show(_ bytes: UnsafeRawBufferPointer) throws {
        for index in places {
          guard presence[index] else {
            try line("- NIL")
            continue
          }
          // The piece has the element.
          let element = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[((index - start) * size)..<((index - start + 1) * size)])
          let text =
            unsafe elements.layout == nil
            ? ValueText(decoder).text(elements.format, element, of: 1, isArray: false) : "{ \(size) bytes }"
          try line("- BIV " + (options.contains(.readable) ? ValueText.shortened(text) : "{ \(size) bytes }"))
        }
      }
      if let open {
        try unsafe decoder.withBytes(range, of: elements, in: open, show)
      } else {
        try unsafe decoder.withBytes(range, of: elements, show)
      }
    }
  }

  /// A line for each string of one of the arrays of a level.
  mutating func texts(
    _ array: NestedArray, _ index: Int, at level: Int, _ reader: PackedTextReader
  ) throws {
    for part in array.shape.parts(of: index, at: level) {
      guard level < array.shape.levels.count - 2 else {
        try text(part, reader)
        continue
      }
      try begin("- VAL")
      try texts(array, part, at: level + 1, reader)
      try end()
    }
  }

  private mutating func text(_ index: Int, _ reader: PackedTextReader) throws {
    let decoder = decoder
    let (text, byteCount) = try unsafe reader.withBytes(of: index) {
      (try unsafe ValueText(decoder).text(.string($0)), $0.count)
    }
    try line("- BIV " + (options.contains(.readable) ? text : "{ \(byteCount) bytes }"))
  }

  /// The elements of a container of scalars, which is shown as one unit: their text, or their size.
  ///
  /// - Parameter start: where its count is in the stream.
  func scalars(count: Int, perElement: Int, from start: UInt64) throws -> String {
    var elements: [[GraphLeaf]] = []
    var element: [GraphLeaf] = []
    while let part = try cursor.next() {
      guard case .leaf(let leaf) = try cursor.read(part.kind) else { continue }
      guard elements.count < ValueText.shownElementCount else { continue }
      element.append(leaf)
      if element.count == perElement {
        elements.append(element)
        element = []
      }
    }
    return sized(try ValueText(decoder).list(elements, of: count), from: start)
  }
}
