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

/// Inspecting archives whose checksums match but whose bytes were never written gives items or errors, and no trap.
@Suite(.serialized) struct PartForgeryTests {
  /// Lists what an archive has, level by level, and decodes some of it, with more steps than a sound one would need.
  private func attack(_ bytes: Bytes, _ types: [any GDecodable.Type], _ random: inout SplitMix64) {
    var paths: [GraphPath] = [""]
    attempt {
      let archive = try GraphArchive(bytes)
      attempt { _ = try archive.info }
      var next = 0
      while next < paths.count, next < 60 {
        let path = paths[next]
        next += 1
        attempt { _ = try archive.item(at: path) }
        attempt {
          let first = random.once(in: 4) ? random.below(40) : 0
          for item in try archive.items(at: path, in: first..<(first + 8)) {
            #expect(item.text?.count ?? 0 <= 65)
            if let step = item.step, paths.count < 200 { paths.append(path.appending(step)) }
          }
        }
      }
    }
    func decode<Value: GDecodable>(_ type: Value.Type, _ path: GraphPath) {
      attempt {
        let value = try GraphArchive(bytes).decode(type, at: path)
        (value as? any Closable)?.close()
      }
    }
    for path in paths.shuffled(using: &random).prefix(4) {
      for type in types + [[Double].self, String?.self, Int.self] { decode(type, path) }
      attempt { _ = try GraphArchive(bytes).decode(codable: [String: [Int]].self, at: path) }
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch is DecodingError {} catch let error as GCodableError {
      if error.code == .internalInconsistency { Issue.record("\(error)") }
    } catch { Issue.record("not an error of the package: \(error)") }
  }

  @Test(arguments: ForgeryTests.targets) func mutatedStreamsAreListedOrRefused(target: ForgeryTests.Target)
    throws
  {
    let forge = try Forge(target.bytes)
    let stream = try forge.stream()
    var random = SplitMix64(seed: 500)
    attack(target.bytes, target.types, &random)
    for _ in 0..<(150 * ForgeryTests.factor) {
      var mutant = stream
      mutant.mutate(&random)
      attack(try forge.replacingStream(with: mutant), target.types, &random)
    }
  }

  @Test(arguments: ForgeryTests.targets) func mutatedContentsAreListedOrRefused(target: ForgeryTests.Target)
    throws
  {
    let forge = try Forge(target.bytes)
    let contents = Bytes(target.bytes[forge.contentsRange])
    var random = SplitMix64(seed: 600)
    for _ in 0..<(150 * ForgeryTests.factor) {
      var mutant = contents
      mutant.mutate(&random)
      attack(forge.replacingContents(with: mutant), target.types, &random)
    }
  }

  @Test func mutatedSegmentsAreListedOrRefused() throws {
    let bytes = try encoded(NodeList(count: 800), compression: .none)
    let forge = try Forge(bytes)
    var random = SplitMix64(seed: 700)
    var count = 0
    for _ in 0..<(100 * ForgeryTests.factor) {
      let change = UInt8(random.below(256))
      guard let forged = try forge.changingSegmentByte(at: random.below(bytes.count), { $0 ^= change }) else {
        continue
      }
      count += 1
      attack(forged, [NodeList.self, NamedNode.self], &random)
    }
    #expect(count > 0)
  }

  @Test func boxesOfEachOtherAreAnError() throws {
    // A value with an identity that is another one of the kind: its box holds a reference, here to itself.
    let bytes = try encoded([Tagged(1, "a")])
    let forge = try Forge(bytes)
    let boxed = try forge.changingContents { contents in
      contents.shapes = [Contents.Shape(classNumber: 0, isBoxed: true, fields: [])]
      // The root is a reference to object 0; that is a box of a reference to object 0.
      contents.graph = .embedded([GraphKind.reference.rawValue, 1, 3, GraphKind.reference.rawValue, 1])
      contents.objectIndex = .embedded([5])
      (contents.objectCount, contents.storedObjectCount, contents.objectsAreInOrder) = (1, 1, true)
    }
    let error = #expect(throws: GCodableError.self) { try GraphArchive(boxed).item() }
    #expect(error?.code == .malformed)
  }

  @Test func boxesInBoxesAreNoDepthOfTheStack() throws {
    let depth = 100_000
    let forged = try Forge(encoded(5)).changingContents { contents in
      contents.shapes = [Contents.Shape(classNumber: 0, isBoxed: true, fields: [])]
      // Each is a record of shape 1.
      let boxes = [Bytes](repeating: [GraphKind.record.rawValue, 3], count: depth).joined()
      contents.graph = .embedded(boxes + [GraphKind.uint8.rawValue, 7])
    }
    let archive = try GraphArchive(forged)
    try archive.verify()
    #expect(try archive.item().text == "7")
    var lineCount = 0
    try archive.dumpLines { _ in lineCount += 1 }
    #expect(lineCount > depth)
  }

  @Test func boxesInPlaceLeadToNothingButEachOther() throws {
    let boxed = try Forge(encoded([Tagged(1, "a")])).changingContents { contents in
      contents.shapes = [Contents.Shape(classNumber: 0, isBoxed: true, fields: [])]
      // The root is a reference to object 0, a box of a box of a reference to object 0.
      let reference = [GraphKind.reference.rawValue, 1]
      contents.graph = .embedded(reference + [3, GraphKind.record.rawValue, 3] + reference)
      contents.objectIndex = .embedded([5])
      (contents.objectCount, contents.storedObjectCount, contents.objectsAreInOrder) = (1, 1, true)
    }
    let error = #expect(throws: GCodableError.self) { try GraphArchive(boxed).verify() }
    #expect(error?.code == .malformed)
  }

  @Test func claimsTakeNoMemory() throws {
    // An array that says it has as many elements as there are bytes, each of them another such array.
    let forge = try Forge(encoded(5))
    let claim = [GraphKind.array.rawValue, GraphKind.array.rawValue, 0] + Bytes(repeating: 0xFF, count: 8)
    let forged = try forge.replacingStream(with: claim)
    let error = #expect(throws: GCodableError.self) { try GraphArchive(forged).items() }
    #expect(error?.code == .malformed)
    let packed = try forge.replacingStream(
      with: [GraphKind.packed.rawValue, UInt8(PackedFormat(.float64).rawValue) << 1 | 1, 0]
        + Bytes(repeating: 0xFE, count: 8)
    )
    for path: GraphPath in ["", [0], [.index(.max)]] {
      let error = #expect(throws: GCodableError.self) { try GraphArchive(packed).items(at: path) }
      #expect(error?.code == .malformed)
    }
  }

  @Test func whatIsKnownToEndBehindTheExpandedBlocksIsCheckedAsWell() throws {
    let bytes = try script { encoder in
      let text = String(repeating: "abcdefgh", count: 200_000)
      // The ends of values are kept that lie deep, also of those over several blocks.
      try encoder.encode(PartDepthTests.nested(70, around: text), for: Letter.a)
      try encoder.encode(Decimal(12_345_678), for: Letter.b)
    }
    let byteCount = try #require(GraphArchive(bytes).item(at: "b").byteCount)
    // Their number becomes one of nine bytes, far too high.
    let end = try Forge(bytes).stream().suffix(byteCount + 1)
    let place = try #require(bytes.firstRange(of: end)).lowerBound
    let forged = try GraphArchive(#require(Forge(bytes).changingSegmentByte(at: place) { $0 = 0 }))
    #expect(try forged.items(in: 0..<1).count == 1)
    let error = #expect(throws: GCodableError.self) { try forged.item(at: "b") }
    #expect(error?.code == .malformed)
  }
}
