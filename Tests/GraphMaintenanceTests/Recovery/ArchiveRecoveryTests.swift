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

/// What `GraphArchive.recover` makes of single damages.
@Suite("Recovery of archives") struct ArchiveRecoveryTests {
  private static func blocks(of bytes: Bytes, _ kind: Segment.Kind) throws -> [Range<Int>] {
    try GraphArchive(bytes).contents.segments.filter { $0.segment.kind == kind }.flatMap { placed in
      zip(ArchiveReader.OpenSegment(placed).blockOffsets, placed.segment.blocks).map {
        Int($0)..<(Int($0) + Int($1.storedByteCount))
      }
    }
  }

  private static func long(_ number: Int) -> String { String(repeating: "\(1000 + number)", count: 25_000) }

  /// Posts of 100 KB each, so that ten of them fill a block.
  private static func posts(_ count: Int, _ link: ([Post]) -> Void) throws -> (root: Post, bytes: Bytes) {
    let posts = (0..<count).map { Post(long($0)) }
    link(posts)
    return (posts[0], try encoded(posts[0], compression: .none))
  }

  @Test func whatIsWholeIsCopied() throws {
    let bytes = try encoded([1.5, 2.5].map { Post("\($0)", samples: Array(repeating: $0, count: 5_000)) })
    let (archive, report) = try recovered(bytes)
    #expect(report.isWhole)
    #expect(report.summary == "nothing is lost")
    #expect(archive.header.byteCount == UInt64(bytes.count))
    #expect(try archive.decode([Post].self).map(\.name) == ["1.5", "2.5"])
  }

