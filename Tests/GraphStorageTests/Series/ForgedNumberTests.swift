import GraphCodable
import CGraphArchive
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Each number of a series, and many pairs of them, is made one that arithmetic does not expect, and all checksums are right.
///
/// Each test runs in a process of its own, which says what it tries: the last line is what has ended it.
@Suite("Series: forged numbers")
struct ForgedNumberTests {
  /// A series with all that entries store: whole archives, shared blocks, overlays and differences.
  struct Model: GCodable {
    var fixed: [Double]
    var moving: [Double]
    var cells: [Label]

    private enum Key: String { case fixed, moving, cells }

    init(_ step: Int) {
      fixed = (0..<3_000).map { Double($0 &* 7_919 % 1_009) / 7 }
      moving = (0..<3_000).map { Double($0 &* 104_729 % 997) + Double(step) * 1e-7 * Double($0 % 13) }
      cells = (0..<3_000).map { Label("cell \($0 &* 31 % 977) \($0 == 500 + step ? "x" : "o")") }
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(fixed, for: Key.fixed)
      try encoder.encode(moving, for: Key.moving)
      try encoder.encode(cells, for: Key.cells)
    }

    init(from decoder: GDecoder) throws {
      fixed = try decoder.decode(for: Key.fixed)
      moving = try decoder.decode(for: Key.moving)
      cells = try decoder.decode(for: Key.cells)
    }
  }

  static func series() throws -> SeriesFolder {
    let place = try SeriesFolder()
    let writer = try GraphArchiveSeries.Writer(place.url)
    writer.sharing = .differences(keyInterval: 10)
    try GraphEncoder().append("small", to: writer, step: 0, time: 0, metadata: ["key": "value"])
    for step in 0..<2 { try GraphEncoder().append(Model(step), to: writer, step: step, time: 0.5) }
    return place
  }

  @Test func theSeriesHasAllKindsOfExtents() throws {
    let place = try Self.series()
    let last = try #require(try GraphArchiveSeries(place.url).last?.pieces())
    let derived = last.table.extents.compactMap(\.derived)
    #expect(derived.contains { !$0.overlays.isEmpty })
    #expect(derived.contains { $0.overlays.isEmpty })
    #expect(last.table.extents.contains { $0.derived == nil && !last.table.isOwn($0) })
  }

  // MARK: Records

  /// Where the integers of a record stand, and how many bytes they have.
  private static let recordFields: [(name: String, offset: Int, byteCount: Int)] = [
    ("record size", 8, 4), ("index bytes", 12, 4), ("offset", 16, 8), ("archive offset", 24, 8),
    ("stored bytes", 32, 8),
    ("number", 48, 8), ("step", 64, 8), ("time", 72, 8), ("archive bytes", 80, 8),
  ]

  @Test func numbersOfRecords() async {
    await #expect(processExitsWith: .success) { try Self.forgeRecords() }
    #expect(Forgeries.last(in: "records") == "done")
  }

