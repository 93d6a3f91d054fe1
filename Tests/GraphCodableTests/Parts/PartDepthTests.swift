import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite struct PartDepthTests {
  /// A link that waits for the next one, so that a chain of them is one part each.
  final class Loop: GCodable {
    let number: Int
    var next: Loop?
    init(_ number: Int) { self.number = number }
    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Letter.n)
      try decoder.deferDecode(for: Letter.o) { self.next = $0 }
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Letter.n)
      try encoder.encode(next, for: Letter.o)
    }
  }

  @Test func aPathOf100_000StepsIsWalkedOnASmallStack() throws {
    let count = 100_000
    let loops = (0..<count).map { Loop($0) }
    for index in loops.indices { loops[index].next = loops[(index + 1) % count] }
    let bytes = try encoded(loops[0])
    for loop in loops { loop.next = nil }
    let path = GraphPath(repeatElement("o", count: count - 1) + ["n"])
    #expect(GraphPath(path.description) == path)
    let (last, text, around, error) = try onThread(stackByteCount: 512 << 10) {
      let archive = try GraphArchive(bytes)
      return (
        try GraphDecoder().decode(Int.self, at: path, from: bytes), try archive.item(at: path).text,
        try archive.items(at: GraphPath(path.steps.dropLast() + ["o"])),
        Result { try archive.item(at: path.appending("o")) }
      )
    }
    #expect(last == count - 1)
    #expect(text == "\(count - 1)")
    #expect(around.map(\.text) == ["0", nil])
    #expect(around.last?.objectNumber == 1)
    let failure = #expect(throws: GCodableError.self) { try error.get() }
    #expect(failure?.code == .typeMismatch)
    #expect(failure?.keyPath.count ?? 0 <= 64)
    #expect(failure?.keyPath.last == "n")
  }

  @Test func valuesThatNestDeeplyAreWalked() throws {
    let depth = 20_000
    let bytes = try script { encoder in try Self.nest(encoder, depth) }
    let path = GraphPath(repeatElement("a", count: depth) + ["b"])
    let (inner, text, items, behind) = try onThread(stackByteCount: 512 << 10) {
      let archive = try GraphArchive(bytes)
      return (
        try GraphDecoder().decode(Int.self, at: path, from: bytes), try archive.item(at: path).text,
        try archive.items(at: GraphPath(path.steps.prefix(100))),
        try GraphDecoder().decode(Int.self, at: "c", from: bytes)
      )
    }
    #expect(inner == 7)
    #expect(text == "7")
    #expect(items.map(\.step) == ["a", "c"])
    #expect(behind == depth)
  }

  private static func nest(_ encoder: GEncoder, _ depth: Int) throws {
    guard depth > 0 else { return try encoder.encode(7, for: Letter.b) }
    try encoder.encode(Script { try nest($0, depth - 1) }, for: Letter.a)
    try encoder.encode(depth, for: Letter.c)
  }
}
