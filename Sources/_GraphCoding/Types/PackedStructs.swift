import _GraphFiles
import _GraphSupport

/// A struct of numbers whose arrays are stored as their bytes in memory.
///
///     struct Particle: GPackedStruct {
///       var position: SIMD4<Double>
///       var charge: Float
///       var id: UInt32
///       static let packedLayout = PackedLayout<Self>(\.position, \.charge, \.id)
///     }
///
/// Like arrays of numbers, arrays of such structs are written to a file without a copy, and read straight into their
/// storage. A struct that contains a reference does not compile, because it is not `BitwiseCopyable`. If a struct has
/// padding, or the layout leaves out a field, making the layout ends the program with a message.
///
/// For single values, `encode(to:)` and `init(from:)` code the fields without keys; implement them to use keys. An archive
/// holds the formats of the fields, so decoding an array of a struct whose layout has changed is an error; decode it as an
/// array of a struct with the old layout.
public protocol GPackedStruct: BitwiseCopyable, GCodable, _GraphPrecise {
  /// All stored properties, in the order in which they lie in memory.
  static var packedLayout: PackedLayout<Self> { get }
}

/// The meaning of the bytes of a `GPackedStruct`.
public struct PackedLayout<Root: BitwiseCopyable>: @unchecked Sendable {
  // Unchecked, because the compiler cannot check closures and metatypes; these only read their arguments.
  fileprivate let fields: [PackedField]
  /// Names of the fields; empty where they have none.
  fileprivate var keys: [String] = []

  /// Describes a struct by its stored properties.
  ///
  /// A property is a number, a `Bool`, a vector of these, or of another type that arrays pack. If a property is a struct
  /// itself, its parts can be named instead.
  ///
  /// - Precondition: The properties fill the struct from start to end without gaps, none has padding inside, as `SIMD3`
  ///   has, and the struct has at most 1 MiB.
  public init<each Value: _GraphPackable & GCodable>(_ properties: repeat KeyPath<Root, each Value>) {
    var fields: [PackedField] = []
    var end = 0
    for property in repeat each properties { Self.append(property, &fields, &end) }
    precondition(
      end == MemoryLayout<Root>.stride,
      "\(Root.self): \(MemoryLayout<Root>.stride - end) bytes behind the last property are padding or not named"
    )
    // A programming error, like the others here: no archive could have an element.
    precondition(end <= Segment.maximumElementByteCount, "\(Root.self): a struct has more than 1 MiB")
    self.fields = fields
  }

  /// The layout with names for the properties, for readers without the type.
  ///
  ///     static let packedLayout = PackedLayout<Self>(\.position, \.charge).named("position", "charge")
  ///
  /// An archive then stores the names, once for all arrays of the struct: dumps show them, and paths can use them. A
  /// struct with other names cannot be decoded from it.
  ///
  /// - Precondition: There are as many names as properties, and no two are equal.
  public func named(_ keys: String...) -> Self {
    precondition(
      keys.count == fields.count, "\(Root.self): there are \(fields.count) properties, \(keys.count) names")
    precondition(Set(keys).count == keys.count, "\(Root.self): two properties have the same name")
    var layout = self
    layout.keys = keys
    return layout
  }

  private static func append<Value: _GraphPackable & GCodable>(
    _ property: KeyPath<Root, Value>, _ fields: inout [PackedField], _ end: inout Int
  ) {
    let name = "\(Root.self): property \(fields.count) (\(Value.self))"
    guard let offset = MemoryLayout<Root>.offset(of: property) else {
      preconditionFailure("\(name) is not stored in the struct")
    }
    precondition(offset >= end, "\(name) lies before the one that is named before it")
    precondition(offset == end, "\(name): the \(offset - end) bytes before it are padding or not named")
    let format = Value._graphPacked
    precondition(format.byteCount == MemoryLayout<Value>.size, "\(name) has padding inside")
    fields.append(PackedField(Value.self, format, offset: offset))
    end = offset + format.byteCount
  }

  /// The layout without its type.
  fileprivate var formats: [PackedFormat] { fields.map(\.format) }
}

/// A property of a `GPackedStruct`.
@safe  // `GPackedStruct` gives it memory that holds a value of the struct.
private struct PackedField {
  let format: PackedFormat
  let encode: (UnsafeRawPointer, GEncoder) throws -> Void
  let decode: (UnsafeMutableRawPointer, GDecoder) throws -> Void
  /// Whether the bytes of a struct are invalid for this field's type; nil if all bytes are valid.
  let refuses: ((UnsafeRawPointer) -> Bool)?
  var mayRefuse: Bool { unsafe refuses != nil }

