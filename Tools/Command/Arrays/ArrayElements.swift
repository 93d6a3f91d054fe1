import Foundation
import GraphCodable

/// The scalars of an array's elements, by their bytes.
struct ArrayElements {
  let array: GraphRawArrayView
  /// The scalars of an element, in order.
  let scalars: [Scalar]

  struct Scalar {
    /// The name of its field, with the number of its lane if the field has several.
    let name: String
    let type: PackedFormat.Scalar
    /// Where it begins in the element.
    let offset: Int
  }

  /// - Throws: `Failure` for elements whose format this program does not know.
  init(_ array: GraphRawArrayView) throws {
    self.array = array
    var (scalars, offset) = ([Scalar](), 0)
    for (index, field) in array.fields.enumerated() {
      guard let type = field.format.scalar else {
        throw Failure("the array has elements of an unknown format")
      }
      let name = field.key ?? "\(index)"
      for lane in 0..<field.format.laneCount {
        scalars.append(
          Scalar(name: field.format.laneCount > 1 ? "\(name).\(lane)" : name, type: type, offset: offset))
        offset += type.byteCount
      }
    }
    self.scalars = scalars
  }

  /// How many elements a row has: those of the last dimension.
  var rowCount: Int { array.shape.count > 1 ? array.shape[array.shape.count - 1] : 1 }

  /// Calls `body` for each row with its number and the texts of its elements' scalars.
  ///
  /// - Parameter text: of a scalar.
  func forEachRow(
    _ text: (PackedFormat.Scalar, ArraySlice<UInt8>) -> String, _ body: (Int, [[String]]) throws -> Void
  ) throws {
    guard rowCount > 0 else { return }
    let rowsPerPiece = max(1, Self.elementsPerPiece / rowCount)
    let size = array.elementByteCount
    let progress = ArrayProgress(array)
    defer { progress.end() }
    for first in stride(from: 0, to: array.count / rowCount, by: rowsPerPiece) {
      let last = min(first + rowsPerPiece, array.count / rowCount)
      let bytes = try array[(first * rowCount)..<(last * rowCount)]
      for row in first..<last {
        let elements = (0..<rowCount).map { column in
          let start = ((row - first) * rowCount + column) * size
          return scalars.map { scalar in
            text(
              scalar.type, bytes[(start + scalar.offset)..<(start + scalar.offset + scalar.type.byteCount)])
          }
        }
        try body(row, elements)
      }
      progress.advance(by: (last - first) * rowCount)
    }
  }

  /// Some blocks of an archive.
  private static let elementsPerPiece = 1 << 18

  /// The text of a scalar: a number, true or false, or hexadecimal digits.
  static func text(_ type: PackedFormat.Scalar, _ bytes: ArraySlice<UInt8>) -> String {
    func bits<Bits: FixedWidthInteger & UnsignedInteger>(_ type: Bits.Type) -> Bits {
      bytes.reversed().reduce(0) { $0 << 8 | Bits($1) }
    }
    switch type {
    case .int8: return "\(Int8(bitPattern: bits(UInt8.self)))"
    case .int16: return "\(Int16(bitPattern: bits(UInt16.self)))"
    case .int32: return "\(Int32(bitPattern: bits(UInt32.self)))"
    case .int64: return "\(Int64(bitPattern: bits(UInt64.self)))"
    case .uint8, .byte, .uint16, .uint32, .uint64: return "\(bits(UInt64.self))"
    case .float32: return "\(Float(bitPattern: bits(UInt32.self)))"
    case .float64, .date: return "\(Double(bitPattern: bits(UInt64.self)))"
    case .bool: return bytes.first == 0 ? "false" : "true"
    case .float16:
      #if os(macOS) && arch(x86_64)
        return hexText(bytes.reversed())
      #else
        return "\(Float16(bitPattern: bits(UInt16.self)))"
      #endif
    case .uuid:
      let digits = hexText(bytes).uppercased()
      let lengths = [8, 4, 4, 4, 12]
      return lengths.indices.map { group in
        String(digits.dropFirst(lengths[..<group].reduce(0, +)).prefix(lengths[group]))
      }.joined(separator: "-")
    case .bfloat16, .float8e4m3, .float8e5m2: return "\(type.smallFloat(bits(UInt16.self)) ?? .nan)"
    case .int128, .uint128, .duration, .continuousInstant, .suspendingInstant, .decimal128:
      return "0x" + hexText(bytes.reversed())
    }
  }

  private static func hexText(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
