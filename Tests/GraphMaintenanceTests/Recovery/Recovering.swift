import GraphCodable
import Foundation
import GraphCodableTestSupport

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Recovers what is intact of an archive in memory.
func recovered(_ bytes: Bytes) throws -> (archive: GraphArchive, report: GraphRecovery.Archive) {
  let sink = BytesSink()
  var recovery = try ArchiveRecovery(ArchiveStorage(bytes))
  let report = try recovery.write(to: sink).report
  return (try GraphArchive(sink.bytes), report)
}

/// A node with a name, an array and references of both kinds.
final class Post: GCodable {
  let name: String
  var next: Post?
  var others: [Post]
  weak var owner: Post?
  let samples: [Double]

  init(_ name: String, next: Post? = nil, others: [Post] = [], samples: [Double] = []) {
    (self.name, self.next, self.others, self.samples) = (name, next, others, samples)
  }

  enum Key: String { case name, next, others, owner, samples }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(next, for: Key.next)
    try encoder.encode(others, for: Key.others)
    try encoder.encodeConditional(owner, for: Key.owner)
    try encoder.encode(samples, for: Key.samples)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    next = try decoder.decode(for: Key.next)
    others = try decoder.decode(for: Key.others)
    samples = try decoder.decode(for: Key.samples)
    try decoder.deferDecode(for: Key.owner) { self.owner = $0 }
  }
}

/// What an archive holds, block by block and object by object, found out without recovery.
struct Inventory {
  /// What objects say but for what they refer to, by number.
  private(set) var objects: [UInt32: String] = [:]
  /// The objects that references lead to from the root.
  private(set) var reached: Set<UInt32> = []
  /// The bytes of objects in the graph stream.
  private(set) var ranges: [UInt32: Range<Int>] = [:]
  private(set) var rootRange = 0..<0
  /// Of each block of a bulk segment its number and the bytes before compression.
  private(set) var blocks: Set<Block> = []

  struct Block: Hashable {
    let number: Int
    let bytes: Bytes
  }

  init(_ archive: GraphArchive) throws {
    try archive.withReader { reader in
      let classes = ClassResolver(reader.contents.classes, chosen: [:])
      let decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: nil)
      rootRange = 0..<Int(decoder.tables.rootEnd)
      var waiting: [UInt32] = []
      func note(_ number: UInt32) { if reached.insert(number).inserted { waiting.append(number) } }
      _ = try Self.text(of: .root, decoder, note)
      while let next = waiting.popLast() { _ = try Self.text(of: .object(next), decoder, note) }
      for number in 0..<UInt32(decoder.tables.objectCount) where decoder.isStored(number) {
        objects[number] = try Self.text(of: .object(number), decoder) { _ in }
        let start = Int(decoder.state.pointee.objects[Int(number)].offset)
        ranges[number] = start..<Int(decoder.tables.end(ofObject: number))
      }
      for placed in reader.contents.bulk { blocks.formUnion(try Self.blocks(of: placed, reader)) }
    }
  }

  static func blocks(of placed: PlacedSegment, _ reader: ArchiveReader) throws -> [Block] {
    let open = ArchiveReader.OpenSegment(placed)
    let segment = placed.segment
    return try segment.blocks.indices.map { number in
      let start = number * segment.blockByteCount
      let range = start..<(start + segment.rawByteCount(ofBlock: number))
      let bytes = try reader.bytes(range, of: open)
      return withExtendedLifetime(bytes) { Block(number: number, bytes: Bytes(bytes.buffer)) }
    }
  }

  private static func text(
    of owner: OwnWalk.Owner, _ decoder: GDecoder, _ note: (UInt32) -> Void
  ) throws -> String {
    var (text, walk) = ("", OwnWalk(decoder))
    try walk.run(through: owner) { event, walk in
      // What the root has got in addition is not its own.
      if walk.steps.first == .key("recovered") {
        if case .reference(let number, .reference) = event { note(number) }
        return
      }
      switch event {
      case .reference(let number, let kind): if kind == .reference { note(number) }
      case .leaf(.string(let bytes)):
        text += "\(walk.steps.last.map { "\($0)" } ?? "") \(String(decoding: bytes, as: UTF8.self)) "
      case .leaf(let leaf): text += "\(leaf) "
      case .packed(let elements):
        guard case .stream(let bytes) = elements.place else { return text += "\(elements.byteCount) " }
        text += "\(Array(bytes)) "
      default: break
      }
    }
    return text
  }
}
