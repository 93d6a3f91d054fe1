import _GraphCoding
import _GraphFiles
import _GraphReading

/// Makes everything recovered reachable: what the root does not lead to goes into a field `recovered`, with objects and arrays by
/// their numbers in the old archive.
///
/// A root with fields gets one more, which a reader of its type does not ask for. Any other root becomes a field, `root`,
/// beside it; and where there is no root any more, `recovered` is the only field.
struct RecoveredRoot {
  private var graph: RecoveredGraph
  /// Where the old root is; nil where it is lost.
  private(set) var rootPath: GraphPath?
  /// Where the rest is; nil where there is none.
  private(set) var restPath: GraphPath?

  /// - Parameters:
  ///   - graph: what is left of the graph.
  ///   - reader: of the archive, for its segments.
  init(_ graph: RecoveredGraph, _ reader: ArchiveReader) throws {
    self.graph = graph
    rootPath = graph.rootOutcome == .lost ? nil : []
    if rootPath == nil {
      // A placeholder, so that references can be followed.
      self.graph.setRoot([GraphKind.bool.rawValue, 0])
    }
    var rest = try RecoveredRest(
      reader.with(self.graph.embedded), rootIsLost: rootPath == nil, substitutes: graph.substitutes)
    guard !rest.isEmpty || rootPath == nil else { return }
    rest.oldNumbers = Dictionary(
      graph.numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    add(rest.bytes(&self.graph.contents, bulk: reader.contents.bulk))
  }

  /// The contents with stream and index in them.
  var contents: Contents { graph.embedded }

  private static let restKey = "recovered"
  private static let rootKey = "root"

  private mutating func add(_ rest: [UInt8]) {
    let key = freeKey()
    restPath = [.key(key)]
    guard rootPath != nil else {
      return graph.setRoot(Self.root([(key, .record)], rest, &graph.contents))
    }
    if addField(key, rest) { return }
    rootPath = [.key(Self.rootKey)]
    let fields = [(Self.rootKey, GraphKind(rawValue: graph.root[0])), (key, .record)]
    graph.setRoot(
      Self.root(fields, graph.root.dropFirst() + rest, &graph.contents), addedByteCount: rest.count)
  }

  /// A root with fields, with their values in sequence.
  static func root(
    _ fields: [(key: String, kind: GraphKind)], _ bytes: some Collection<UInt8>, _ contents: inout Contents
  ) -> [UInt8] {
    let fields = fields.map { Contents.Shape.Field(keyNumber: contents.keyNumber($0.key), kind: $0.kind) }
    let number = contents.shapeNumber(Contents.Shape(classNumber: 0, fields: fields))
    return [GraphKind.record.rawValue] + [UInt8](varint: number) + bytes
  }

  /// A key that is not in the table.
  private func freeKey() -> String {
    var key = Self.restKey
    while graph.contents.keys.contains(key) { key += "'" }
    return key
  }

  /// Adds a field to the root, or to the object that it is; false where it is something without fields.
  private mutating func addField(_ key: String, _ bytes: [UInt8]) -> Bool {
    switch GraphKind(rawValue: graph.root[0]) {
    case .record:
      guard let record = adding(key, bytes, to: graph.root.dropFirst()) else { return false }
      graph.setRoot([GraphKind.record.rawValue] + record, addedByteCount: bytes.count)
    case .reference:
      guard let number = graph.root.dropFirst().varint,
        let place = graph.objects.firstIndex(where: { UInt64($0.number) == number }),
        let record = adding(key, bytes, to: graph.objects[place].bytes[...])
      else { return false }
      graph.setObject(at: place, record, addedByteCount: bytes.count)
    default: return false
    }
    return true
  }

  private mutating func adding(_ key: String, _ bytes: [UInt8], to record: ArraySlice<UInt8>) -> [UInt8]? {
    guard let number = record.varint else { return nil }
    var shape = graph.contents.shapes[Int(number) - 1]
    guard !shape.isBoxed, !shape.isOpen, !shape.isList, shape.fields.count < Self.maximumFieldCount,
      !shape.fields.isEmpty, shape.fields.allSatisfy({ $0.keyNumber != 0 })
    else { return nil }
    shape.fields.append(.init(keyNumber: graph.contents.keyNumber(key), kind: .record))
    let values = record.dropFirst([UInt8](varint: number).count)
    return [UInt8](varint: graph.contents.shapeNumber(shape)) + values + bytes
  }

  /// Beyond it, a writer uses overflow fields.
  private static let maximumFieldCount = 256
}
