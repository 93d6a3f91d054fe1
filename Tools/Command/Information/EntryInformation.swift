import GraphCodable

/// An entry of a series; its properties are the keys in JSON.
struct EntryInformation: Encodable {
  let number: Int
  let step: Int
  let time: Double
  let metadata: [String: String]
  /// Where what the file stores of its archive begins; absent for a set.
  let offset: UInt64?
  /// Of its whole archive, or of all parts.
  let bytes: UInt64
  /// What the entry has added to the file; absent for a set.
  let storedBytes: UInt64?

  init(_ entry: some StoredEntry) {
    number = entry.number
    step = entry.step
    time = entry.time
    metadata = entry.metadata
    bytes = entry.byteCount
    let archive = entry as? GraphArchiveSeries.Entry
    offset = archive?.offset
    storedBytes = archive?.storedByteCount
  }

  /// What it was appended with besides step and time, in the order of the keys.
  var metadataText: String { metadata.pairsText }
}

extension [String: String] {
  /// The pairs on one line, in the order of the keys.
  var pairsText: String {
    sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}
