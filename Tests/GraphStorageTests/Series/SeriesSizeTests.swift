#if os(Linux)
  import Foundation
  import GraphCodable
  import GraphCodableTestSupport
  import Testing

  @testable import _GraphCoding
  @testable import _GraphFiles
  @testable import _GraphMaintenance
  @testable import _GraphReading
  @testable import _GraphStorage
  @testable import _GraphSupport

  @Suite("Large series")
  struct SeriesSizeTests {
    let place: SeriesFolder
    var url: URL { place.url }

    init() throws { place = try SeriesFolder() }

    /// The body of an archive is not read to list it, so there need be none.
    private func addHollowEntry(byteCount: UInt64) throws {
      let series = try GraphArchiveSeries(url)
      let header = ArchiveHeader(contentsByteCount: 100, byteCount: byteCount, contentsHash: 1)
      let place = try #require(SeriesRecord.offset(behind: series.end, byteCount))
      let record = SeriesRecord(
        offset: place, archiveOffset: series.end, storedByteCount: byteCount, archiveHash: header.hash,
        number: series.count, previousHash: series.tail.lastHash, step: -1, time: 0,
        archiveByteCount: byteCount,
        metadata: Metadata())
      let file = try OpenFile(appending: url)
      try header.bytes.withUnsafeBytes { try file.write([$0], at: series.end) }
      try record.bytes().withUnsafeBytes { try file.write([$0], at: place) }
    }

    @Test func placesBeyond4GiBAreWrittenAndRead() throws {
      try place.append(0..<1)
      try addHollowEntry(byteCount: (5 << 30) + 1)
      try place.append(2..<4)
      let series = try GraphArchiveSeries(url)
      #expect(series.map(\.number) == [0, 1, 2, 3])
      #expect(series.damage.isEmpty)
      #expect(series[2].offset > 5 << 30)
      for number in [0, 2, 3] {
        try #expect(
          GraphDecoder().read([String].self, from: series[number]) == SeriesFolder.model(number))
        try GraphDecoder().verify(series[number])
      }
      #expect(throws: GCodableError.self) { try GraphDecoder().verify(series[1]) }
    }

    @Test func listingDoesNotReadTheSnapshots() throws {
      _ = try GraphArchiveSeries.Writer(url)
      // Larger than all devices, one after the other.
      for _ in 0..<5 { try addHollowEntry(byteCount: 1 << 40) }
      try place.append(5..<6)
      try #expect(GraphArchiveSeries(url).map(\.number) == [0, 1, 2, 3, 4, 5])
    }

    /// In a process of its own, because the limit that stands for a full device holds for all its threads.
    @Test func aFullDeviceLeavesTheEntriesOfBefore() async {
      await #expect(processExitsWith: .success) {
        let place = try SeriesFolder()
        try place.append(0..<2)
        let before = try place.bytes()
        // Beyond the limit the system also sends a signal, which would end the process.
        signal(SIGXFSZ, SIG_IGN)
        for limitByteCount in [1 << 20, before.count + 100, before.count] {
          var limit = rlimit(rlim_cur: rlim_t(limitByteCount), rlim_max: .max)
          setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
          for compression in [GraphEncoder.Compression.none, .lz4] {
            let writer = try GraphArchiveSeries.Writer(place.url)
            let encoder = GraphEncoder()
            encoder.compression = compression
            var random = SplitMix64(seed: 6)
            let large = (0..<300_000).map { _ in random.next() }
            let error = #expect(throws: GCodableError.self) {
              try encoder.append(large, to: writer, step: 0, time: 0)
            }
            #expect(error?.code == .file)
            #expect((error?.context.underlyingError as? POSIXError)?.code == .EFBIG)
            try #expect(place.bytes() == before)
          }
        }
        var limit = rlimit(rlim_cur: .max, rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try place.append(2..<3)
        try #expect(place.numbers() == [0, 1, 2])
      }
    }
  }
#endif
