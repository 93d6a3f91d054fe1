import GraphCodable

extension GraphArchiveSeries.Entry {
  /// Where a byte of its archive lies in the file.
  ///
  /// Where nobody can say that any more, because what says it is damaged, the error is about that, and counts from there.
  func place(ofByte byte: UInt64) -> UInt64 { (try? fileOffset(ofByte: byte)) ?? sum([offset, byte]) }
}
