import GraphCodable
import Foundation
import GraphCodableTestSupport

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// A value of any kind, which is decoded as the archive says: with the types that its kinds are made of, and nothing of
/// it is left out.
struct AnyGraph: GDecodable {
  init() {}
  init(from decoder: GDecoder) throws {
    try decoder.readFields {
      try decoder.decode(AnyGraph.self, for: $0)
    } unkeyed: {
      try decoder.decode(AnyGraph.self)
    }
  }

  /// Decodes the graph of an archive.
  static func decode(_ bytes: Bytes, _ limits: GraphDecoder.Limits = .init()) throws {
    let decoder = GraphDecoder()
    decoder.limits = limits
    let classes = try GraphArchive(bytes).contents.classes
    for stored in classes {
      decoder.setClass(AnyNode.self, for: .mangledName(stored.mangledName))
    }
    _ = try decoder.decode(AnyGraph.self, from: bytes)
  }

  static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyGraph {
    switch kind {
    case .tagged: return try AnyGraph?._graphRead(decoder, kind) ?? AnyGraph()
    case .reference: return try decoder.readAnyReference()
    case .conditional where !decoder.conditionalIsStored(): return AnyGraph()
    case .conditional: return try decoder.readAnyReference()
    case .record: return try decoder.readAnyRecord()
    case .array, .set: _ = try [AnyGraph]._graphRead(decoder, kind)
    case .dictionary: try decoder.readAnyPairs()
    case .packed: try decoder.readAnyPacked()
    case .packedStructs: try decoder.readAnyStructs()
    case .nestedPacked: try decoder.readRows { _ = try AnyGraph._graphRead(decoder, $0) }
    case .packedOptionals:
      _ = try decoder.state.pointee.stream.readOptionals().presence(decoder)
    case .fixed: try decoder.readAnyFixed()
    case .binary:
      _ = try decoder.readVarint()
      _ = try decoder.readBytes(decoder.readVarint())
    case .opaque: try decoder.skip(kind)
    case .string: _ = try String._graphRead(decoder, kind)
    case .bool: _ = try Bool._graphRead(decoder, kind)
    case .int8: _ = try Int8._graphRead(decoder, kind)
    // As another type that can hold some of its numbers.
    case .int16: _ = try Int32._graphRead(decoder, kind)
    case .int32: _ = try Int32._graphRead(decoder, kind)
    case .int64: _ = try Int._graphRead(decoder, kind)
    case .uint8: _ = try UInt8._graphRead(decoder, kind)
    case .uint16: _ = try UInt16._graphRead(decoder, kind)
    case .uint32: _ = try UInt64._graphRead(decoder, kind)
    case .uint64: _ = try UInt._graphRead(decoder, kind)
    case .float16: try decoder.skip(kind)  // Not every platform has them.
    case .float32: _ = try Float._graphRead(decoder, kind)
    case .float64: _ = try Double._graphRead(decoder, kind)
    default: return try decoder.readOther(AnyGraph.self, kind)
    }
    return AnyGraph()
  }
}

/// An instance of any class; its fields are deferred, so that it may be part of cycles.
final class AnyNode: GDecodable {
  init() {}
  init(from decoder: GDecoder) throws {
    try decoder.readFields {
      try decoder.deferDecode(AnyGraph.self, for: $0) { _ in }
    } unkeyed: {
      try decoder.deferDecode(AnyGraph.self) { _ in }
    }
  }

  static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> AnyNode {
    switch kind {
    case .reference, .conditional: return try decoder.readReference(AnyNode.self)
    case .binary:
      _ = try AnyGraph._graphRead(decoder, kind)
      return AnyNode()
    default: return try decoder.readOther(AnyNode.self, kind)
    }
  }
}

/// A struct with a bool.
struct Flagged: GPackedStruct {
  var number: UInt8
  var flag: Bool
  static let packedLayout = PackedLayout<Self>(\.number, \.flag)
}

