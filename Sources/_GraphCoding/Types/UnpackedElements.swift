import Foundation
import _GraphFiles
import _GraphSupport

// Packed arrays decoded as something other than they were encoded as: element by element.

extension GDecoder {
  /// Makes elements of a type that has another format than the packed ones, or none.
  ///
  /// - Parameter start: in front of the head of the array, for errors.
  /// - Throws: `typeMismatch` where the elements cannot be made of the scalars.
  /// - Complexity: O(n), with a copy of the array besides the result.
  @_semantics("optimize.sil.specialize.generic.never")
  func makeConverted<Element: GDecodable>(
    _ type: Element.Type, _ packed: Packed, from start: StreamReader
  ) throws -> [Element] {
    let scalars = try unpacked(packed, [Element].self, from: start)
    let end = state.pointee.stream.input
    defer { withExtendedLifetime(scalars) {} }
    var result: [Element] = []
    try takeRoom(scalars.count, stride: MemoryLayout<Element>.stride)
    result.reserveCapacity(scalars.count)
    state.pointee.stream.input = scalars.input
    do {
      try nested {
        while result.count < scalars.count { result.append(try Element._graphRead(self, scalars.kind)) }
      }
    } catch {
      state.pointee.stream.input = start
      guard var graphError = error as? GCodableError else { throw error }
      // The first one is representative, unless it is too large.
      if graphError.code == .typeMismatch, result.isEmpty {
        throw unpackedMismatch([Element].self, packed, from: start)
      }
      // The offset means nothing in unpacked scalars.
      graphError.byteOffset = streamOffset
      throw inElement(result.count, graphError)
    }
    state.pointee.stream.input = end
    return result
  }

  /// The error for packed elements that cannot be decoded as a type.
  @inline(never)
  private func unpackedMismatch(
    _ type: Any.Type, _ packed: Packed, from start: StreamReader
  ) -> GCodableError {
    state.pointee.stream.input = start
    return typeMismatch(
      type, "the archive has a packed array of \(ValueText(self).elementText(packed.elements))")
  }

  /// Reads a packed array of scalars, with the cursor at its format, for code that reads them one by one.
  ///
  /// - Parameter type: the requested type, for the error.
  func readUnpacked(_ type: Any.Type) throws -> UnpackedElements {
    let start = state.pointee.stream.input
    return try unpacked(readPackedHead(), type, from: start)
  }

  /// Reads a list that has been unpacked in place of what stands in the stream, behind which the cursor is.
  ///
  /// - Parameters:
  ///   - owner: holds the list's bytes.
  ///   - start: in front of what stands in the stream, for errors.
  func read<Value>(
    _ list: StreamReader, held owner: AnyObject, from start: StreamReader, _ body: () throws -> Value
  ) throws -> Value {
    let end = state.pointee.stream.input
    defer { withExtendedLifetime(owner) {} }
    state.pointee.stream.input = list
    do {
      let value = try body()
      state.pointee.stream.input = end
      return value
    } catch {
      state.pointee.stream.input = start
      guard var graphError = error as? GCodableError else { throw error }
      // The offset means nothing where elements have been unpacked.
      graphError.byteOffset = streamOffset
      throw graphError
    }
  }

  /// Packed scalars for code that reads them one by one.
  private func unpacked(
    _ packed: Packed, _ type: Any.Type, from start: StreamReader
  ) throws -> UnpackedElements {
    let format = packed.format
    func elements<Element: GCodable>(_ type: Element.Type) throws -> UnpackedElements {
      let elements = try makeArray(type, packed, from: start)
      return try UnpackedElements(type._graphPlainKind, count: elements.count) { encoder in
        for element in elements { try element._graphWritePlain(encoder) }
      }
    }
    guard let scalar = format.scalarType else { throw unpackedMismatch(type, packed, from: start) }
    return try elements(scalar)
  }
}

extension PackedFormat {
  /// The type that single scalars of the format are read as one by one; nil where there is none.
  var scalarType: (any GCodable.Type)? {
    guard laneCount == 1, meaning == Meaning.none else { return nil }
    return switch scalar {
    case .bool: Bool.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int64: Int64.self
    case .uint8, .byte: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .float32: Float.self
    case .float64: Double.self
    case .date: Date.self
    case .uuid: UUID.self
    default: nil
    }
  }
}

/// The elements of a packed array as they stand in arrays that are not packed.
final class UnpackedElements {
  let kind: GraphKind
  let count: Int
  private let encoder: GEncoder

  /// - Parameter write: writes the elements.
  @inline(never)
  init(_ kind: GraphKind, count: Int, _ write: (GEncoder) throws -> Void) throws {
    self.kind = kind
    self.count = count
    encoder = GEncoder(options: [], userInfo: nil, binaryIOVersion: 0)
    try encoder.reserve()
    try write(encoder)
  }

  /// A reader of the elements, valid as long as these.
  var input: StreamReader {
    // The encoder, which holds the bytes, writes nothing more.
    unsafe StreamReader(encoder.state.pointee.out.bytes)
  }
}
