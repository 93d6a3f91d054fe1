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

/// Archives whose checksums match but whose bytes were never written: the parsers decode or throw.
///
/// They take no more memory than the bytes could plausibly need. A crash ends the test process; the seed and the
/// round are in the test's name and in its loop.
@Suite("Forged archives", .serialized)
struct ForgeryTests {
  /// How many times more than usual, from the environment.
  static let factor = Effort.count("GRAPHCODABLE_FORGERIES", usual: 1, thorough: 8)

  /// Decodes with each model that the samples were made of, and some they were not made of.
  private func attack(_ bytes: Bytes, _ types: [any GDecodable.Type]) {
    func decode<Value: GDecodable>(_ type: Value.Type) {
      do {
        let value = try decoded(type, from: bytes)
        (value as? any Closable)?.close()
      } catch let error as GCodableError {
        if error.code == .internalInconsistency { Issue.record("\(error)") }
      } catch { Issue.record("not an error of the package: \(error)") }
    }
    for type in types { decode(type) }
  }

  /// Holds types, which every thread may read.
  struct Target: CustomTestStringConvertible, @unchecked Sendable {
    let testDescription: String
    let bytes: Bytes
    let types: [any GDecodable.Type]
  }

  static let targets: [Target] = {
    func target(_ name: String, _ value: some GEncodable, _ types: [any GDecodable.Type]) -> Target {
      Target(testDescription: name, bytes: (try? encoded(value, compression: .none)) ?? [], types: types)
    }
    return [
      target("kitchen sink", KitchenSink.sample(), [KitchenSink.self]),
      target(
        "shapes with overflow fields", [Script { for index in 0..<300 { try $0.encode(index) } }],
        [[[Int]].self, [KitchenSink].self]),
      target("objects", NodeList(count: 12), [NodeList.self, KitchenSink.self]),
      target(
        "tree", TreeNode("root", [TreeNode("a", [TreeNode("b")]), TreeNode("c")]),
        [TreeNode.self, NodeList.self]),
      target("ring", ringOfThree(), [Ring.self]),
      target(
        "subclasses", [Base(name: "b"), Derived(name: "d", size: 2)],
        [[Base].self, [Derived].self, [Impatient].self]),
      target("conditional", ConditionalNode("a", weak: ConditionalNode("b")), [ConditionalNode.self]),
      target(
        "identified values", [Tagged(1, "a"), Tagged(2, "b"), Tagged(1, "c")],
        [[Tagged].self, [Named<Int>].self]),
      target("sets", ["a": Set([1, 2, 3])], [[String: Set<Int>].self, [String: [Int]].self]),
    ]
  }()

  private static func ringOfThree() -> Ring {
    let ring = Ring()
    ring.next = Ring()
    ring.next?.next = ring
    return ring
  }

  @Test(arguments: targets) func mutatedStreamsAreDecodedOrRefused(target: Target) throws {
    let forge = try Forge(target.bytes)
    let stream = try forge.stream()
    var random = SplitMix64(seed: 100)
    for _ in 0..<(400 * Self.factor) {
      var mutant = stream
      mutant.mutate(&random)
      attack(try forge.replacingStream(with: mutant), target.types)
    }
  }

  @Test(arguments: targets) func everyByteOfAStreamMayBeAnything(target: Target) throws {
    let forge = try Forge(target.bytes)
    var stream = try forge.stream()
    guard stream.count < 1500 else { return }
    let values: [UInt8] = Effort.of([0, 2, 11, 0xFF], thorough: [0, 1, 2, 4, 8, 11, 0x10, 0x7F, 0xFF])
    for index in stream.indices {
      let original = stream[index]
      for value in values {
        stream[index] = value
        attack(try forge.replacingStream(with: stream), target.types)
      }
      stream[index] = original
    }
  }