extension GDecoder {
  /// Decodes all fields of the record that is being decoded.
  fileprivate func readFields<Result>(_ keyed: (NameKey) throws -> Result, unkeyed: () throws -> Result)
    throws
  {
    guard let shape = state.pointee.frame.shape?.pointee else { return }
    for index in 0..<shape.fieldCount {
      let number = Int(shape.fields[index].keyNumber)
      _ = try number == 0 ? unkeyed() : keyed(NameKey(tables.keys[number - 1]))
    }
    guard shape.isOpen else { return }
    while unkeyedCount > 0 { _ = try unkeyed() }
    for key in tables.keys where try contains(NameKey(key)) { _ = try keyed(NameKey(key)) }
  }

  /// The value at the cursor, which stays there.
  private func peek<Value>(_ read: () throws -> Value) throws -> Value {
    let cursor = state.pointee.stream.input.cursor
    defer { state.pointee.stream.input.cursor = cursor }
    return try read()
  }

  fileprivate func readAnyReference() throws -> AnyGraph {
    let isClass = try peek {
      let number = try state.pointee.stream.readObjectNumber()
      guard state.pointee.objects[Int(number)].offset != ObjectSlot.notStored else { return false }
      return try readShape(ofObject: number).pointee.isClass
    }
    if isClass {
      _ = try readReference(AnyNode.self)
      return AnyGraph()
    }
    return try readReference(AnyGraph.self)
  }

  fileprivate func readAnyRecord() throws -> AnyGraph {
    if try peek({ try readShape().pointee.isClass }) {
      _ = try readOther(AnyNode.self, .record)
      return AnyGraph()
    }
    return try readRecord(AnyGraph.self)
  }

  fileprivate func readAnyPairs() throws {
    let (keyKind, valueKind, count) = try readPairsHead()
    try nested {
      for _ in 0..<count {
        _ = try AnyGraph._graphRead(self, keyKind)
        _ = try AnyGraph._graphRead(self, valueKind)
      }
    }
  }

  fileprivate func readAnyPacked() throws {
    let format = try peek { try state.pointee.stream.readFormat() }
    func read<Element: GDecodable>(_ type: Element.Type) throws {
      _ = try [Element]._graphRead(self, .packed)
    }
    guard format.laneCount == 1, format.meaning == PackedFormat.Meaning.none else {
      return try readAnyElements(.packed)
    }
    switch format.scalar {
    case .bool: try read(Bool.self)
    case .int8: try read(Int8.self)
    case .int16: try read(Int.self)
    case .int32: try read(Int32.self)
    case .uint8, .byte: try read(UInt8.self)
    case .uint16: try read(UInt16.self)
    case .float32: try read(Double.self)
    case .float64: try read(Double.self)
    case .date: try read(Date.self)
    case .uuid: try read(UUID.self)
    default: try readAnyElements(.packed)
    }
  }

  private func readAnyElements(_ kind: GraphKind) throws {
    let packed = try readPackedHead(kind)
    guard packed.elements.byteCount > 0 else { return }
    let memory = try RawBytes(byteCount: packed.elements.byteCount)
    try memory.fill { try fill($0, packed, stride: packed.elements.elementByteCount) }
  }

  fileprivate func readAnyStructs() throws {
    let formats = try peek { try state.pointee.stream.readPacked(.packedStructs).formats }
    if formats == [PackedFormat(.uint8), PackedFormat(.bool)] {
      _ = try [Flagged]._graphRead(self, .packedStructs)
    } else {
      try readAnyElements(.packedStructs)
    }
  }

  fileprivate func readAnyFixed() throws {
    let format = try peek { try state.pointee.stream.readFormat() }
    switch format {
    case PackedFormat(.bool, lanes: 4): _ = try SIMDMask<SIMD4<Int32>>._graphRead(self, .fixed)
    case PackedFormat(.uuid): _ = try UUID._graphRead(self, .fixed)
    case PackedFormat(.date): _ = try Date._graphRead(self, .fixed)
    case PackedFormat(.bool): try skip(.fixed)
    default: _ = try readFixed(AnyGraph.self, format)
    }
  }
}
