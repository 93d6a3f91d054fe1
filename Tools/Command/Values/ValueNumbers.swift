import GraphCodable

/// Numbers at several places of a graph as one array of NumPy.
struct ValueNumbers {
  private var texts: [String] = []
  private var kinds: Set<GraphKind> = []

  /// - Throws: `Failure` where a value is no number.
  init(_ archive: GraphArchive, _ path: GraphPath) throws {
    try ValuePaths(archive).forEach(path) { path in
      let item = try archive.item(at: path)
      guard Self.types[item.kind] != nil, let text = item.text else {
        throw Failure(
          "the value at \(path) is no number, of which arrays of NumPy are: see --format json",
          status: .validationFailure)
      }
      kinds.insert(item.kind)
      texts.append(text)
    }
  }

  private static let types: [GraphKind: String] = [
    .int8: "<i8", .int16: "<i8", .int32: "<i8", .int64: "<i8", .uint8: "<u8", .uint16: "<u8", .uint32: "<u8",
    .uint64: "<u8", .float16: "<f8", .float32: "<f8", .float64: "<f8", .bool: "|b1",
  ]

  func write(to output: Output) throws {
    let types = Set(kinds.compactMap { Self.types[$0] })
    guard let type = types.first, types.count == 1 else {
      throw Failure("the values are of several types: see --format json", status: .validationFailure)
    }
    try output.bytes(NumPyFile.header(type: "'\(type)'", shape: [texts.count]))
    for text in texts {
      let bits: UInt64 =
        switch type {
        case "<f8": (Double(text) ?? .nan).bitPattern
        case "<i8": UInt64(bitPattern: Int64(text) ?? 0)
        case "<u8": UInt64(text) ?? 0
        default: text == "true" ? 1 : 0
        }
      let byteCount = type == "|b1" ? 1 : 8
      try output.bytes((0..<byteCount).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
    }
  }
}