  @Test(arguments: targets) func mutatedContentsAreDecodedOrRefused(target: Target) throws {
    let forge = try Forge(target.bytes)
    let contents = Bytes(target.bytes[forge.contentsRange])
    var random = SplitMix64(seed: 200)
    for _ in 0..<(400 * Self.factor) {
      var mutant = contents
      mutant.mutate(&random)
      attack(forge.replacingContents(with: mutant), target.types)
    }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4]) func mutatedSegmentsAreDecodedOrRefused(
    compression: GraphEncoder.Compression
  )
    throws
  {
    let sample = Outermost(
      texts: (0..<300).map { "text \($0)" }, numbers: (0..<3000).map(Double.init), list: NodeList(count: 800))
    let bytes = try encoded(sample, compression: compression)
    let forge = try Forge(bytes)
    var random = SplitMix64(seed: 300)
    var count = 0
    for round in 0..<(400 * Self.factor) {
      // Leads are few bytes among many, so half of the changes go there.
      let start =
        round.isMultiple(of: 2)
        ? random.below(bytes.count) : leads(of: forge.contents).randomElement(using: &random) ?? 0
      let offset = min(start + (round.isMultiple(of: 2) ? 0 : random.below(60)), bytes.count - 1)
      let change = UInt8(1 + random.below(255))
      guard let forged = try forge.changingSegmentByte(at: offset, { $0 ^= change }) else { continue }
      count += 1
      attack(forged, [Outermost.self])
    }
    #expect(count > 200)
  }

  private func leads(of contents: Contents) -> [Int] {
    var entries = contents.bulk
    if case .segment(let entry) = contents.graph { entries.append(entry) }
    if case .segment(let entry) = contents.objectIndex { entries.append(entry) }
    return entries.map { Int($0.offset) }
  }

  @Test func aClaimOfHugeCountsTakesNoMemory() throws {
    let huge: Bytes = [0] + Bytes(repeating: 0x7F, count: 8)
    let containers: [(GraphKind, Bytes)] = [
      (.array, [GraphKind.int64.rawValue]), (.array, [GraphKind.null.rawValue]),
      (.set, [GraphKind.int64.rawValue]),
      (.dictionary, [GraphKind.string.rawValue, GraphKind.int64.rawValue]), (.string, []),
      (.packed, [UInt8(PackedFormat.Scalar.float64.rawValue) << 1 | 1]),
      (.packed, [UInt8(PackedFormat.Scalar.int8.rawValue) << 1 | 1]),
    ]
    let forge = try Forge(encoded([1], compression: .none))
    for (kind, head) in containers {
      let bytes = try forge.replacingStream(with: [kind.rawValue] + head + huge)
      for type in [
        [Int].self, [Int?].self, Set<Int>.self, [String: Int].self, String.self, [Double].self, [Int8].self,
      ]
        as [any GDecodable.Type]
      {
        attack(bytes, [type])
      }
    }
  }

  @Test func objectsThatLieInOneAnotherAreRefused() throws {
    // Each byte of an index like that could stand for another copy of the same megabyte.
    let list = NodeList(count: 40)
    let forge = try Forge(encoded(list, compression: .none))
    let bytes = try forge.changingContents { contents in
      guard case .embedded(var index) = contents.objectIndex else { return }
      for place in index.indices.dropFirst() { index[place] = 1 }  // The varint of 0: no distance.
      contents.objectIndex = .embedded(index)
    }
    let error = #expect(throws: GCodableError.self) { try decoded(NodeList.self, from: bytes) }
    #expect(error?.code == .malformed)
  }

  @Test func oneSegmentCannotStandForManyArrays() throws {
    let numbers = (0..<4000).map(Double.init)
    let forge = try Forge(encoded(numbers, compression: .none))
    // Behind its kind, it says the number of the segment.
    let array = Bytes(try forge.stream().dropFirst())
    var builder = ByteBuilder([GraphKind.array.rawValue, GraphKind.packed.rawValue])
    builder.varint(500)
    let bytes = try forge.replacingStream(
      with: builder.bytes + Array(repeatElement(array, count: 500).joined()))
    let error = #expect(throws: GCodableError.self) { try decoded([[Double]].self, from: bytes) }
    #expect(error?.code == .malformed)
  }

  @Test func manyArraysOfNothingAreRefused() throws {
    // Each array claims as many nils as there are bytes left, and takes none for them.
    var stream: Bytes = [GraphKind.array.rawValue, GraphKind.array.rawValue]
    var count: UInt64 = 30_000
    func append(_ value: UInt64) {
      var builder = ByteBuilder(); builder.varint(value); stream += builder.bytes
    }
    append(count)
    while count > 0 {
      stream.append(GraphKind.null.rawValue)
      append(count)
      count -= 1
    }
    let bytes = try Forge(encoded([[Int?.none]], compression: .none)).replacingStream(with: stream)
    let error = #expect(throws: GCodableError.self) { try decoded([[Int?]].self, from: bytes) }
    #expect(error?.code == .malformed)
  }
}

/// Breaks its cycles, so that tens of thousands of decoded ones do not fill the memory.
protocol Closable { func close() }
extension Ring: Closable { func close() { next = nil } }

/// Arrays in segments of every kind.
struct Outermost: GCodable {
  var texts: [String]
  var numbers: [Double]
  var list: NodeList
  init(texts: [String], numbers: [Double], list: NodeList) {
    (self.texts, self.numbers, self.list) = (texts, numbers, list)
  }
  init(from decoder: GDecoder) throws {
    numbers = try decoder.decode(for: Letter.b)
    texts = try decoder.decode(for: Letter.a)
    list = try decoder.decode(for: Letter.c)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(texts, for: Letter.a)
    try encoder.encode(numbers, for: Letter.b)
    try encoder.encode(list, for: Letter.c)
  }
}
