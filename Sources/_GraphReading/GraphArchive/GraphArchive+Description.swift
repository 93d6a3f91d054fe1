import _GraphFiles

extension GraphArchive: CustomStringConvertible {
  /// One line with the numbers that are known without reading more; `dump(_:)` shows the values.
  public var description: String {
    """
    GraphArchive(objects: \(contents.storedObjectCount), classes: \(contents.classes.count), \
    large arrays: \(contents.bulk.count), bytes: \(header.byteCount), before compression: \(contents.rawByteCount))
    """
  }
}
