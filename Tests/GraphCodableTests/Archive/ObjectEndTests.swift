import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// No byte of a graph stream is read as part of two objects, and none of those that are decoded is left over.
@Suite("Where objects end")
struct ObjectEndTests {
  /// Where the objects begin, with one of them moved.
  private func moved(_ object: Int, by distance: Int, in contents: inout Contents) {
    guard case .embedded(let index) = contents.objectIndex else { return }
    // Distances below 128 are one byte each: twice the number and one.
    var distances = index.map { Int($0 >> 1) }
    distances[object] += distance
    if object + 1 < distances.count { distances[object + 1] -= distance }
    contents.objectIndex = .embedded(distances.map { UInt8(max($0, 0) << 1 | 1) })
  }

  private func expectMalformed<Root: GDecodable>(_ type: Root.Type, _ bytes: Bytes) {
    #expect { try decoded(type, from: bytes) } throws: {
      ($0 as? GCodableError)?.code != .internalInconsistency
    }
  }

  @Test(arguments: -3...3)
  func anObjectThatBeginsInsideAnotherIsRefused(distance: Int) throws {
    let tree = TreeNode("root", [TreeNode("a", [TreeNode("b")]), TreeNode("c")])
    let forge = try Forge(encoded(tree, compression: .none))
    for object in 0..<4 where distance != 0 {
      expectMalformed(TreeNode.self, try forge.changingContents { moved(object, by: distance, in: &$0) })
    }
    try #expect(
      decoded(TreeNode.self, from: forge.changingContents { moved(1, by: 0, in: &$0) }).name == "root")
  }

  @Test func bytesAfterTheRootOrTheLastObjectAreRefused() throws {
    let objects = try Forge(encoded([Base(name: "a"), Base(name: "b")], compression: .none))
    try expectMalformed([Base].self, objects.replacingStream(with: objects.stream() + [0]))
    let gap = try objects.changingContents { contents in
      guard case .embedded(let stream) = contents.graph, case .embedded(let index) = contents.objectIndex
      else {
        return
      }
      let rootByteCount = Int(index[0] >> 1)
      contents.graph = .embedded(stream[..<rootByteCount] + [0] + stream[rootByteCount...])
      contents.objectIndex = .embedded([index[0] + 2] + index[1...])
    }
    expectMalformed([Base].self, gap)
    let root = try Forge(encoded([1, 2, 3], compression: .none))
    try expectMalformed([Int].self, root.replacingStream(with: root.stream() + [0]))
  }

  /// The object after an object does not have the next number here.
  @Test func objectsThatAreNotInOrderEndWhereTheNextOneBegins() throws {
    let bytes = try script { encoder in
      let late = Base(name: "late")
      try encoder.encodeConditional(late)
      try encoder.encode([Base(name: "a"), Base(name: "b")])
      try encoder.encode(late)
    }
    let forge = try Forge(bytes)
    #expect(!forge.contents.objectsAreInOrder)
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(Base?.self)?.name == "late")
      try #expect(decoder.decode([Base].self).map(\.name) == ["a", "b"])
    }
    let longer = try forge.replacingStream(with: forge.stream() + [0])
    #expect(throws: GCodableError.self) {
      try Reading.decode(longer) { decoder in
        _ = try decoder.decode(Base?.self)
        _ = try decoder.decode([Base].self)
        _ = try decoder.decode(Base.self)
      }
    }
  }
}
