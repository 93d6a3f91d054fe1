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
        try GraphArchive(bytes).decode(Int.self, at: path), try archive.item(at: path).text,
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
    let bytes = try encoded(Self.nested(depth, around: 7), depth: .max)
    let path = GraphPath(repeatElement("a", count: depth) + ["b"])
    let (inner, text, items, behind) = try onThread(stackByteCount: 512 << 10) {
      let archive = try GraphArchive(bytes)
      return (
        try GraphArchive(bytes).decode(Int.self, at: path), try archive.item(at: path).text,
        try archive.items(at: GraphPath(path.steps.prefix(100))),
        try GraphArchive(bytes).decode(Int.self, at: "c")
      )
    }
    #expect(inner == 7)
    #expect(text == "7")
    #expect(items.map(\.step) == ["a", "c"])
    #expect(behind == depth)
  }

  @Test func anArchiveIsOpenedOnOneStackAndUsedOnAnother() throws {
    let archive = try GraphArchive(encoded(Self.nested(50_000, around: 7), depth: .max))
    try #expect(archive.item().count == 2)
    // Each has its stack at another address.
    for stackByteCount in [256 << 10, 512 << 10, 256 << 10] {
      try #expect(onThread(stackByteCount: stackByteCount) { try archive.items().count } == 2)
    }
    try #expect(archive.items().count == 2)
  }

  /// A record with a record in it, and so on, with a value in the innermost one.
  static func nested(_ depth: Int, around value: some GEncodable) -> Script {
    Script { encoder in
      guard depth > 0 else { return try encoder.encode(value, for: Letter.b) }
      try encoder.encode(nested(depth - 1, around: value), for: Letter.a)
      try encoder.encode(depth, for: Letter.c)
    }
  }
}
