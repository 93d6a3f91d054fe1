import GraphCodableTestSupport
import Testing

@testable import GraphCodable

/// Contents that match their checksum but say what no writer says are refused, each for its reason.
@Suite("Forged contents")
struct ContentsTests {
  /// Arrays in two segments, and a graph stream and an object index in one each.
  private static func large() throws -> Forge {
    let sample = Outermost(
      texts: (0..<300).map { "text \($0)" }, numbers: (0..<3000).map(Double.init),
      list: NodeList(count: 2000))
    return try Forge(encoded([sample, sample], compression: .none))
  }

  private func expectMalformed(_ bytes: Bytes, _ text: String) {
    let error = #expect(throws: GCodableError.self) { try decoded([Outermost].self, from: bytes) }
    #expect(error?.code == .malformed)
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "no error")")
  }

  @Test func segmentsStandEndToEnd() throws {
    let contents = try Self.large().contents
    guard case .segment(let graph) = contents.graph, case .segment(let index) = contents.objectIndex else {
      Issue.record("the sample is too small")
      return
    }
    var offset = UInt64(ArchiveHeader.byteCount)
    for entry in [graph] + contents.bulk + [index] {
      #expect(entry.offset == offset)
      offset += entry.byteCount
    }
    #expect(contents.bulk.count == 2)
    #expect(try offset == Self.large().header.contentsOffset)
  }

  @Test func aStreamThatLeavesItsSegmentIsDecoded() throws {
    // The forge itself is checked here: otherwise its archives might be refused for the wrong reason.
    let forge = try Self.large()
    let copy = try decoded([Outermost].self, from: forge.replacingStream(with: forge.stream()))
    #expect(copy.map(\.numbers.count) == [3000, 3000])
  }

  @Test func bytesThatBelongToNoSegmentAreRefused() throws {
    let forge = try Self.large()
    let front = Bytes(forge.bytes[..<forge.contentsRange.lowerBound])
    expectMalformed(
      forge.replacingContents(with: forge.contents.bytes, behind: front + [0]), "belong to nothing")
    expectMalformed(
      try forge.changingContents { contents in
        contents.bulk[0].byteCount -= 1
        contents.bulk[1].byteCount += 1
      }, "do not fill it")
  }

  @Test(arguments: [0, UInt64.max, 1 << 40]) func segmentsThatReachIntoTheContentsAreRefused(size: UInt64)
    throws
  {
    let forge = try Self.large()
    expectMalformed(try forge.changingContents { $0.bulk[1].byteCount = size }, "cannot be in the archive")
  }

  @Test(arguments: [0, UInt64.max, 1 << 40]) func sizesThatCannotBeExpandedAreRefused(size: UInt64) throws {
    let forge = try Self.large()
    expectMalformed(
      try forge.changingContents { $0.bulk[1].rawByteCount = size }, "cannot be in the archive")
  }

  /// Codec, filter, element size and reserved byte of a block entry.
  @Test(
    arguments: [
      [0, 1, 8, 0], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 8, 0], [1, 2, 8, 0], [1, 255, 8, 0], [0, 0, 1, 0],
      [0, 0, 0, 1],
    ] as [[UInt8]]) func blockEntriesThatNoWriterMakesAreRefused(bytes: [UInt8]) throws
  {
    let forge = try Self.large()
    let entry = Int(forge.contents.bulk[0].offset) + Segment.fixedByteCount + 4
    var forged = forge
    for (place, byte) in bytes.enumerated() {
      if let changed = try forged.changingSegmentByte(at: entry + place, { $0 = byte }) {
        forged = try Forge(changed)
      }
    }
    expectMalformed(forged.bytes, bytes[3] == 0 ? "has filter" : "reserved")
  }

  @Test func equalKeysAreRefused() throws {
    let forge = try Self.large()
    expectMalformed(try forge.changingContents { $0.keys[1] = $0.keys[0] }, "a key twice")
  }

  @Test func shapesThatNoValueCanHaveAreRefused() throws {
    let forge = try Self.large()
    let number = try #require(forge.contents.shapes.firstIndex { $0.fields.count > 1 })
    let changes: [(inout Contents.Shape) -> Void] = [
      { $0.fields[1].keyNumber = $0.fields[0].keyNumber },
      { ($0.classNumber, $0.isClass) = (1, false) },
      { $0.isBoxed = true },
      { ($0.isBoxed, $0.isList, $0.fields) = (true, true, []) },
      { ($0.isBoxed, $0.isOpen, $0.fields) = (true, true, []) },
    ]
    for change in changes {
      expectMalformed(
        try forge.changingContents { change(&$0.shapes[number]) }, "a shape that no value can have")
    }
  }
}
