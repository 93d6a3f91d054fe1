import Foundation
import _GraphFiles
import _GraphSupport

/// What the archive of an entry says about it in a folder: its metadata, with keys of our own.
struct FolderEntry: Sendable {
  var number: Int
  var step: Int
  var time: Double
  var metadata: Metadata
  /// Bytes of the archive.
  var byteCount: UInt64 = 0
  /// See `ArchiveHeader.hash`.
  var hash: UInt64 = 0

  init(number: Int, _ label: SeriesLabel) {
    self.number = number
    (step, time, metadata) = (label.step, label.time, label.metadata)
  }

  init(
    number: Int, step: Int, time: Double, metadata: Metadata, byteCount: UInt64, hash: UInt64
  ) {
    (self.number, self.step, self.time, self.metadata) = (number, step, time, metadata)
    (self.byteCount, self.hash) = (byteCount, hash)
  }

  /// What the list of a folder holds about an entry.
  init(_ entry: GraphArchiveSeries.Entry) {
    self.init(
      number: entry.number, step: entry.step, time: entry.time, metadata: entry.storedMetadata,
      byteCount: entry.byteCount, hash: entry.archiveHash)
  }

  // MARK: Metadata

  private static let ownKeys = "gcseries."
  private static let entryKeys = "gcseries.metadata."

  /// The metadata of its archive: the user's, and the entry's.
  func archiveMetadata(_ archive: Metadata) -> Metadata {
    var pairs = archive.dictionary.filter { !$0.key.utf8.starts(with: Self.ownKeys.utf8) }
    pairs[Self.ownKeys + "number"] = "\(number)"
    pairs[Self.ownKeys + "step"] = "\(step)"
    // NaN has one text in the format, whatever its sign and bits.
    pairs[Self.ownKeys + "time"] = time.isNaN ? "nan" : "\(time)"
    for (key, value) in metadata.pairs { pairs[Self.entryKeys + key] = value }
    return Metadata(pairs)
  }

  /// Takes from an archive's metadata what they say of the entry.
  ///
  /// - Throws: `malformed`.
  init(_ archive: Metadata, number: Int, byteCount: UInt64, hash: UInt64) throws {
    let pairs = archive.dictionary
    guard pairs[Self.ownKeys + "number"] == "\(number)",
      let step = pairs[Self.ownKeys + "step"].flatMap(Self.step),
      let time = pairs[Self.ownKeys + "time"].flatMap(Self.time)
    else { throw GCodableError(.malformed, "its metadata are not those of entry \(number)") }
    // By bytes, because a key may begin with a scalar that combines with the one before.
    let (keys, count) = (Self.entryKeys.utf8, Self.entryKeys.utf8.count)
    let own = pairs.filter { $0.key.utf8.starts(with: keys) }
    let metadata = own.map { (String(decoding: $0.key.utf8.dropFirst(count), as: UTF8.self), $0.value) }
    self.init(
      number: number, step: step, time: time,
      metadata: Metadata(Dictionary(metadata) { first, _ in first }), byteCount: byteCount, hash: hash)
  }

  /// The step that a text says; nil for a text that no writer makes, such as `+1` or `01`.
  private static func step(_ text: String) -> Int? {
    Int(text).flatMap { "\($0)" == text ? $0 : nil }
  }

  /// The time that a text says; nil for other texts than `inf`, `-inf`, `nan` and decimal numbers such as `-1.5e-07`.
  private static func time(_ text: String) -> Double? {
    if ["inf", "-inf", "nan"].contains(text) { return Double(text) }
    let bytes = Array(text.utf8)
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }
    let first = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst().first : bytes.first
    // Of what `Double` reads, these have digits around a point, and no plus in front.
    guard isDigit(first), isDigit(bytes.last), bytes.allSatisfy({ isDigit($0) || "-+.e".utf8.contains($0) }),
      zip(bytes, bytes.dropFirst()).allSatisfy({ $0 != UInt8(ascii: ".") || isDigit($1) })
    else { return nil }
    return Double(text)
  }

  /// Reads what the file of an entry says, without its graph.
  ///
  /// - Throws: `damaged` where it is none of an entry, or that of another one; `file` when it cannot be read.
  init(reading path: String, number: Int) throws {
    let file = try OpenFile(reading: URL(fileURLWithPath: path))
    let byteCount = try file.byteCount()
    do {
      let reader = try ArchiveReader(ArchiveSource(file, from: 0, byteCount: byteCount))
      try self.init(reader.contents.metadata, number: number, byteCount: byteCount, hash: reader.header.hash)
    } catch let error as GCodableError where error.code != .file {
      throw GCodableError(.damaged, "\(path) holds no valid entry", byteOffset: 0, underlyingError: error)
    }
  }
}
