import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Small archives of each kind, with every change of one byte: each bit flipped, cut there, removed, doubled.
@Suite("Corpus: small changes") struct SmallChangeTests {
  /// Of each kind the smallest that has all of it, so that no byte need be left out.
  private static let names: [String] = [
    "swift-struct", "swift-user-version-and-metadata", "extensions", "swift-packed-structs", "binary-types",
    "codable-enum", "codable-if-present", "classes", "objects-not-in-order", "open-list-in-open",
    "tree-with-conditional-parents", "boxed-objects", "bulk-shuffled", "short-stream-lz4",
    "short-stream-shuffled", "objects-in-segments",
  ]

  /// Those whose changes take longer.
  private static let thoroughNames = [
    "everything", "swift-classes", "bulk-shuffled-twice", "bulk-of-structs", "bulk-stored-among-lz4",
    "bulk-of-bools-and-vectors", "bulk-mentioned-out-of-order", "stream-lz4", "stream-in-lz4-blocks",
    "packed-scalars", "integers-varints",
  ]

  private static let short = join([Kind.string], text(String(repeating: "again, ", count: 12)))

  /// Segments of a few bytes.
  private static let ofSegments = [
    ValidCase("short-stream-lz4", short) { $0.streamForm = .lz4 },
    ValidCase("short-stream-shuffled", short) { $0.streamForm = .shuffled(2) },
    // A graph stream and an object index, the objects in another order.
    ValidCase("objects-in-segments", [Kind.array, Kind.reference, 7, 1, 3, 5]) { draft in
      draft.shapes = [.unkeyed(Kind.uint64, flags: 1)]
      draft.objects = [[3, 3], [3, 5], [3, 7]]
      draft.order = [2, 0, 1]
      (draft.streamForm, draft.indexForm) = (.stored, .stored)
    },
  ]

  private static let samples: [ValidCase] = {
    let all = ValidCase.all + ofSegments
    return (names + Effort.of([], thorough: thoroughNames)).map { name in
      guard let sample = all.first(where: { $0.name == name }) else { preconditionFailure("no \(name)") }
      return sample
    }
  }()

  /// More than a sample needs, and little for a machine.
  private static let limits = {
    var limits = GraphDecoder.Limits()
    limits.archiveByteCount = 64 << 10
    limits.expandedByteCount = 1 << 20
    limits.objectCount = 4_096
    limits.nameCount = 4_096
    limits.depth = 64
    limits.elementByteRatio = 0
    limits.stepRatio = 0
    return limits
  }()

  @Test(arguments: samples) func everyChangeIsFoundByItsChecksum(sample: ValidCase) {
    for place in sample.bytes.indices {
      for change in SmallChange.all {
        let bytes = change.applied(to: sample.bytes, at: place)
        guard let error = Verdicts.verdict(on: bytes) else {
          Issue.record("byte \(place), \(change): \(hexadecimal(bytes))")
          return
        }
        guard error.isOfForm, Self.isLocated(bytes) else {
          Issue.record("byte \(place), \(change): \(error)")
          return
        }
      }
    }
  }

  /// Whether the damage is found that an archive has, where its tables are whole.
  private static func isLocated(_ bytes: Bytes) -> Bool {
    guard let archive = try? GraphArchive(bytes) else { return true }
    return (try? archive.damage().isEmpty) == false
  }

  @Test(arguments: samples, SealedPart.allCases)
  func everyChangeWithRightChecksumsIsAValueOrAnError(sample: ValidCase, part: SealedPart) throws {
    let forge = try Forge(sample.bytes)
    var failure: String?
    try part.forEachChange(of: forge) { bytes, place, change in
      guard failure == nil else { return }
      let verdicts = Verdicts(bytes, Self.limits)
      let plainAccepts =
        Effort.isThorough ? (try? PlainArchive(bytes)) != nil : verdicts.verify == nil
      if !verdicts.areOne(with: plainAccepts) {
        failure = "byte \(place), \(change): \(verdicts), \(hexadecimal(bytes))"
      }
    }
    if let failure { Issue.record("\(failure)") }
  }

  /// A sample is decoded within the limits that its changes have.
  @Test(arguments: samples) func theSamplesAreValid(sample: ValidCase) throws {
    try AnyGraph.decode(sample.bytes, Self.limits)
    #expect((40...1_000).contains(sample.bytes.count))
  }

  private static let series = DraftSeries([
    .init(archive: Draft().bytes, metadata: [(utf8("a"), utf8("b"))]),
    .init(archive: Draft([Kind.bool, 0]).bytes, step: 1, time: 0.5),
  ]).bytes

  /// A series cut at its end looks unfinished: the earlier entries are then there.
  @Test func everyChangeOfASeriesIsFoundOrEndsIt() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let whole = try Self.entries(Self.series, at: url)
    #expect(whole.count == 2)
    for place in Self.series.indices {
      for change in SmallChange.all {
        let bytes = change.applied(to: Self.series, at: place)
        guard let left = try? Self.entries(bytes, at: url) else { continue }
        // Bytes added after the last entry are the beginning of another one.
        let isLonger = bytes.starts(with: Self.series)
        guard left.count < whole.count || isLonger, left == Array(whole.prefix(left.count)) else {
          Issue.record("byte \(place), \(change): \(hexadecimal(bytes))")
          return
        }
      }
    }
  }

  /// Whose records have right checksums.
  @Test func everyChangeOfARecordIsAnEntryOrAnError() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let place = try #require(Self.series.firstRange(of: SeriesRecord.magic)).lowerBound
    let record = Bytes(Self.series[place..<(place + 128)])
    for byte in record.indices.dropLast(8) {
      for case .flipped(let bit) in SmallChange.all {
        let start = Bytes(SmallChange.flipped(bit: bit).applied(to: record, at: byte).dropLast(8))
        var bytes = Self.series
        bytes.replaceSubrange(place..<(place + 128), with: start + hash(start))
        do { _ = try Self.entries(bytes, at: url) } catch is GCodableError {} catch {
          Issue.record("byte \(byte), bit \(bit): \(error)")
          return
        }
      }
    }
  }

  private struct Entry: Equatable {
    let step: Int
    let metadata: [String: String]
    let value: Bool
  }

  /// All entries of a series, each of which is verified.
  private static func entries(_ bytes: Bytes, at url: URL) throws -> [Entry] {
    try Data(bytes).write(to: url)
    let series = try GraphArchiveSeries(url)
    try GraphDecoder().verify(series)
    return try series.map { entry in
      let decoder = GraphDecoder()
      decoder.limits = limits
      return Entry(
        step: entry.step, metadata: entry.metadata, value: try decoder.read(Bool.self, from: entry))
    }
  }
}

extension Verdicts {
  /// What the check of an archive says; nil where it accepts that.
  fileprivate static func verdict(on bytes: Bytes) -> GCodableError? {
    do {
      try GraphArchive(bytes).verify()
      return nil
    } catch let error as GCodableError { return error } catch {
      return GCodableError(.internalInconsistency, "no error of the library: \(error)")
    }
  }
}
