import CGraphArchive

extension GEncoder {
  /// The archive of a small graph without objects and large arrays, put together in one go; nil for others.
  ///
  /// The bytes are those that `ArchiveWriter` writes, in a tenth of the time.
  func message(userVersion: UInt16) -> [UInt8]? {
    let streamByteCount = gca_writer_count(&state.pointee.out)
    guard streamByteCount <= Contents.Place.maximumEmbeddedByteCount, state.pointee.objects.count == 0,
      tables.bulk.isEmpty, tables.classes.isEmpty
    else { return nil }
    let tables = tables.tableBytes
    let start = Contents.start(userVersion: userVersion, tables: tables)
    let streamStart = start.count + tables.bytes.count
    let stream = UnsafeRawBufferPointer(start: state.pointee.out.base, count: streamByteCount)
    let contentsByteCount = streamStart + streamByteCount
    let byteCount = ArchiveHeader.byteCount + contentsByteCount
    return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      let archive = UnsafeMutableRawBufferPointer(buffer)
      let contents = UnsafeMutableRawBufferPointer(rebasing: archive[ArchiveHeader.byteCount..<byteCount])
      contents.copyBytes(from: start)
      UnsafeMutableRawBufferPointer(rebasing: contents[start.count...]).copyBytes(from: tables.bytes)
      UnsafeMutableRawBufferPointer(rebasing: contents[streamStart...]).copyMemory(from: stream)
      let header = ArchiveHeader(
        contentsByteCount: UInt32(contentsByteCount), byteCount: UInt64(byteCount),
        contentsHash: gca_hash64_bytes(contents.baseAddress, contentsByteCount))
      header.write(to: archive)
      count = byteCount
    }
  }
}
