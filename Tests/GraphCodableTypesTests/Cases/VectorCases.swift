import Foundation
import GraphCodable

/// Vectors, masks and geometry.
enum VectorCases {
  static let all: [TypeCase] = [
    TypeCase("SIMD2", [[1.5, -2], SIMD2<Double>(repeating: .nan)], golden: [[1, 2]]),
    TypeCase("SIMD3", [[1, 2, 3], SIMD3<Float>(repeating: -0.0)], golden: [[1, 2, 3]]),
    TypeCase("SIMD4", [[1, 2, 3, 4], SIMD4<Int32>(repeating: .min)], golden: [[1, 2, 3, 4]]),
    TypeCase("SIMD8", [SIMD8<Int16>(repeating: .max), .zero], golden: [.one]),
    TypeCase("SIMD16", [SIMD16<UInt8>(repeating: .max), .zero], golden: [.one]),
    TypeCase("SIMD32", [SIMD32<Int8>(repeating: .min), .zero], golden: [.one]),
    TypeCase("SIMD64", [SIMD64<UInt8>(repeating: .max), .zero], golden: [.one]),
    TypeCase(
      "SIMDMask", [SIMD3<Float>(1, 2, 3) .> 1.5, SIMD3<Float>(1, 2, 3) .== 9, SIMDMask(repeating: true)],
      golden: [SIMD3<Float>(1, 2, 3) .> 1.5]),
    TypeCase("SIMDMask of SIMD64", [SIMD64<Int8>.zero .== 0, SIMD64<Int8>.zero .== 1], golden: []),
    TypeCase(
      "CGPoint", NumberCases.doubles.map { CGPoint(x: $0, y: -1) }, golden: [CGPoint(x: 1, y: 2)]),
    TypeCase(
      "CGSize", NumberCases.doubles.map { CGSize(width: 2, height: $0) },
      golden: [CGSize(width: 1, height: 2)]),
    TypeCase(
      "CGRect", NumberCases.doubles.map { CGRect(x: 1, y: $0, width: -3, height: 4) } + [.null, .infinite],
      golden: [CGRect(x: 1, y: 2, width: 3, height: 4)]),
    TypeCase(
      "AffineTransform",
      NumberCases.doubles.map { AffineTransform(m11: $0, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6) },
      golden: [AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)]),
    TypeCase(
      "NSRange", [NSRange(location: 1, length: 2), NSRange(location: NSNotFound, length: 0), NSRange()],
      golden: [NSRange(location: 1, length: 2)]),
  ]
}
