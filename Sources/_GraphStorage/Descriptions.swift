import _GraphCoding
import _GraphFiles
import _GraphReading

// One line each, of what has been read already: for `print` and logs.

extension GraphArchiveSeries: CustomStringConvertible {
  /// One line with the number of entries, their steps and times, and bytes.
  public var description: String {
    "GraphArchiveSeries(\(listText(count, from: first?.label, to: last?.label, byteCount, damage.count)))"
  }
}

extension GraphArchiveSeries.Entry: CustomStringConvertible {
  /// One line with its number, step, time, bytes and the beginning of its metadata.
  public var description: String {
    "GraphArchiveSeries.Entry(\(entryText(number, label, byteCount, storedMetadata)))"
  }

  fileprivate var label: (step: Int, time: Double) { (step, time) }
}

extension GraphArchiveSet: CustomStringConvertible {
  /// One line with its step, time, parts, arrays and bytes.
  public var description: String {
    """
    GraphArchiveSet(step: \(step), time: \(time), parts: \(partCount), arrays: \(manifest.arrays.count), \
    bytes: \(byteCount))
    """
  }
}

extension GraphArchiveSetSeries: CustomStringConvertible {
  /// One line with the number of sets, their steps and times, and bytes.
  public var description: String {
    let bytes = lazy.map(\.byteCount).saturatedSum()
    return
      "GraphArchiveSetSeries(\(listText(count, from: first?.label, to: last?.label, bytes, damage.count)))"
  }
}

extension GraphArchiveSetSeries.Entry: CustomStringConvertible {
  /// One line with its number, step, time, bytes and the beginning of its metadata.
  public var description: String {
    "GraphArchiveSetSeries.Entry(\(entryText(number, label, byteCount, listed.metadata)))"
  }

  fileprivate var label: (step: Int, time: Double) { (step, time) }
}

/// - Parameters:
///   - first: step and time of the first entry; nil where there is none.
///   - last: those of the last one.
private func listText(
  _ count: Int, from first: (step: Int, time: Double)?, to last: (step: Int, time: Double)?,
  _ byteCount: UInt64,
  _ damageCount: Int
) -> String {
  var parts = ["entries: \(count)"]
  if let first, let last {
    parts.append("steps: \(first.step) to \(last.step), times: \(first.time) to \(last.time)")
  }
  parts.append("bytes: \(byteCount)")
  if damageCount > 0 { parts.append("damage: \(damageCount)") }
  return parts.joined(separator: ", ")
}

private func entryText(
  _ number: Int, _ label: (step: Int, time: Double), _ byteCount: UInt64, _ metadata: Metadata
) -> String {
  let text = "number: \(number), step: \(label.step), time: \(label.time), bytes: \(byteCount)"
  guard !metadata.pairs.isEmpty else { return text }
  // No more than shows: there may be any number of pairs, of any length.
  let shown = metadata.pairs.prefix(ValueText.shownElementCount).map { pair in
    [pair.key, pair.value].map { String(reflecting: ValueText.shortened($0)) }.joined(separator: ": ")
  }
  return "\(text), metadata: \(ValueText.shortened(shown.joined(separator: ", ")))"
}
