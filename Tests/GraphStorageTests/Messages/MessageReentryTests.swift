import GraphCodable
import Testing

/// Code of a message that uses the writer of its own stream.
@Suite("Messages: reentry") struct MessageReentryTests {
  private struct Reentering: GEncodable {
    let writer: GraphMessageWriter
    let use: (GraphMessageWriter) throws -> Void

    func encode(to encoder: GEncoder) throws { try use(writer) }
  }

  private static let uses: [@Sendable (GraphMessageWriter) throws -> Void] = [
    { try $0.write(1) }, { try $0.flush() }, { _ = try $0.takeBytes() }, { try $0.close() },
  ]

  @Test(arguments: uses.indices) func itIsAnErrorAndTheStreamGoesOn(use: Int) throws {
    let writer = try GraphMessageWriter()
    try writer.write(7)
    let error = #expect(throws: GCodableError.self) {
      try writer.write(Reentering(writer: writer, use: Self.uses[use]))
    }
    #expect(error?.code == .internalInconsistency)
    try writer.write(8)
    let reader = GraphMessageReader(try writer.takeBytes())
    #expect(try reader.next(Int.self) == 7)
    #expect(try reader.next(Int.self) == 8)
    #expect(try reader.next(Int.self) == nil)
  }
}