  init<Value: _GraphPackable & GCodable>(_ type: Value.Type, _ format: PackedFormat, offset: Int) {
    self.format = format
    // The property lies at the offset, by `MemoryLayout`, and properties are aligned.
    unsafe encode = { start, encoder in
      try unsafe encoder.encodeOutOfLine((start + offset).load(as: Value.self))
    }
    unsafe decode = { start, decoder in
      unsafe (start + offset).initializeMemory(as: Value.self, to: try decoder.decodeOutOfLine() as Value)
    }
    if format.scalar == .bool {
      unsafe refuses = { start in
        unsafe UnsafeRawBufferPointer(start: start + offset, count: format.byteCount).contains { $0 > 1 }
      }
    } else {
      unsafe refuses = Value._graphRefuses.map { refuses in
        { unsafe refuses(($0 + offset).load(as: Value.self)) }
      }
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GPackedStruct {
  public static var _graphEncodedFormat: PackedFormat { .structure }
  public static var _graphDecodedFormat: PackedFormat { .structure }

  public func _graphRounded(_ precision: GPrecision) -> Self {
    let layout = Contents.Layout(
      fields: Self.packedLayout.fields.map { .init(keyNumber: 0, format: $0.format) })
    guard let rounding = Rounding(precision, layout) else { return self }
    var value = self
    // The fields fill the struct, by the precondition of its layout.
    unsafe withUnsafeMutableBytes(of: &value) { unsafe rounding.apply(to: $0) }
    return value
  }

  /// Encodes the properties without keys.
  public func encode(to encoder: GEncoder) throws {
    try unsafe withUnsafeBytes(of: self) { bytes in
      guard let start = bytes.baseAddress else { return }
      for field in Self.packedLayout.fields { try unsafe field.encode(start, encoder) }
    }
  }

  /// Decodes the properties without keys.
  public init(from decoder: GDecoder) throws {
    self = try unsafe withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { room in
      guard let start = room.baseAddress else { throw decoder.malformed("a struct of no bytes") }
      for field in Self.packedLayout.fields { try unsafe field.decode(start, decoder) }
      // The fields fill the struct, by the precondition of its layout.
      return unsafe start.pointee
    }
  }

  fileprivate static var anyLayout: (fields: [PackedField], keys: [String]) {
    (packedLayout.fields, packedLayout.keys)
  }
}

extension GEncoder {
  /// Writes an array of packed structs: the formats of their fields, then as packed elements.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func writeStructs<Elements: Collection>(_ elements: Elements) throws {
    let written: Void? = try elements.withContiguousStorageIfAvailable { buffer in
      try reserve()
      let layout = layout(of: Elements.Element.self)
      state.pointee.out.putVarint(UInt64(tables.shapes.number(of: layout)))
      let stride = MemoryLayout<Elements.Element>.stride
      let packed = unsafe PackedBytes(
        start: buffer.baseAddress, count: buffer.count, elementByteCount: stride, stride: stride)
      // The owner shares the storage: see `writePackable`.
      try writePackedElements(
        packed, count: buffer.count, format: .none, layout: layout,
        owner: PackedCollection(elements: elements, elementByteCount: stride))
    }
    if written == nil { try writeStructs([Elements.Element](elements)) }
  }

  /// The fields of a packed struct.
  func layout(of type: Any.Type) -> Contents.Layout {
    let (fields, keys) = (type as? any GPackedStruct.Type)?.anyLayout ?? ([], [])
    return Contents.Layout(
      fields: fields.indices.map { index in
        .init(
          keyNumber: keys.isEmpty ? 0 : tables.keys.number(named: keys[index]) + 1,
          format: fields[index].format)
      })
  }
}

extension GDecoder {
  /// Whether the fields of packed structs have these keys, where both have any.
  private func suits(_ elements: PackedElements, _ keys: [String]) -> Bool {
    guard !keys.isEmpty, let layout = elements.layout else { return true }
    return zip(layout.fields, keys).allSatisfy { field, key in
      field.keyNumber == 0 || ByteString(tables.keys[Int(field.keyNumber) - 1]) == ByteString(key)
    }
  }

  /// Reads an array of packed structs, straight into its storage.
  @_semantics("optimize.sil.specialize.generic.never")
  @usableFromInline
  func readStructs<Element: GDecodable>(_ type: Element.Type) throws -> [Element] {
    try makeStructs(type, readPackedHead(.packedStructs))
  }

  /// Makes structs from packed ones.
  @_semantics("optimize.sil.specialize.generic.never")
  func makeStructs<Element: GDecodable>(_ type: Element.Type, _ packed: Packed) throws -> [Element] {
    let (fields, keys) = (Element.self as? any GPackedStruct.Type)?.anyLayout ?? ([], [])
    guard packed.elements.formats == fields.map(\.format), suits(packed.elements, keys) else {
      throw typeMismatch([Element].self, "the archive has \(ValueText(self).text(packed.elements))")
    }
    let stride = MemoryLayout<Element>.stride
    return try unsafe [Element](trivial: packed.count) { memory in
      try unsafe fill(memory, packed, stride: stride)
      guard let start = memory.baseAddress else { return }
      for field in fields where field.mayRefuse {
        for index in 0..<packed.count where unsafe field.refuses?(start + index * stride) == true {
          throw inElement(index, invalidValue(type, "its bytes are not a value of the type"))
        }
      }
    }
  }
}
