import _GraphSupport

/// A graph after the walk, without the encoder that made it, and so without the objects of the model.
///
/// Nothing in it changes, so any thread may use it.
@usableFromInline
package final class EncodedGraph: @unchecked Sendable {
  private let writer: StreamWriter
  /// See `ObjectIndex`.
  let index: [UInt8]
  let bulk: [BulkArray]
  /// What the contents say of the objects; no tables, and no places of segments.
  let contents: Contents
  /// The tables of keys, classes, layouts and shapes.
  let tables: Contents.TableBytes
  /// - Parameter writer: holds the graph stream, and is released with this.
  package init(
    _ writer: StreamWriter, index: [UInt8], bulk: [BulkArray], contents: Contents, tables: Contents.TableBytes
  ) {
    (self.writer, self.index, self.bulk) = (writer, index, bulk)
    (self.contents, self.tables) = (contents, tables)
  }

  deinit {
    var writer = writer
    unsafe writer.release()
  }

  /// The graph stream, valid as long as this object lives.
  var stream: UnsafeRawBufferPointer { unsafe writer.bytes }

  /// The bytes of the contents, with the tables of this graph.
  func bytes(of contents: Contents) -> [UInt8] { contents.bytes(tables: tables) }

  /// Bytes of all that may be in segments, before compression.
  var byteCount: UInt64 {
    unsafe UInt64(stream.count + index.count) + bulk.reduce(0) { $0 + UInt64($1.byteCount) }
  }
}
