import GraphCodable

extension InvalidCase {
  private static func entry(_ number: Int) -> DraftSeries.Entry {
    DraftSeries.Entry(archive: Draft(join([Kind.int64], zigzag(Int64(number)))).bytes, step: Int64(number))
  }

  /// A series of three entries.
  private static func changed(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftSeries) -> Void
  ) -> InvalidCase {
    InvalidCase(rule, name, reason, DraftSeries((0..<3).map(entry), change).bytes, isSeries: true)
  }

  /// A series of three entries, of which the second is another.
  private static func changedEntry(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout DraftSeries.Entry) -> Void
  ) -> InvalidCase {
    changed(rule, name, reason) { change(&$0.entries[1]) }
  }

  /// Where the second entry begins, and its record: each archive and each record has two times 64 bytes or one.
  private static let second = (archive: 64 + 64 + 128, record: 64 + 64 + 128 + 64)

  static let series: [InvalidCase] = [
    changed("R1", "version-2", "version 2") { $0.version = 2 },
    changed("R1", "feature-0", "a feature that must be understood") { $0.features = 1 },
    changedEntry("R2", "padding", "a byte behind an archive") { $0.padding = 1 },
    changedEntry("C1", "padding-behind-damage", "a byte behind an archive whose contents are changed, too") {
      $0.archive[$0.archive.count - 1] ^= 1
      $0.padding = 1
    },
    changed("R3", "header", "a changed bit in the header") { $0.changeSeries = { $0[60] ^= 1 } },
    changed("R3", "archive-header", "a changed bit in the header of an archive") {
      $0.changeSeries = { $0[second.archive + 33] ^= 1 }
    },
    changed("R3", "archive-of-other-size", "a header of an archive that leads behind the end of the file") {
      $0.changeSeries = {
        let header =
          $0[second.archive..<(second.archive + 16)] + little(UInt64(1_000))
          + $0[(second.archive + 24)..<(second.archive + 32)]
        $0.replaceSubrange(second.archive..<(second.archive + 40), with: header + hash(Bytes(header)))
      }
    },
    changed("R3", "archive-zero", "zeros in place of an archive") {
      $0.changeSeries = {
        $0.replaceSubrange(second.archive..<(second.archive + 64), with: Bytes(repeating: 0, count: 64))
      }
    },
    changed("R3", "record-changed", "a changed bit in a record") {
      $0.changeSeries = { $0[second.record + 70] ^= 1 }
    },
    changedEntry("R3", "record-of-other-place", "a record that says it is elsewhere") {
      $0.changeRecord = { $0[17] ^= 1 }
    },
    changedEntry("R3", "record-of-other-archive", "a record of another hash of its archive") {
      $0.changeRecord = { $0[40] ^= 1 }
    },
    changedEntry("R3", "record-of-other-size", "a record of an archive of other size") {
      $0.changeRecord = { $0[32] ^= 1 }
    },
    changedEntry("R3", "record-of-other-whole", "a record of a whole archive of other size") {
      $0.changeRecord = { $0[80] ^= 1 }
    },
    changedEntry("R3", "record-index-of-1-byte", "an index of one byte") { $0.changeRecord = { $0[12] = 1 } },
    changedEntry("R3", "record-index-too-long", "an index of 256 bytes in 128") {
      $0.changeRecord = { $0[13] = 1 }
    },
    changedEntry("R3", "record-zeros", "a byte behind the metadata") { $0.changeRecord = { $0[100] = 1 } },
    changedEntry("R3", "record-metadata", "metadata that does not ascend") {
      $0.metadata = [(utf8("b"), []), (utf8("a"), [])]
    },
    changedEntry("R3", "record-number", "a number of 2^63 - 1") { $0.number = UInt64(Int64.max) },
    changedEntry("R3", "number-twice", "two entries of one number") { $0.number = 0 },
    changed("R3", "number-that-descends", "a number below the one before") { $0.entries[0].number = 7 },
    changed("R3", "header-destroyed", "64 bytes of 7 in place of the header, in front of an archive") {
      $0.changeSeries = { $0.replaceSubrange(0..<64, with: Bytes(repeating: 7, count: 64)) }
    },
    changed("R3", "header-destroyed-but-its-hash", "56 bytes of 7 in place of a header, and no entries") {
      $0.entries = []
      $0.changeSeries = { $0.replaceSubrange(0..<56, with: Bytes(repeating: 7, count: 56)) }
    },
    changed("R3", "header-destroyed-and-a-feature", "the same in front of an archive of another feature") {
      var archive = Draft()
      archive.features = 1
      $0.entries = [DraftSeries.Entry(archive: archive.bytes)]
      $0.changeSeries = { $0.replaceSubrange(0..<64, with: Bytes(repeating: 7, count: 64)) }
    },
    changed("R4", "header-destroyed-and-a-version", "the same in front of an archive of another version") {
      var archive = Draft()
      archive.version = 2
      $0.entries = [DraftSeries.Entry(archive: archive.bytes)]
      $0.changeSeries = { $0.replaceSubrange(0..<64, with: Bytes(repeating: 7, count: 64)) }
    },
    changedEntry("R3", "record-behind-another", "another hash of the record before") {
      $0.previousHash = Bytes(repeating: 7, count: 8)
    },
    changedEntry("R3", "bytes-in-front", "64 bytes in front of an entry that are none") {
      $0.front = Bytes(repeating: 7, count: 64)
    },
    InvalidCase(
      "R4", "text", "a file of text", utf8(String(repeating: "this is no series. ", count: 5)), isSeries: true
    ),
    InvalidCase("R4", "archive", "an archive, read as a series", Draft().bytes + [0], isSeries: true),
  ]
}