  private static func forgeRecords() throws {
    let place = try series()
    let copy = place.folder.file("copy")
    let whole = try place.bytes()
    let records = try GraphArchiveSeries(place.url).map { entry in
      Int(try #require(SeriesRecord.offset(behind: entry.offset, entry.storedByteCount)))
    }
    func number(_ field: Int, _ record: Int) -> UInt64 {
      let start = records[record] + recordFields[field].offset
      return whole[start..<(start + recordFields[field].byteCount)].reversed().reduce(0) {
        $0 << 8 | UInt64($1)
      }
    }
    func forge(_ changes: [(record: Int, field: Int, number: UInt64)], isReading: Bool) throws {
      var (bytes, log) = (whole, [String]())
      for (record, field, number) in changes {
        let (name, offset, byteCount) = recordFields[field]
        log.append("record \(record): \(name) = \(number)")
        let start = records[record]
        for index in 0..<byteCount {
          bytes[start + offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
        seal(&bytes, start)
      }
      try place.setBytes(bytes)
      Forgeries.say(log.joined(separator: ", "), in: "records")
      try Forgeries.exercise(place.url, copy: copy, isReading: isReading)
    }
    // The file is also copied, recovered, repacked and appended to for some of them.
    for record in records.indices.reversed() {
      for field in recordFields.indices {
        for (index, number) in Forgeries.numbers(for: number(field, record)).enumerated()
        where (index + field + record) % Effort.of(3, thorough: 1) == 0 {
          try forge([(record, field, number)], isReading: index % Effort.of(6, thorough: 1) > 0)
        }
      }
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<Effort.of(30, thorough: 20_000) {
      try forge(
        (0..<2).map { _ in
          let (record, field) = (random.below(records.count), random.below(recordFields.count))
          let numbers = Forgeries.numbers(for: number(field, record))
          return (record, field, numbers[random.below(numbers.count)])
        }, isReading: random.below(8) > 0)
    }
    // The sums of all entries.
    for count in [1 << 63 - 1, 1 << 63 - 20, 1 << 62] as [UInt64] {
      try forge(records.indices.map { ($0, recordFields.count - 1, count) }, isReading: false)
    }
    Forgeries.say("done", in: "records")
  }

  /// Puts the hash of a record right.
  private static func seal(_ bytes: inout [UInt8], _ start: Int) {
    let size = Int(bytes[start + 8]) | Int(bytes[start + 9]) << 8 | Int(bytes[start + 10]) << 16
    guard size >= 128, start + size <= bytes.count else { return }
    let hashed = start..<(start + size - 8)
    bytes.replaceSubrange(hashed.upperBound..<(start + size), with: bytes[hashed].withUnsafeBytes(Forge.hash))
  }

  // MARK: Tables of extents

  @Test func numbersOfTables() async {
    await #expect(processExitsWith: .success) { try Self.forgeTables() }
    #expect(Forgeries.last(in: "tables") == "done")
  }

  private static func forgeTables() throws {
    let place = try series()
    let copy = place.folder.file("copy")
    let whole = try place.bytes()
    let entry = try #require(GraphArchiveSeries(place.url).last)
    let table = try TableNumbers(try #require(try entry.pieces()).table.bytes)
    func forge(
      _ changes: [(index: Int, number: UInt64)], isReading: Bool,
      _ change: (inout SharedHeader) -> Void = { _ in }
    ) throws {
      try place.setBytes(whole)
      var table = table
      for (index, number) in changes { table.numbers[index].value = number }
      Forgeries.say("numbers of the table: \(changes)", in: "tables")
      // Not the one of before, whose file may have been replaced.
      let entry = try #require(GraphArchiveSeries(place.url).last)
      try ForgedSeries.replaceTable(of: entry, with: table.bytes, in: place, change)
      try Forgeries.exercise(place.url, copy: copy, isReading: isReading)
    }
    // The last blocks' fingerprints are numbers without a meaning.
    let indices = table.numbers.indices.filter { table.numbers[$0].kind != .hash }
    for index in indices {
      let numbers = Forgeries.numbers(for: table.numbers[index].value)
      for (place, number) in numbers.enumerated() where (place + index) % Effort.of(6, thorough: 1) == 0 {
        try forge([(index, number)], isReading: (place + index) % Effort.of(24, thorough: 2) > 0)
      }
    }
    var random = SplitMix64(seed: 2)
    for _ in 0..<Effort.of(40, thorough: 20_000) {
      try forge(
        (0..<2).map { _ in
          let index = indices[random.below(indices.count)]
          let numbers = Forgeries.numbers(for: table.numbers[index].value)
          return (index, numbers[random.below(numbers.count)])
        }, isReading: random.below(8) > 0)
    }
    for number in Forgeries.extremes {
      Forgeries.say("header: \(number)", in: "tables")
      try forge([], isReading: true) { $0.archiveByteCount = number }
      try forge([], isReading: true) { $0.storedByteCount = number }
      try forge([], isReading: true) { $0.tableByteCount = UInt32(truncatingIfNeeded: number) }
    }
    Forgeries.say("done", in: "tables")
  }

  /// Where no record belongs to it, what the header of an archive in pieces says has not been compared with anything.
  @Test func numbersOfHeadersThatRecoveryFinds() async {
    await #expect(processExitsWith: .success) { try Self.forgeLostHeaders() }
    #expect(Forgeries.last(in: "headers") == "done")
  }

  private static func forgeLostHeaders() throws {
    let place = try series()
    let copy = place.folder.file("copy")
    let entry = try #require(GraphArchiveSeries(place.url).last)
    let header = try #require(try entry.pieces()).header
    let whole = try place.bytes()
    let record = Int(try #require(SeriesRecord.offset(behind: entry.offset, entry.storedByteCount)))
    for number in Forgeries.extremes {
      let others = Effort.of([.max], thorough: Forgeries.extremes)
      for other in [header.archiveByteCount] + others {
        var forged = header
        (forged.storedByteCount, forged.archiveByteCount) = (number, other)
        Forgeries.say("\(forged)", in: "headers")
        var bytes = whole
        bytes.replaceSubrange(
          Int(entry.offset)..<(Int(entry.offset) + SharedHeader.byteCount), with: forged.bytes)
        bytes[record] ^= 1
        try place.setBytes(bytes)
        try Forgeries.attempt { _ = try GraphArchive.recover(place.url, to: copy) }
      }
    }
    Forgeries.say("done", in: "headers")
  }
}

/// The numbers of a table of extents, one by one, as `Format.md` has them.
private struct TableNumbers {
  enum Kind { case varint, byte, fixed, hash }
  var numbers: [(kind: Kind, value: UInt64)] = []

  init(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var parser = ByteParser(bytes, origin: 0, subject: "a table")
      @discardableResult
      func take(_ kind: Kind) throws -> UInt64 {
        let value: UInt64 =
          switch kind {
          case .varint: try parser.varint()
          case .byte: UInt64(try parser.byte())
          case .fixed, .hash: try parser.fixed64()
          }
        numbers.append((kind, value))
        return value
      }
      func filters() throws {
        for _ in 0..<(try take(.byte)) { for _ in 0..<2 { try take(.fixed) } }
      }
      for _ in 0..<(try take(.varint)) {
        try take(.varint)
        switch try take(.byte) {
        case 0: break
        case 1: try take(.varint)
        case let kind:
          try take(.varint)
          try take(.byte)
          try take(.hash)
          var runCount: UInt64 = 2
          if kind == 2 {
            runCount = 1 + (try take(.varint))
          } else if try take(.byte) > 0 {
            for _ in 0..<3 { try filters() }
          }
          for _ in 0..<(2 * runCount) { try take(.varint) }
        }
      }
      for _ in 0..<(2 * (try take(.varint))) { try take(.hash) }
    }
    #expect(self.bytes == bytes)
  }

  var bytes: [UInt8] {
    var builder = ByteBuilder()
    for (kind, value) in numbers {
      switch kind {
      case .varint: builder.varint(value)
      case .byte: builder.byte(UInt8(truncatingIfNeeded: value))
      case .fixed, .hash: builder.fixed(value)
      }
    }
    return builder.bytes
  }
}
