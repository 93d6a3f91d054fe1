import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing
import _GraphFiles
import _GraphMaintenance

/// What is said of arrays is recovered with them, wherever they are in the new graph stream.
@Suite("Recovery: attributes") struct AttributeRecoveryTests {
  final class Part: GCodable {
    enum Key: String { case number, values, next }
    let number: Int
    let values: [Double]
    let next: Part?

    init(_ number: Int, _ next: Part?) {
      (self.number, self.next) = (number, next)
      values = (0..<100).map { Double($0 * number) / 7 }
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Key.number)
      try encoder.encode(values, for: Key.values, attributes: ["number": .integer(number)])
      try encoder.encode(next, for: Key.next)
    }
    required init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Key.number)
      values = try decoder.decode(for: Key.values)
      next = try decoder.decode(for: Key.next)
    }
  }

  struct Root: GCodable {
    enum Key: String { case parts, label }
    var parts: [Part]
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(parts, for: Key.parts)
      try encoder.encode(["a", "b"], for: Key.label, attributes: GAttributes(unit: "label"))
    }
    init(_ parts: [Part]) { self.parts = parts }
    init(from decoder: GDecoder) throws { parts = try decoder.decode(for: Key.parts) }
  }

  @Test(arguments: [0.5, 0.9]) func arraysOfOtherObjectsKeepThem(place: Double) throws {
    // Numbers of one and two bytes, which get smaller where objects are lost.
    let parts = (0..<4_000).map { Part($0, nil) }
    let encoder = GraphEncoder()
    encoder.compression = .none
    var bytes: Bytes = try encoder.encode(Root(parts))
    let graph = try #require(try GraphArchive(bytes).contents.graph.segment)
    bytes[Int(graph.offset) + Int(Double(graph.segment.byteCount) * place)] ^= 1
    let sink = BytesSink()
    var recovery = try ArchiveRecovery(.bytes(bytes[...]))
    let report = try recovery.write(to: sink).report
    #expect(report.lostBlockCount == 1)
    let archive = try GraphArchive(sink.bytes)
    try archive.verify()
    var keptCount = 0
    for object in try archive.items(at: "parts", in: 0..<4_000) {
      guard let step = object.step else { continue }
      let path: GraphPath = ["parts", step]
      guard let number = try? archive.decode(Int.self, at: path.appending("number")),
        (try? archive.item(at: path.appending("values"))) != nil
      else { continue }
      keptCount += 1
      #expect(try archive.attributes(at: path.appending("values"))["number"] == .integer(number))
    }
    #expect(keptCount > 500)
    #expect(try archive.attributes(at: "label").unit == "label")
  }
}
