import CGraphArchive
import _GraphFiles
import _GraphSupport

extension GEncoder {
  /// The archive of a small graph without objects and large arrays, put together in one go; nil for others.
  ///
  /// The bytes are those that `ArchiveWriter` writes, in a tenth of the time.
  func message(userVersion: UInt16) -> [UInt8]? {
    let streamByteCount = state.pointee.out.count
    guard streamByteCount <= Contents.BytesOrSegment.maximumEmbeddedByteCount,
      state.pointee.objects.count == 0,
      tables.bulk.isEmpty, tables.types.classes.isEmpty, tables.attributes == nil
    else { return nil }
    let tables = tables.tableBytes
    // The flags, and the user version if there is one.
    let tablesStart = userVersion == 0 ? 1 : 1 + Int(gca_varint_size(UInt64(userVersion)))
    let streamStart = tablesStart + tables.bytes.count
    let contentsByteCount = streamStart + streamByteCount
    let byteCount = ArchiveHeader.byteCount + contentsByteCount
    // Built after the stream and copied: the standard library has specialized code for an array of existing bytes, but makes one
    // of uninitialized bytes with generic code and look-ups at run time.
    guard state.pointee.out.reserve(byteCount) else { return nil }
    let stream = unsafe state.pointee.out.bytes  // It does not move, because room is reserved.
    unsafe state.pointee.out.putBytes(byteCount) { archive in
      // All ranges add up to `byteCount`.
      let contents = unsafe UnsafeMutableRawBufferPointer(
        rebasing: archive[ArchiveHeader.byteCount..<byteCount])
      unsafe contents[0] = (userVersion == 0 ? tables.flags : tables.flags.union(.userVersion)).rawValue
      if userVersion != 0 {
        var varint: UInt64 = 0  // Writing one touches eight bytes.
        unsafe withUnsafeMutableBytes(of: &varint) { bytes in
          _ = unsafe gca_varint_write(
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(userVersion))
          unsafe UnsafeMutableRawBufferPointer(rebasing: contents[1...]).copyBytes(
            from: bytes.prefix(tablesStart - 1))
        }
      }
      unsafe UnsafeMutableRawBufferPointer(rebasing: contents[tablesStart...]).copyBytes(from: tables.bytes)
      unsafe UnsafeMutableRawBufferPointer(rebasing: contents[streamStart...]).copyMemory(from: stream)
      let header = unsafe ArchiveHeader(
        contentsByteCount: UInt32(contentsByteCount), byteCount: UInt64(byteCount),
        contentsHash: gca_hash64_bytes(contents.baseAddress, contentsByteCount))
      unsafe header.write(to: archive)
    }
    let message = unsafe [UInt8](
      UnsafeRawBufferPointer(rebasing: state.pointee.out.bytes[streamByteCount...]))
    state.pointee.out.removeAll(from: streamByteCount)
    return message
  }
}
