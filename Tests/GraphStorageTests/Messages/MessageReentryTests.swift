import GraphCodable
import Testing

/// Code of a message, or of a closure that gets bytes, that uses the writer of its own stream.
@Suite("Messages: reentry") struct MessageReentryTests {
  private struct Reentering: GEncodable {
    let writer: GraphMessageWriter
    let use: (GraphMessageWriter) throws -> Void

    func encode(to encoder: GEncoder) throws { try use(writer) }
  }

  private static let uses: [@Sendable (GraphMessageWriter) throws -> Void] = [
    { try $0.write(1) }, { try $0.write(contentsOf: [1, 2]) }, { try $0.flush() }, { _ = try $0.takeBytes() },
    { try $0.close() },
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

  @Test(arguments: uses.indices) func aClosureMayNotUseTheStreamWhoseBytesItGets(use: Int) throws {
    final class Place { weak var writer: GraphMessageWriter? }
    let place = Place()
    var stream: [UInt8] = []
    var codes: [GCodableError.Code] = []
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.bufferByteCount) = (1, 1)
    let writer = try GraphMessageWriter(options: options) { bytes in
      stream += bytes
      guard let writer = place.writer else { return }
      do { try Self.uses[use](writer) } catch let error as GCodableError { codes.append(error.code) }
    }
    place.writer = writer
    for number in 0..<5 { try writer.write(number) }
    try writer.close()
    #expect(codes.count >= 5 && codes.allSatisfy { $0 == .internalInconsistency })
    let (found, damage) = try LogStream.read(GraphMessageReader(stream), Int.self)
    #expect(found == Array(0..<5) && damage.isEmpty)
  }
}
