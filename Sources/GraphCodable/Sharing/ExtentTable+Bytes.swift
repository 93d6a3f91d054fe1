extension ExtentTable {
  /// As it is stored behind an archive's own bytes.
  var bytes: [UInt8] {
    var builder = ByteBuilder()
    builder.varint(UInt64(extents.count))
    for extent in extents {
      builder.varint(extent.byteCount)
      if let overlaid = extent.overlaid {
        builder.byte(Kind.overlaid.rawValue)
        append(overlaid, to: &builder)
      } else if isOwn(extent) {
        builder.byte(Kind.own.rawValue)
      } else {
        builder.byte(Kind.shared.rawValue)
        builder.varint(start - extent.fileOffset)
      }
    }
    builder.varint(UInt64(fingerprints.count))
    for fingerprint in fingerprints {
      builder.fixed(fingerprint.low)
      builder.fixed(fingerprint.high)
    }
    return builder.bytes
  }

  private func append(_ overlaid: OverlaidBlock, to builder: inout ByteBuilder) {
    builder.varint(UInt64(overlaid.rawByteCount))
    builder.byte(overlaid.level.map { UInt8($0) } ?? OverlaidBlock.storedLevel)
    builder.fixed(overlaid.rawHash)
    builder.varint(UInt64(overlaid.overlays.count))
    for run in overlaid.runs {
      builder.varint(run.byteCount)
      builder.varint(run.offset >= start ? 0 : start - run.offset)
    }
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - start: where what is stored of the archive begins in the file.
  ///   - tableOffset: where the table stands: the archive's own bytes end there.
  ///   - byteCount: bytes of the archive.
  /// - Throws: `malformed`, with the offset from `start`.
  init(
    parsing bytes: UnsafeRawBufferPointer, start: UInt64, tableOffset: UInt64, byteCount: UInt64
  ) throws {
    self.init(start: start)
    var parser = unsafe ByteParser(bytes, origin: tableOffset - start, subject: "the table of extents")
    let count = try parser.count(of: "extents", atLeast: 2)
    for _ in 0..<count {
      let extentByteCount = try parser.varint()
      guard extentByteCount > 0, extentByteCount <= byteCount - self.byteCount else {
        throw parser.malformed("has an extent of \(extentByteCount) bytes in \(byteCount)")
      }
      switch Kind(rawValue: try parser.byte()) {
      case .own:
        try checkOwn(extentByteCount, tableOffset, parser)
        appendOwn(extentByteCount)
      case .shared:
        appendShared(
          extentByteCount, at: try sharedPlace(of: extentByteCount, distance: try parser.varint(), parser))
      case .overlaid:
        append(try overlaid(extentByteCount, tableOffset, &parser), byteCount: extentByteCount)
      case nil: throw parser.malformed("has an extent of an unknown kind")
      }
    }
    guard self.byteCount == byteCount, ownEnd == tableOffset else {
      throw parser.malformed("does not cover the archive and what is stored of it")
    }
    let blockCount = try parser.count(of: "blocks", atLeast: Fingerprint.byteCount)
    fingerprints.reserveCapacity(blockCount)
    for _ in 0..<blockCount {
      fingerprints.append(Fingerprint(low: try parser.fixed64(), high: try parser.fixed64()))
    }
    guard parser.left == 0 else { throw parser.malformed("has \(parser.left) bytes too many") }
    // Otherwise a small file could hold an archive of any size.
    if let overlap { throw parser.malformed("has the bytes of the file from \(overlap) on twice") }
  }

  private func checkOwn(_ byteCount: UInt64, _ tableOffset: UInt64, _ parser: ByteParser) throws {
    guard ownEnd <= tableOffset, byteCount <= tableOffset - ownEnd else {
      throw parser.malformed("has \(byteCount) bytes of its own, which are not there")
    }
  }

  private func sharedPlace(of byteCount: UInt64, distance: UInt64, _ parser: ByteParser) throws -> UInt64 {
    guard distance <= start - UInt64(SeriesHeader.byteCount), byteCount <= distance else {
      throw parser.malformed("has \(byteCount) bytes \(distance) bytes before its entry")
    }
    return start - distance
  }

  private mutating func overlaid(
    _ byteCount: UInt64, _ tableOffset: UInt64, _ parser: inout ByteParser
  ) throws -> OverlaidBlock {
    let (raw, level, rawHash) = (try parser.varint(), try parser.byte(), try parser.fixed64())
    let count = try parser.count(of: "overlays", atLeast: 2)
    var runs: [OverlaidBlock.Run] = []
    for _ in 0...count {
      let (runByteCount, distance) = (try parser.varint(), try parser.varint())
      if distance == 0 {
        try checkOwn(runByteCount, tableOffset, parser)
        runs.append(reserve(runByteCount))
      } else {
        let offset = try sharedPlace(of: runByteCount, distance: distance, parser)
        runs.append(OverlaidBlock.Run(offset: offset, byteCount: runByteCount))
      }
    }
    let isStored = level == OverlaidBlock.storedLevel
    guard count <= OverlaidBlock.maximumCount, runs.allSatisfy({ $0.byteCount > 0 }),
      (1...UInt64(Segment.maximumBlockByteCount)).contains(raw),
      isStored ? byteCount == raw : level <= OverlaidBlock.maximumLevel && byteCount < raw,
      runs[0].byteCount <= raw, raw <= runs[0].byteCount * Segment.maximumExpansion
    else { throw parser.malformed("has a block of \(raw) bytes that cannot be made of another one") }
    return OverlaidBlock(
      base: runs[0], overlays: Array(runs.dropFirst()), rawByteCount: Int(raw),
      level: isStored ? nil : Int32(level), rawHash: rawHash)
  }
}
