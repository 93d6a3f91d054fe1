import CGraphArchive
import Foundation

/// The shape of a record whose fields are the elements of a list, or the keys and values of a dictionary in turn.
final class ParkedList {
  let shape: UnsafeMutablePointer<DecoderShape>
  private let elements: UnpackedList?
  /// Whether it is of a dictionary.
  let isPairs: Bool
  /// The names of a dictionary's keys, in order, and the fields with their values, when they have been asked for.
  var names: (ordered: [String], fields: [String: Int])?

  /// - Parameters:
  ///   - kinds: of an element, or of a key and its value.
  ///   - elements: kept as long as the shape.
  init(_ kinds: [GraphKind], count: Int, _ elements: UnpackedList? = nil) {
    isPairs = kinds.count == 2
    shape = DecoderShape.make(ofUnkeyed: kinds, count: count, isList: true)
    self.elements = elements
  }

  deinit { DecoderShape.free(shape) }
}

extension DecoderShape {
  /// Makes a shape that is not one of the archive.
  static func make(ofUnkeyed kinds: [GraphKind], count: Int, isList: Bool) -> UnsafeMutablePointer<Self> {
    let fields = (0..<count).flatMap { _ in kinds.map { Contents.Shape.Field(keyNumber: 0, kind: $0) } }
    let shape = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    shape.initialize(to: Self(Contents.Shape(classNumber: 0, isList: isList, fields: fields)))
    return shape
  }

  static func free(_ shape: UnsafeMutablePointer<Self>) {
    shape.pointee.fields.deallocate()
    shape.deallocate()
  }
}

/// The elements of a packed array as a list of values, for those who read them one by one.
final class UnpackedList {
  let kind: GraphKind
  let count: Int
  private let encoder: GEncoder

  /// Valid as long as the list.
  var base: UnsafeRawPointer {
    // A writer that has been reserved has memory.
    UnsafeRawPointer(encoder.state.pointee.out.base!)
  }

  var byteCount: Int { gca_writer_count(&encoder.state.pointee.out) }

  init<Element: GEncodable>(_ elements: [Element]) throws {
    kind = Element._graphPlainKind
    count = elements.count
    encoder = GEncoder(options: [], userInfo: [:], binaryIOVersion: 0)
    try encoder.reserve()
    for element in elements { try element._graphWritePlain(encoder) }
  }
}

extension CodableReader {
  /// Reads a packed array of scalars behind its kind.
  func readUnpacked() throws -> UnpackedList {
    guard let cursor = graph.pointee.input.cursor, cursor < graph.pointee.input.end else {
      throw decoder.endInsideValue()
    }
    func list<Element: GCodable>(_ type: Element.Type) throws -> UnpackedList {
      try UnpackedList(decoder.readPacked(type))
    }
    let format = PackedFormat(rawValue: cursor.pointee)
    guard format.laneCount == 1 else { throw notAList(format) }
    switch format.scalar {
    case .bool: return try list(Bool.self)
    case .int8: return try list(Int8.self)
    case .int16: return try list(Int16.self)
    case .int32: return try list(Int32.self)
    case .int64: return try list(Int64.self)
    case .uint8: return try list(UInt8.self)
    case .uint16: return try list(UInt16.self)
    case .uint32: return try list(UInt32.self)
    case .uint64: return try list(UInt64.self)
    case .float32: return try list(Float.self)
    case .float64: return try list(Double.self)
    case .date: return try list(Date.self)
    case .uuid: return try list(UUID.self)
    default: throw notAList(format)
    }
  }

  private func notAList(_ format: PackedFormat) -> GCodableError {
    GCodableError(.typeMismatch, "an array of \(format) is read as a whole")
  }
}
