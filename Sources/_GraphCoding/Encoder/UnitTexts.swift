/// The user's data units as Swift values, by where they begin in the graph stream.
///
/// An archive has only their bytes, so a dump of a root notes their descriptions while it is encoded.
package struct UnitTexts {
  /// In the order of the offsets, because the stream grows at its end.
  private var entries: [(offset: Int, text: String)] = []

  /// Elements of a container whose descriptions fill more than a dump shows.
  private static let shownElementCount = ValueText.maximumCount

  /// Notes a value whose unit begins at an offset, after all units noted before.
  mutating func note(_ value: some BinaryOType, at offset: Int) {
    entries.append((offset, ValueText.shortened(Self.description(of: value))))
  }

  /// Follows bytes after an offset that were moved.
  ///
  /// - Complexity: O(k) for k units that have been moved.
  mutating func move(behind start: Int, by distance: Int) {
    for index in entries.indices.reversed() {
      guard entries[index].offset > start else { return }
      entries[index].offset += distance
    }
  }

  /// The description of the value whose unit begins at an offset.
  package subscript(offset: UInt64) -> String? {
    var range = entries[...]
    while let middle = range.indices.dropFirst(range.count / 2).first {
      if entries[middle].offset == offset { return entries[middle].text }
      range = entries[middle].offset < offset ? range[(middle + 1)...] : range[..<middle]
    }
    return nil
  }

  private static func description(of value: some BinaryOType) -> String {
    func start<Elements: RandomAccessCollection>(of elements: Elements) -> String {
      String(describing: Array(elements.prefix(shownElementCount)))
    }
    if let array = value as? any ArrayOfUnits { return start(of: array) }
    return String(describing: value)
  }
}

/// The containers described like an array of their elements.
private protocol ArrayOfUnits: RandomAccessCollection {}

extension Array: ArrayOfUnits {}
extension ContiguousArray: ArrayOfUnits {}
extension ArraySlice: ArrayOfUnits {}
