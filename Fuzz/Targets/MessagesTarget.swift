import Foundation
import GraphCodable

@testable import _GraphFiles

extension FuzzTarget {
  /// Streams of messages: decoded, read without types, joined and continued; as they are, and with the checksums of their frames
  /// made right.
  static let messages = FuzzTarget(
    name: "messages", form: .bytes,
    seeds: {
      let texts = (0..<20).map { [String(repeating: "text ", count: $0 % 5), "\($0)"] }
      return [
        try seed(1) { writer in for text in texts { try writer.write(text) } },
        try seed(200) { writer in for text in texts { try writer.write(text) } },
        try seed(100) { writer in
          try writer.write(Row.sample)
          let ring = Ring.ofThree()
          try writer.write(ring)
          ring.breakUp()
          try writer.write([Animal(name: "a"), Dog(name: "d", tricks: 2), Cat(name: "c")])
          try writer.write(Wide.sample)
          try writer.write((0..<2000).map(Double.init))
        },
      ]
    },
    run: { bytes in
      for input in [bytes, sealed(bytes)] {
        try read(GraphMessageReader(input)) { if try $0.next([String].self) == nil { throw EndOfStream() } }
        try read(GraphMessageReader(input, joining: true)) { reader in
          guard let message = try reader.nextMessage() else { throw EndOfStream() }
          try accepts("message") { try message.archive().verify() }
        }
        try read(GraphMessageReader(input)) { reader in
          guard let row = try reader.next(Ring.self) else { throw EndOfStream() }
          row.breakUp()
        }
        _ = try withFile(input) { url in
          try accepts("append") {
            let writer = try GraphMessageWriter(url)
            let number = writer.nextNumber
            try writer.write("next")
            try writer.close()
            var last: GraphMessage?
            try read(try GraphMessageReader(url)) { reader in
              guard let message = try reader.nextMessage() else { throw EndOfStream() }
              last = message
            }
            guard let last, last.number == number, try last.archive().decode(String.self) == "next" else {
              throw Finding("the message that was appended is another")
            }
          }
        }
      }
    })

  private struct EndOfStream: Error {}

  /// Reads up to the end; each call of `next` has to move on.
  private static func read(
    _ reader: GraphMessageReader, _ next: (GraphMessageReader) throws -> Void
  ) throws {
    for _ in 0..<100_000 {
      do { try next(reader) } catch is EndOfStream { return } catch is GraphMessageDamage {} catch let error
        as GCodableError
      {
        guard error.code != .internalInconsistency else { throw Finding("messages: \(error)") }
        if error.code == .notAnArchive { return }
      }
    }
    throw Finding("a stream has no end")
  }

  private static func seed(_ frameByteCount: Int, _ write: (GraphMessageWriter) throws -> Void) throws
    -> Bytes
  {
    var options = GraphMessageWriter.Options()
    (options.frameByteCount, options.tablesByteCount, options.identifier) = (frameByteCount, 1000, 1)
    let writer = try GraphMessageWriter(options: options)
    try write(writer)
    try writer.close()
    return Bytes(try writer.takeBytes())
  }

  /// The same with the checksums of the header and of all frames that follow each other.
  private static func sealed(_ bytes: Bytes) -> Bytes {
    guard bytes.count > 32 else { return bytes }
    func little(_ value: UInt64) -> Bytes { withUnsafeBytes(of: value.littleEndian) { Bytes($0) } }
    let identifier = bytes[16..<24].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    var sealed = MessageLogHeader(identifier: identifier).bytes
    var rest = bytes[32...]
    while let frame = rest.count < 40 ? nil : Bytes(rest).withUnsafeBytes({ MessageFrame($0) }),
      frame.byteCount <= rest.count
    {
      let head = rest.prefix(28)
      let headSum = Bytes(head).withUnsafeBytes { MessageFrame.checksum($0, identifier) }
      let hashed = head + little(headSum).prefix(4) + rest.prefix(frame.byteCount - 8).dropFirst(32)
      sealed += hashed + little(hashed.withUnsafeBytes { MessageFrame.checksum($0, identifier) })
      rest = rest.dropFirst(frame.byteCount)
    }
    return sealed + rest
  }
}
