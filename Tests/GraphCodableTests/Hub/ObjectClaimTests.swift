#if os(Linux)
  import CGraphArchive
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

  /// Small archives that say they have very many objects.
  @Suite("Claims of objects")
  struct ObjectClaimTests {
    private static let objectCount = 100_000_000

    /// An archive whose object index is as long as `objectCount` objects need, of 400 KB in the file.
    ///
    /// - Parameter streamByteCount: of the graph stream, which gets as little.
    private static func forged(streamByteCount: Int) throws -> Bytes {
      let forge = try Forge(encoded(NodeList(count: 3), compression: .none))
      let index = Bytes(repeating: 3, count: objectCount)  // The varint of 1.
      let stream = Bytes(repeating: 3, count: streamByteCount)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 20, alignment: 64)
      defer { memory.deallocate() }
      var contents = forge.contents
      return try index.withUnsafeBytes { index in
        try stream.withUnsafeBytes { stream in
          let writer = SegmentWriter(
            [.init(.graph, stream), .init(.objectIndex, index)], compression: .lz4, threadCount: 2,
            sink: MemorySink(memory))
          let entries = try writer.write(from: UInt64(ArchiveHeader.byteCount))
          (contents.graph, contents.objectIndex) = (.segment(entries[0]), .segment(entries[1]))
          contents.objectCount = UInt64(objectCount)
          contents.storedObjectCount = UInt64(objectCount)
          contents.objectsAreInOrder = true
          let end = Int(entries[1].end)
          return forge.replacingContents(with: contents.bytes, behind: Bytes(memory[..<end]))
        }
      }
    }

    /// In a process of its own, because the limit holds for all threads.
    private static func expectRefusal(streamByteCount: Int) throws {
      let bytes = try forged(streamByteCount: streamByteCount)
      #expect(bytes.count < 2 << 20)
      try MemoryLimitTests.limitMemory(to: 500 << 20)
      let error = #expect(throws: GCodableError.self) { try decoded(NodeList.self, from: bytes) }
      #expect(error?.code == .malformed)
      let part = #expect(throws: GCodableError.self) { try GraphArchive(bytes).item() }
      #expect(part?.code == .malformed)
    }

    @Test func moreObjectsThanTheStreamHasBytesAreRefused() async {
      await #expect(processExitsWith: .success) { try Self.expectRefusal(streamByteCount: 5_000) }
    }

    @Test func moreObjectsThanTheFileHasReferencesAreRefused() async {
      await #expect(processExitsWith: .success) {
        try Self.expectRefusal(streamByteCount: Self.objectCount + 1)
      }
    }
  }
#endif
