import GraphCodable

extension GraphArchiveSeries.Entry {
  /// Where a byte of its archive lies in the file.
  ///
  /// If damage makes that unknown, the error is about that damage, and counts from there.
  func place(ofByte byte: UInt64) -> UInt64 { (try? fileOffset(ofByte: byte)) ?? sum([offset, byte]) }
}
