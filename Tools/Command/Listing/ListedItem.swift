import GraphCodable

/// A value in a list; its properties are the keys in JSON.
struct ListedItem: Encodable {
  /// From the root.
  let path: String
  /// How many levels below the value that was asked for.
  let depth: Int
  /// The text of its key, in a dictionary whose keys are neither strings nor integers.
  let key: String?
  /// As in the format document.
  let kind: String
  let `class`: String?
  let object: Int?
  /// Fields, elements or pairs.
  let count: Int?
  /// The text of a single value, or of a short array.
  var value: String?
  /// The lengths of an array of arrays that is one packed array, from the outermost; null where those of a level differ.
  let shape: [Int?]?
  /// Of the elements of a packed array, or of the fields of its structs.
  let formats: [String]?
  /// Of the elements of a packed array, or of a value that only its type can read.
  let bytes: Int?
  /// The number of the bulk segment with the elements.
  let segment: Int?
  /// The names of the dimensions that the user gave them.
  let dimensions: [String]?
  /// What else the user says of it.
  let attributes: [String: AttributeJSON]?
  /// How many of its parts are not listed; absent where none are asked for.
  var leftOut: Int?

  init(_ item: GraphArchive.Item, at path: GraphPath, depth: Int) {
    self.path = path.description
    self.depth = depth
    key = item.keyText
    kind = item.kind.description
    `class` = item.className
    object = item.objectNumber
    count = item.count
    value = item.text
    shape = item.shape.isEmpty ? nil : item.shape
    formats = item.packedFormats.isEmpty ? nil : item.packedFormats.map(\.description)
    bytes = item.byteCount
    segment = item.bulkSegment
    dimensions = item.attributes.dimensions.isEmpty ? nil : item.attributes.dimensions
    attributes = AttributeJSON.all(of: item.attributes)
  }
}
