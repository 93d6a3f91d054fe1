import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Contents that match their checksum but that no writer would write are refused, each for its reason.
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

  @Test func segmentsFollowOneAnother() throws {
    let forge = try Self.large()
    var end = UInt64(ArchiveHeader.byteCount)
    for placed in forge.contents.segments {
      #expect(placed.offset == placed.segment.front.start(behind: end))
      end = placed.end
    }
    #expect(forge.contents.segments.map(\.segment.kind) == [.graph, .bulk, .bulk, .objectIndex])
    #expect(end == forge.header.contentsOffset)
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
  }

  @Test func segmentsThatReachIntoTheContentsAreRefused() throws {
    let forge = try Self.large()
    // One byte less of a block: what follows lies elsewhere than the contents say, or is more than they say.
    let shorter = try forge.changingContents { contents in
      contents.bulk[1].segment.codec = 1
      contents.bulk[1].segment.blocks[0].storedByteCount -= 1
    }
    #expect(throws: GCodableError.self) { try decoded([Outermost].self, from: shorter) }
    expectMalformed(
      try forge.changingContents { contents in
        contents.bulk.append(contents.bulk[1])
      }, "cannot be in the archive")
  }

  @Test(arguments: [0, UInt64.max, 1 << 40]) func sizesThatCannotBeExpandedAreRefused(size: UInt64) throws {
    let forge = try Self.large()
    expectMalformed(try forge.changingContents { $0.bulk[1].segment.rawByteCount = size }, "has a segment of")
  }

  @Test func segmentHeadersThatNoWriterMakesAreRefused() throws {
    let forge = try Self.large()
    let shuffle = Segment.Filter.shuffle(elementByteCount: 8)
    let changes: [(inout Segment) -> Void] = [
      { $0.filters = [shuffle] },
      { ($0.codec, $0.filters) = (1, Array(repeating: shuffle, count: 5)) },
      { ($0.codec, $0.filters) = (1, [.init(number: 0, parameter: 8)]) },
      { ($0.codec, $0.filters) = (1, [.init(number: 3, width: 8, parameter: 0)]) },
      { ($0.codec, $0.filters) = (1, [shuffle, .note(.bits(8))]) },
      { ($0.codec, $0.filters) = (1, [shuffle, .quantised(width: 8, bits: 44, bound: 1)]) },
      { ($0.codec, $0.filters) = (1, [.note(.bits(8)), .quantised(width: 8, bits: 44, bound: 1)]) },
      { $0.filters = [.note(.bits(8)), shuffle] },
      { ($0.codec, $0.filters) = (1, [.init(number: 1, parameter: 1)]) },
      { ($0.codec, $0.filters) = (1, [.init(number: 1, parameter: 256)]) },
      { $0.alignment = 1 << 21 },
      { $0.elementByteCount = 0 },
      { $0.elementByteCount = 3 },
      { $0.blockByteCount = 0 },
      { $0.blockByteCount -= 1 },
      { $0.blockByteCount *= 16 },
      { $0.format = PackedFormat(.float32) },
      { $0.format = PackedFormat(rawValue: 31) },
      { $0.blocks.append($0.blocks[0]) },
      { $0.blocks[0].storedByteCount = 0 },
      { $0.blocks[0].storedByteCount -= 1 },
    ]
    for (index, change) in changes.enumerated() {
      let forged = try forge.changingContents { change(&$0.bulk[0].segment) }
      let error = #expect(throws: GCodableError.self) { try decoded([Outermost].self, from: forged) }
      #expect(error?.code == .malformed, "change \(index): \(error?.description ?? "no error")")
    }
  }

  @Test func aSegmentHeaderThatIsNotTheOneInTheContentsIsDamage() throws {
    let forge = try Self.large()
    for offset in [Int(forge.contents.bulk[0].offset) + 40, Int(forge.contents.bulk[0].offset) - 1] {
      var bytes = forge.bytes
      bytes[offset] ^= 1
      let error = #expect(throws: GCodableError.self) { try decoded([Outermost].self, from: bytes) }
      #expect(error?.code == .damaged)
      #expect(throws: GCodableError.self) { try GraphArchive(bytes).verify() }
    }
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
