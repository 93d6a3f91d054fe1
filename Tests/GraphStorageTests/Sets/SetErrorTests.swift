import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Parts that are not there, or not those of the set: an error before anything is decoded.
@Suite("Sets that are not as they should be")
struct SetErrorTests {
  let place: SetFolder
  var url: URL { place.url }

  init() throws { place = try SetFolder() }

  private func error(_ body: () throws -> Void) -> GCodableError? {
    do {
      try body()
      return nil
    } catch { return error as? GCodableError }
  }

  /// Commits receipts that `change` makes of those of three parts, and expects an error, and the set of before.
  private func refused(
    _ change: ([GraphArchiveSet.Receipt], GraphArchiveSet.Writer) throws -> [GraphArchiveSet.Receipt]
  ) throws -> GCodableError? {
    try place.save(2, step: 1)
    let writer = try GraphArchiveSet.Writer(url)
    let receipts = try change((0..<3).map { try place.write($0, of: 3, by: writer) }, writer)
    let found = error { try writer.commit(receipts, step: 2, time: 0) }
    try #expect(GraphArchiveSet(url).step == 1)
    try GraphArchiveSet(url).verify()
    return found
  }

  @Test func aPartThatIsMissingOrTwiceOrOfOthersIsRefused() throws {
    var found = try refused { receipts, _ in Array(receipts.dropLast()) }
    #expect(found?.code == .invalidValue && found?.description.contains("part 2 is missing") == true)
    found = try refused { receipts, _ in receipts + [receipts[1]] }
    #expect(found?.code == .invalidValue && found?.description.contains("part 1 is there twice") == true)
    found = try refused { receipts, writer in try receipts.dropLast() + [place.write(1, of: 4, by: writer)] }
    #expect(found?.code == .invalidValue && found?.description.contains("one of 4") == true)
    found = try refused { receipts, _ in
      let other = try GraphArchiveSet.Writer(url, token: "other")
      return try receipts.dropLast() + [place.write(2, of: 3, by: other)]
    }
    #expect(found?.code == .invalidValue && found?.description.contains("another attempt") == true)
    found = try refused { _, _ in [] }
    #expect(found?.code == .invalidValue)
  }

  /// Receipts come from other processes.
  @Test(arguments: [-1, 0, .min, .max]) func aReceiptWithNoCountOfPartsIsRefused(partCount: Int) throws {
    let found = try refused { receipts, _ in
      try receipts.map { receipt in
        let json = try String(decoding: JSONEncoder().encode(receipt), as: UTF8.self)
        let forged = json.replacing("\"partCount\":3", with: "\"partCount\":\(partCount)")
        try #require(forged != json)
        return try JSONDecoder().decode(GraphArchiveSet.Receipt.self, from: Data(forged.utf8))
      }
    }
    #expect(found?.code == .invalidValue)
  }

  @Test func aFileThatIsGoneOrCutOrAnotherIsRefused() throws {
    func file(_ receipt: GraphArchiveSet.Receipt) -> URL { url.appendingPathComponent(receipt.name) }
    var found = try refused { receipts, _ in
      try FileManager.default.removeItem(at: file(receipts[1]))
      return receipts
    }
    #expect(found?.code == .file && found?.description.contains("part 1 of 3") == true)
    found = try refused { receipts, _ in
      try Data(Data(contentsOf: file(receipts[2])).dropLast()).write(to: file(receipts[2]))
      return receipts
    }
    #expect(found?.code == .wrongSize && found?.description.contains("part 2 of 3") == true)
    found = try refused { receipts, writer in
      var bytes = try Data(contentsOf: file(receipts[0]))
      bytes[20] ^= 1
      try bytes.write(to: file(receipts[0]))
      return receipts
    }
    #expect(found?.code == .damaged || found?.code == .wrongSize)
  }

