import _GraphFiles
import _GraphSupport

/// The shape of a record whose fields are the elements of a list, or the keys and values of a dictionary in turn.
final class ContainerElements {
  let shape: Pinned<DecoderShape>
  private let elements: AnyObject?
  /// Whether the container is a dictionary.
  let isPairs: Bool
  /// The names of a dictionary's keys, in order, and the fields with their values, once requested.
  var names: (ordered: [String], fields: [ByteString: Int])?

  /// - Parameters:
  ///   - kinds: of an element, or of a key and its value.
  ///   - elements: kept as long as the shape.
  init(_ kinds: [GraphKind], count: Int, _ elements: AnyObject? = nil) {
    isPairs = kinds.count == 2
    shape = DecoderShape.make(ofUnkeyed: kinds, count: count, isList: true)
    self.elements = elements
  }

  deinit { DecoderShape.free(shape) }
}

extension DecoderShape {
  /// Makes a shape that is not in the archive.
  static func make(ofUnkeyed kinds: [GraphKind], count: Int, isList: Bool) -> Pinned<Self> {
    let fields = (0..<count).flatMap { _ in kinds.map { Contents.Shape.Field(keyNumber: 0, kind: $0) } }
    return .make(Self(Contents.Shape(classNumber: 0, isList: isList, fields: fields)))
  }

  static func free(_ shape: Pinned<Self>) {
    unsafe shape.pointee.fields.release()
    unsafe shape.release()
  }
}
