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

  /// Archives of more than 4 GiB, and how much memory large ones need.
  @Suite("Large archives", .serialized)
  struct LargeArchiveTests {
    /// Something very large, and something behind it.
    struct Ends: GEncodable {
      let large: Data
      let small: [UInt16]

      enum Key: String { case large, small }

      func encode(to encoder: GEncoder) throws {
        try encoder.encode(large, for: Key.large)
        try encoder.encode(small, for: Key.small)
      }
    }

    /// The part of `Ends` that fits into memory.
    struct SmallEnd: GDecodable {
      let small: [UInt16]

      init(from decoder: GDecoder) throws { small = try decoder.decode(for: Ends.Key.small) }
    }

    /// Writes to a file what is not zero, so that the rest takes no place on the device.
    struct SparseSink: ArchiveSink {
      let file: FileHandle

      func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws {
        var offset = offset
        for piece in pieces {
          // All bytes are like the one before, and the first is zero.
          if let start = piece.baseAddress, piece[0] != 0 || memcmp(start, start + 1, piece.count - 1) != 0 {
            guard pwrite(file.fileDescriptor, start, piece.count, off_t(offset)) == piece.count
            else { throw POSIXError(.EIO) }
          }
          offset += UInt64(piece.count)
        }
      }
    }

    @Test func placesBeyond4GiBAreWrittenAndRead() throws {
      // Pages that nobody writes to are one page of zeros to the system, however many they are.
      let largeByteCount = (4 << 30) + (1 << 20) + 12_345
      let pages = try #require(
        mmap(nil, largeByteCount, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
      defer { munmap(pages, largeByteCount) }
      let small = (0..<40_000).map { UInt16($0) }
      let model = Ends(
        large: Data(bytesNoCopy: pages, count: largeByteCount, deallocator: .none), small: small)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "graphcodable-\(UUID().uuidString)")
      try Data().write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      let file = try FileHandle(forWritingTo: url)
      let byteCount = try ArchiveWriter(compression: .none, userVersion: 0, threadCount: 2).write(
        GraphEncoder().walk { try $0.writeRoot(model) }, to: SparseSink(file: file))
      try file.close()
      #expect(byteCount > UInt64(largeByteCount))

      let reader = try ArchiveReader(ArchiveSource(url))
      #expect(reader.header.byteCount == byteCount)
      #expect(reader.header.contentsOffset > 1 << 32)
      #expect(reader.contents.bulk.map(\.segment.rawByteCount) == [UInt64(largeByteCount), 80_000])
      #expect(reader.contents.bulk[1].offset > 1 << 32)
      let open = try reader.open(reader.contents.bulk[0])
      #expect(open.blockOffsets.last.map { $0 > 1 << 32 } == true)
      try #expect(GraphDecoder().read(SmallEnd.self, from: url).small == small)
    }

    /// Saves and loads two arrays of this many elements, and compares the memory used with theirs.
    private static func checkMemory<Element: GCodable & Equatable>(_ element: (Int) -> Element) throws {
      let count = 5_000_000
      let limit = 64 << 10
      let model = [(0..<count).map(element), (0..<count).map(element)]
      let modelKilobytes = 2 * count * MemoryLayout<Element>.stride / 1024
      #expect(modelKilobytes > limit)
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "graphcodable-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: url) }
      for compression in [GraphEncoder.Compression.none, .lz4] {
        let encoder = GraphEncoder()
        encoder.compression = compression
        encoder.threadCount = 4
        try #expect(ProcessMemory.peak { try encoder.write(model, to: url) } < limit)
        let decoder = GraphDecoder()
        decoder.threadCount = 4
        let taken = try ProcessMemory.peak {
          let copy = try decoder.read([[Element]].self, from: url)
          #expect(copy[1][count - 1] == model[1][count - 1])
        }
        #expect(taken < modelKilobytes + limit)
        #expect(taken > modelKilobytes - limit)
      }
    }

    /// In a separate process, whose memory nothing else uses.
    @Test func savingAndLoadingTakeLittleMemoryBesideTheModel() async {
      await #expect(processExitsWith: .success) {
        try Self.checkMemory { Double($0) * 1.1 }
        // Three of four lanes are stored.
        try Self.checkMemory { SIMD3<Float>(Float($0), 1, 2) }
      }
    }
  }
#endif
