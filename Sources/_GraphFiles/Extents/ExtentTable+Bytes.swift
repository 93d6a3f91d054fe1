import _GraphSupport

extension ExtentTable {
  /// The stored form, which follows an archive's own bytes.
  package var bytes: [UInt8] {
    var builder = ByteBuilder()
    var recipe: NumberDifferences?
    builder.varint(UInt64(extents.count))
    for extent in extents {
      builder.varint(extent.byteCount)
      if let derived = extent.derived {
        append(derived, to: &builder, &recipe)
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

  /// - Parameter recipe: of the block with differences before it.
  private func append(
    _ derived: DerivedBlock, to builder: inout ByteBuilder, _ recipe: inout NumberDifferences?
  ) {
    switch derived.change {
    case .overlays: builder.byte(Kind.overlaid.rawValue)
    case .differences: builder.byte(Kind.differences.rawValue)
    }
    builder.varint(UInt64(derived.rawByteCount))
    builder.byte(derived.level.map { UInt8($0) } ?? DerivedBlock.storedLevel)
    builder.fixed(derived.hash)
    switch derived.change {
    case .overlays(let runs): builder.varint(UInt64(runs.count))
    case .differences(_, let differences) where differences == recipe: builder.byte(0)
    case .differences(_, let differences):
      builder.append(differences)
      recipe = differences
    }
    for run in derived.runs {
      builder.varint(run.byteCount)
      builder.varint(run.offset >= start ? 0 : start - run.offset)
    }
  }

  /// What a reader of the table must understand.
  package var features: FormatFeatures {
    extents.reduce(into: []) { features, extent in
      switch extent.derived?.change {
      case .overlays: features.insert(.overlaidExtents)
      case .differences: features.insert(.extentsOfDifferences)
      case nil: break
      }
    }
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - features: what the header says that a reader must understand.
  ///   - start: where what is stored of the archive begins in the file.
  ///   - tableOffset: where the table stands: the archive's own bytes end there.
  ///   - byteCount: bytes of the archive.
  /// - Throws: `malformed`, with the offset from `start`.
  package init(
    parsing bytes: UnsafeRawBufferPointer, _ features: FormatFeatures, start: UInt64, tableOffset: UInt64,
    byteCount: UInt64
  ) throws {
    self.init(start: start)
    var parser = unsafe ByteParser(bytes, origin: tableOffset - start, subject: "the table of extents")
    let count = try parser.count(of: "extents", atLeast: 2)
    var recipe: NumberDifferences?
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
      case .overlaid where features.contains(.overlaidExtents):
        append(try overlaid(extentByteCount, tableOffset, &parser), byteCount: extentByteCount)
      case .differences where features.contains(.extentsOfDifferences):
        append(try differences(extentByteCount, tableOffset, &parser, &recipe), byteCount: extentByteCount)
      case let kind:
        throw parser.malformed(
          "has an extent of a kind that \(kind == nil ? "is not known" : "the header does not mention")")
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
  ) throws -> DerivedBlock {
    let (raw, level, hash) = (try parser.varint(), try parser.byte(), try parser.fixed64())
    let count = try parser.count(of: "overlays", atLeast: 2)
    guard count <= DerivedBlock.maximumOverlayCount else { throw parser.malformed("has \(count) overlays") }
    let runs = try (0...count).map { _ in try run(tableOffset, &parser) }
    return try derived(byteCount, raw, level, hash, runs[0], .overlays(Array(runs.dropFirst())), parser)
  }

  private mutating func differences(
    _ byteCount: UInt64, _ tableOffset: UInt64, _ parser: inout ByteParser,
    _ recipe: inout NumberDifferences?
  ) throws -> DerivedBlock {
    let (raw, level, hash) = (try parser.varint(), try parser.byte(), try parser.fixed64())
    if let new = try parser.numberDifferences() { recipe = new }
    guard let recipe else { throw parser.malformed("does not say how differences are stored") }
    let (base, run) = (try run(tableOffset, &parser), try run(tableOffset, &parser))
    // An uncompressed block has no filters.
    guard recipe.filters.isEmpty || level != DerivedBlock.storedLevel,
      recipe.baseFilters.isEmpty || base.byteCount != raw, raw <= Self.expanded(run)
    else { throw parser.malformed("has a block of \(raw) bytes that cannot be differences") }
    return try derived(byteCount, raw, level, hash, base, .differences(run, recipe), parser)
  }

  /// Reads what a block is made from.
  private mutating func run(
    _ tableOffset: UInt64, _ parser: inout ByteParser
  ) throws -> DerivedBlock.Run {
    let (byteCount, distance) = (try parser.varint(), try parser.varint())
    guard byteCount > 0 else { throw parser.malformed("has a run of no bytes") }
    guard distance > 0 else {
      try checkOwn(byteCount, tableOffset, parser)
      return reserve(byteCount)
    }
    let offset = try sharedPlace(of: byteCount, distance: distance, parser)
    return DerivedBlock.Run(offset: offset, byteCount: byteCount)
  }

  private func derived(
    _ byteCount: UInt64, _ raw: UInt64, _ level: UInt8, _ hash: UInt64, _ base: DerivedBlock.Run,
    _ change: DerivedBlock.Change, _ parser: ByteParser
  ) throws -> DerivedBlock {
    let isStored = level == DerivedBlock.storedLevel
    guard (1...UInt64(Segment.maximumBlockByteCount)).contains(raw),
      isStored ? byteCount == raw : level <= DerivedBlock.maximumLevel && byteCount < raw,
      raw <= Self.expanded(base)
    else { throw parser.malformed("has a block of \(raw) bytes that cannot be made of another one") }
    let block = DerivedBlock(
      base: base, change: change, rawByteCount: Int(raw), level: isStored ? nil : Int32(level), hash: hash)
    guard block.runs.allSatisfy({ $0.byteCount <= raw }) else {
      throw parser.malformed("has a block of \(raw) bytes that is made of more")
    }
    return block
  }

  /// The most bytes that a run may have before LZ4.
  private static func expanded(_ run: DerivedBlock.Run) -> UInt64 {
    let (product, isTooLarge) = run.byteCount.multipliedReportingOverflow(by: Segment.maximumExpansion)
    return isTooLarge ? .max : product
  }
}

extension ByteBuilder {
  fileprivate mutating func append(_ differences: NumberDifferences) {
    byte(UInt8(differences.width))
    for filters in [differences.filters, differences.baseFilters, differences.differenceFilters] {
      byte(UInt8(filters.count))
      for filter in filters { append(filter) }
    }
  }
}

extension ByteParser {
  /// Reads how the numbers of a block are stored; nil if like those of the one before.
  fileprivate mutating func numberDifferences() throws -> NumberDifferences? {
    let width = try byte()
    guard width > 0 else { return nil }
    let lists = try (0..<3).map { _ in try filterList() }
    let differences = NumberDifferences(
      width: Int(width), filters: lists[0], baseFilters: lists[1], differenceFilters: lists[2])
    guard let differences else {
      throw malformed("has differences of \(width) bytes whose filters do not go together")
    }
    return differences
  }

  private mutating func filterList() throws -> [Segment.Filter] {
    let count = try byte()
    guard count <= Segment.Filter.maximumCount else { throw malformed("has a list of \(count) filters") }
    var filters: [Segment.Filter] = []
    for _ in 0..<count { filters.append(try filter(behind: filters)) }
    return filters
  }
}