  /// - Parameter count: numbers of a block.
  @Test(arguments: zip([GraphEncoder.Compression.none, .lz4, .small], [65_024, 65_024, 131_072]))
  func aLostBlockOfAnArrayHasNoNumbers(_ compression: GraphEncoder.Compression, count: Int) throws {
    var random = SplitMix64(seed: 1)
    let numbers = (0..<300_000).map { _ in Double(random.below(1_000)) }
    var bytes = try encoded(["a": numbers], compression: compression)
    #expect(
      try GraphArchive(bytes).info.segments.contains { $0.numbersBlockCount > 0 } == (compression == .small))
    bytes[try Self.blocks(of: bytes, .bulk)[1].lowerBound + 100] ^= 1
    let (archive, report) = try recovered(bytes)
    #expect(report.lostBlockCount == 1)
    #expect(report.damage.blocks.first?.losses.map(\.path) == [["a"]])
    #expect(archive.metadata["graphcodable.recovered"] == "1 of \(300_000 / count + 1) blocks are lost")
    let back = try #require(try archive.decode([String: [Double]].self)["a"])
    #expect(back[..<count].elementsEqual(numbers[..<count]))
    #expect(back[count..<(2 * count)].allSatisfy { $0.isNaN })
    #expect(back[(2 * count)...].elementsEqual(numbers[(2 * count)...]))
    try archive.verify()
  }

  @Test func aLostBlockOfIntegersIsZero() throws {
    var bytes = try encoded((0..<300_000).map { Int32($0) }, compression: .lz4)
    bytes[try Self.blocks(of: bytes, .bulk)[0].lowerBound] ^= 1
    let archive = try recovered(bytes).archive
    let back = try archive.decode([Int32].self)
    #expect(back[..<130_048].allSatisfy { $0 == 0 })
    #expect(back[130_048...].elementsEqual(130_048..<300_000))
    try archive.verify()
  }

  /// Whoever refers to them may be nil, or has to be read without them.
  @Test func lostObjectsAreLeftOut() throws {
    let (_, bytes) = try Self.posts(40) { posts in
      for number in 1..<40 { posts[number - 1].next = posts[number] }
      for post in posts { post.owner = posts[0] }
    }
    var damaged = bytes
    damaged[try Self.blocks(of: bytes, .graph)[2].lowerBound + 10] ^= 1
    let (archive, report) = try recovered(damaged)
    try archive.verify()
    #expect(report.lostObjectCount > 8 && report.lostObjectCount < 13)
    #expect(report.objectCount + report.cutObjectCount + report.lostObjectCount == 40)
    #expect(report.rootPath == [] && report.restPath == ["recovered"])
    // The chain ends in front of what is lost, the root is what it was, and the rest begins behind.
    let root = try archive.decode(Post.self)
    let front = Array(sequence(first: root, next: \.next))
    #expect(front.map(\.name) == front.indices.map(Self.long))
    #expect(front.last?.owner === root)
    let items = try archive.items(at: ["recovered", "objects"])
    let numbers = items.compactMap { item -> Int? in
      if case .index(let number)? = item.step { number } else { nil }
    }
    let first = try #require(numbers.last)
    let behind = try archive.decode(Post.self, at: ["recovered", "objects", .index(first)])
    let back = Array(sequence(first: behind, next: \.next))
    #expect(back.map(\.name) == (first..<40).map(Self.long))
    #expect(front.count + back.count >= report.objectCount)
  }

  @Test func aReferenceThatCannotBeNilLeadsToNothing() throws {
    let (root, bytes) = try Self.posts(40) { posts in posts[0].others = Array(posts[1...]) }
    var damaged = bytes
    damaged[try Self.blocks(of: bytes, .graph)[2].lowerBound + 10] ^= 1
    let archive = try recovered(damaged).archive
    try archive.verify()
    #expect(throws: GCodableError.self) { try archive.decode(Post.self) }
    var (found, lost) = (0, 0)
    for place in root.others.indices {
      let path: GraphPath = ["others", .index(place)]
      if let post = try? archive.decode(Post.self, at: path) {
        #expect(post.name == root.others[place].name)
        found += 1
      } else {
        lost += 1
      }
    }
    #expect(found == 39 - lost && lost > 8 && lost < 13)
    #expect(try archive.item(at: ["others", 0]).objectNumber == 1)
  }

  @Test func aListThatEndsInDamageIsShorter() throws {
    struct Row: GCodable, Equatable {
      var text: String
      var number: Int
      init(_ number: Int) { (text, self.number) = (ArchiveRecoveryTests.long(number), number) }
      enum Key: String { case text, number }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(text, for: Key.text)
        try encoder.encode(number, for: Key.number)
      }
      init(from decoder: GDecoder) throws {
        text = try decoder.decode(for: Key.text)
        number = try decoder.decode(for: Key.number)
      }
    }
    let rows = (0..<40).map(Row.init)
    var bytes = try encoded(rows, compression: .none)
    bytes[try Self.blocks(of: bytes, .graph)[2].lowerBound + 10] ^= 1
    let (archive, report) = try recovered(bytes)
    try archive.verify()
    #expect(!report.rootIsWhole && report.rootPath == [] && report.restPath == nil)
    let back = try archive.decode([Row].self)
    #expect(back.count == 20)
    #expect(back.elementsEqual(rows.prefix(20)))
    // A dictionary of lists, and a record that has them.
    var other = try encoded(["a": rows], compression: .none)
    other[try Self.blocks(of: other, .graph)[1].lowerBound + 10] ^= 1
    #expect(try recovered(other).archive.decode([String: [Row]].self)["a"]?.count == 10)
  }

  @Test func anArrayOfStringsKeepsItsOtherStrings() throws {
    // Characters of one to four bytes, at any place of a block.
    let texts = (0..<120_000).map { "\($0) é–𝄞" + String(repeating: "–", count: $0 % 7) + "߿ࠀ𐀀\u{10FFFF}" }
    let bytes = try encoded(texts)
    let places = try Self.blocks(of: bytes, .bulk)
    #expect(places.count > 3)
    for lost in [[0], [1], [1, 2], [places.count - 1]] {
      var damaged = bytes
      for block in lost { damaged[places[block].lowerBound + 9] ^= 1 }
      let (archive, report) = try recovered(damaged)
      #expect(report.lostBlockCount == lost.count)
      try archive.verify()
      let back = try archive.decode([String].self)
      let same = zip(back, texts).count { $0 == $1 }
      #expect(back.count == texts.count)
      #expect(same >= texts.count - (lost.count * 1 << 20) / 16 && same < texts.count)
    }
  }

  @Test func withoutTheObjectIndexAllObjectsAreFound() throws {
    for isInOrder in [true, false] {
      let posts = (0..<3_000).map { Post("\($0)") }
      for (number, post) in posts.enumerated().dropFirst() {
        posts[number / 2].others.append(post)
        // The owner is named before it is stored.
        if !isInOrder { posts[number / 2].owner = posts[min(number + 40, 2_999)] }
      }
      var bytes = try encoded(posts[0])
      #expect(try GraphArchive(bytes).contents.objectsAreInOrder == isInOrder)
      bytes[try #require(Self.blocks(of: bytes, .objectIndex).first).lowerBound] ^= 1
      let (archive, report) = try recovered(bytes)
      try archive.verify()
      #expect(report.objectCount == 3_000 && report.lostObjectCount == 0)
      func names(_ post: Post) -> [String] { [post.name] + post.others.flatMap(names) }
      #expect(try names(archive.decode(Post.self)) == names(posts[0]))
    }
  }

  @Test func aLostHeaderCostsNothing() throws {
    let posts = [Post("a", samples: (0..<5_000).map(Double.init)), Post("b")]
    for bytes in [try encoded(posts), try encoded(Post("small"))] {
      for damage in [0..<40, 20..<21, 24..<40] {
        var damaged = bytes
        for place in damage { damaged[place] ^= 0x55 }
        let (archive, report) = try recovered(damaged)
        #expect(report.lostBlockCount == 0 && report.lostObjectCount == 0)
        #expect(report.tables == (damage.contains(24) ? .unverified : .intact))
        #expect(archive.metadata.isEmpty || report.tables != .intact)
        try archive.verify()
        #expect(try archive.item(at: []).count == GraphArchive(bytes).item(at: []).count)
      }
    }
  }

  @Test func withoutTablesTheArraysAreLeft() throws {
    let posts = (0..<4).map { Post("\($0)", samples: Array(repeating: Double($0) + 0.5, count: 5_000)) }
    let bytes = try encoded(posts)
    let header = try GraphArchive(bytes).header
    var changed = bytes
    changed[Int(header.contentsOffset) + 3] ^= 1
    for damaged in [changed, Bytes(bytes[..<Int(header.contentsOffset)])] {
      let (archive, report) = try recovered(damaged)
      #expect(report.tables == .lost && report.rootPath == nil)
      try archive.verify()
      for number in 0..<4 {
        let path: GraphPath = ["recovered", "arrays", .index(number)]
        #expect(try archive.decode([Double].self, at: path) == posts[number].samples)
      }
    }
  }

  @Test(arguments: [false, true])
  func withoutTablesAnArrayThatIsLostKeepsItsNumber(hasHeader: Bool) throws {
    let posts = (0..<4).map { Post("\($0)", samples: Array(repeating: Double($0) + 0.5, count: 5_000)) }
    var bytes = try encoded(posts)
    let (header, block) = (try GraphArchive(bytes).header, try Self.blocks(of: bytes, .bulk)[0])
    bytes[Int(header.contentsOffset) + 3] ^= 1
    bytes[block.lowerBound + 5] ^= 1
    if !hasHeader { bytes[20] ^= 1 }
    let (archive, report) = try recovered(bytes)
    #expect(report.tables == .lost && report.lostBlockCount == 1)
    for number in 1..<4 {
      let path: GraphPath = ["recovered", "arrays", .index(number)]
      #expect(try archive.decode([Double].self, at: path) == posts[number].samples)
    }
  }

  @Test func whereNothingIsIntactNothingIsWritten() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcodable")
    try Data(repeating: 7, count: 10_000).write(to: url)
    let error = #expect(throws: GCodableError.self) {
      try GraphArchive.recover(url, to: folder.file("b.gcodable"))
    }
    #expect(error?.code == .damaged)
    #expect(throws: GCodableError.self) { try GraphArchive.recover(url, to: url) }
    #expect(try folder.names() == ["a.gcodable"])
  }
}
