extension ArchiveInformation {
  func write(to output: Output) throws {
    let place = entry.map { ", entry \($0.number)" } ?? message.map { ", message \($0)" } ?? ""
    try output.line("\(file)\(place): archive, format version \(formatVersion), user version \(userVersion)")
    var columns = Columns(.left, .left)
    if let entry {
      columns.add("step", "\(entry.step)")
      columns.add("time", shortest(entry.time))
      columns.add("metadata", entry.metadataText)
    }
    if let metadata { columns.add("about", metadata.pairsText) }
    let ratio = decimal(Double(rawBytes) / Double(bytes), digits: 2)
    columns.add("size", "\(grouped(bytes)) bytes, \(grouped(rawBytes)) before compression (ratio \(ratio))")
    columns.add("graph", "\(count(objects, "object", "objects")) in \(grouped(streamBytes)) bytes")
    columns.add("names", "\(count(keys, "key", "keys")) in \(count(shapes, "shape", "shapes"))")
    if let attributes { columns.add("attributes", "of \(count(attributes, "value", "values"))") }
    if let directory { columns.add("directory", "of \(count(directory, "array", "arrays"))") }
    if let identity { columns.add("identity", identity) }
    for line in columns.lines { try output.line(line) }
    try writeClasses(to: output)
    try writeSegments(to: output)
  }

  private func writeClasses(to output: Output) throws {
    guard !classes.isEmpty else { return }
    try output.line("classes")
    var columns = Columns(.left, .left)
    for stored in classes { columns.add("  \(stored.name)", "version \(stored.version)") }
    for line in columns.lines { try output.line(line) }
  }

  private func writeSegments(to output: Output) throws {
    guard !segments.isEmpty else { return }
    try output.line("segments")
    var columns = Columns(.left, .left, .right, .right, .left)
    for segment in segments {
      let name = segment.number.map { "bulk \($0)" } ?? (segment.kind == .graph ? "graph" : "object index")
      let format = segment.kind == .bulk ? segment.format ?? "structs" : ""
      columns.add(
        "  \(name)", format, "\(grouped(segment.bytes)) bytes", "of \(grouped(segment.rawBytes))",
        segment.blocksText)
    }
    for line in columns.lines { try output.line(line) }
  }
}

extension ArchiveInformation.Segment {
  /// How many blocks it has, and what was done to how many of them.
  fileprivate var blocksText: String {
    let (name, shrunk) = numbersBlocks > 0 ? ("numbers", numbersBlocks) : ("LZ4", lz4Blocks)
    let method =
      unknown.map { "\($0), which is not known" }
      ?? (shrunk == 0 ? "stored" : shrunk == blocks ? name : "\(grouped(shrunk)) \(name)")
    let ratioText = shrunk == 0 ? nil : "ratio \((ratio * 100).rounded() / 100)"
    let texts =
      [count(blocks, "block", "blocks"), method] + filters + [precision, ratioText].compactMap(\.self)
    return texts.joined(separator: ", ")
  }
}