  @Test func arraysThatDoNotFitTogetherAreRefused() throws {
    /// Writes two parts of an array of 10 elements, which say these shapes and offsets.
    func refused(_ shapes: [[Int]], _ offsets: [[Int]]) throws -> GCodableError? {
      let writer = try GraphArchiveSet.Writer(url)
      return error {
        let receipts = try (0..<2).map { part in
          try writer.part(part, of: 2).write(
            Array(repeating: 1.5, count: 5),
            arrays: [.init("x", at: [], globalShape: shapes[part], offset: offsets[part])])
        }
        try writer.commit(receipts, step: 0, time: 0)
      }
    }
    try #expect(refused([[10], [11]], [[0], [5]])?.description.contains("shape [11] in part 1") == true)
    try #expect(refused([[10], [10]], [[0], [4]])?.description.contains("in part 0 and in part 1") == true)
    try #expect(refused([[11], [11]], [[0], [6]])?.description.contains("10 of its 11") == true)
    for (shape, offset) in [([10], [6]), ([10], [-1]), ([10, 1], [0, 0]), ([10], []), ([10], [Int.max])] {
      try #expect(refused([shape, [10]], [offset, [5]])?.code == .invalidValue)
    }
    try #expect(refused([[10], [10]], [[5], [0]]) == nil)
    try #expect(GraphArchiveSet(url).array(Double.self, "x").elements() == Array(repeating: 1.5, count: 10))
  }

  @Test func aSetIsCheckedBeforeItIsDecoded() throws {
    try place.save(3)
    let set = try GraphArchiveSet(url)
    let file = set.partURL(1)
    let bytes = try Data(contentsOf: file)
    func code() throws -> GCodableError.Code? { error { try GraphArchiveSet(url).check() }?.code }
    try FileManager.default.removeItem(at: file)
    try #expect(code() == .file)
    try Data(bytes.dropLast(9)).write(to: file)
    try #expect(code() == .wrongSize)
    try Data(contentsOf: set.partURL(0)).prefix(bytes.count).write(to: file)
    try #expect(code() != nil)
    var changed = bytes
    changed[500] ^= 1
    try changed.write(to: file)
    #expect(error { try GraphArchiveSet(url).verify() }?.description.contains("part 1") == true)
    #expect(error { _ = try set.part(3) }?.code == .valueNotFound)
    #expect(error { _ = try set.part(-1) }?.code == .valueNotFound)
  }

  @Test func whatIsNoSetIsRefused() throws {
    #expect(error { _ = try GraphArchiveSet(url) }?.code == .file)
    try place.save(1)
    let manifest = url.appendingPathComponent("set.gcodable")
    try GraphEncoder().write([1, 2, 3], to: manifest)
    #expect(error { _ = try GraphArchiveSet(url) } != nil)
    // It is replaced by the next one.
    try place.save(2)
    try GraphArchiveSet(url).verify()
    try #expect(place.names().count == 3)
    #expect(error { _ = try GraphArchiveSet.Writer(url, token: "../a") }?.code == .invalidValue)
    #expect(error { _ = try GraphArchiveSet.Writer(place.place.file("none"), token: "a") }?.code == .file)
    #expect(error { _ = try GraphArchiveSet.Writer(place.place.file("none/state")) }?.code == .file)
  }

  @Test func oneWriterBeginsAndCommits() throws {
    let writer = try GraphArchiveSet.Writer(url)
    #expect(error { _ = try GraphArchiveSet.Writer(url) }?.code == .locked)
    let joined = try GraphArchiveSet.Writer(url, token: writer.token)
    let receipt = try place.write(0, of: 1, by: joined)
    #expect(error { try joined.commit([receipt], step: 0, time: 0) }?.code == .locked)
    #expect(error { try joined.abort() }?.code == .locked)
    #expect(error { _ = try writer.part(1, of: 1) }?.code == .invalidValue)
    #expect(error { _ = try writer.part(0, of: 0) }?.code == .invalidValue)
    try writer.commit([receipt], step: 0, time: 0)
    // Its parts are those that readers see.
    #expect(error { _ = try writer.part(0, of: 1) }?.code == .locked)
    #expect(error { try writer.commit([receipt], step: 1, time: 0) }?.code == .locked)
    try writer.abort()
    try GraphArchiveSet(url).verify()
  }

  /// As a thread does that watches over a save.
  @Test func abortingDuringACommitLeavesACompleteSet() async throws {
    for round in 0..<20 {
      try place.save(1, step: -1)
      let writer = try GraphArchiveSet.Writer(url)
      let receipts = try (0..<4).map { try writer.part($0, of: 4).write([$0]) }
      let isCommitted = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          do { try writer.commit(receipts, step: round, time: 0) } catch is GCodableError { return false }
          return true
        }
        group.addTask {
          try writer.abort()
          return false
        }
        return try await group.reduce(false) { $0 || $1 }
      }
      let set = try GraphArchiveSet(url)
      #expect(set.step == (isCommitted ? round : -1))
      try set.verify()
    }
  }
}
