import Foundation
import GraphCodable

/// Containers of packable, data-unit and other elements.
enum ContainerCases {
  static let all: [TypeCase] = arrays + sets + ranges + others

  private static let arrays: [TypeCase] = [
    TypeCase("Array of packed", [[1.5, 2], [], Array(repeating: 0.5, count: 3000)], golden: [[1.5]]),
    TypeCase("Array of units", [[Decimal(1), .nan], []], golden: [[Decimal(1)]]),
    TypeCase("Array of others", [[["a"], []], []] as [[Set<String>]], golden: [[["a"]]]),
    TypeCase(
      "Array of strings", [["a", ""], [], ["é", "𝄞", String(repeating: "long ", count: 9000)]],
      golden: [["a", ""]]),
    TypeCase("Array of characters", [["a", "🇩🇪"], []] as [[Character]], golden: []),
    TypeCase("Array of substrings", [["ab".dropFirst(), ""], []], golden: []),
    TypeCase("Array of arrays of strings", [[["a", ""], []], [], [["b"]]], golden: []),
    TypeCase(
      "ContiguousArray of packed", [ContiguousArray([1, -1]), []], golden: [ContiguousArray([1, -1])]),
    TypeCase("ContiguousArray of units", [ContiguousArray([Decimal(1)]), []], golden: []),
    TypeCase(
      "ContiguousArray of others", [ContiguousArray([["a"], []] as [Set<String>]), []], golden: []),
    TypeCase("ArraySlice of packed", [[0, 1, -1][1...], []], golden: [[0, 1][1...]]),
    TypeCase("ArraySlice of units", [[Decimal(1), 2][1...], []], golden: []),
    TypeCase("ArraySlice of others", [([["a"], []] as [Set<String>])[1...], []], golden: []),
    TypeCase("Array of CGPoint", [[CGPoint(x: 1, y: 2)], []], golden: []),
    TypeCase("Array of CGFloat", [[1, 2], [] as [CGFloat]], golden: []),
    TypeCase("Array of Bool", [[true, false], []], golden: [[true, false]]),
    TypeCase("Array of SIMD3", [[SIMD3<Float>(1, 2, 3), SIMD3(4, 5, 6)], []], golden: []),
    TypeCase("Array of optionals", [[1, nil, -1], [nil], []], golden: [[1, nil]]),
  ]

  private static let sets: [TypeCase] = [
    TypeCase("Set of packed", [[1, 2, 3], [], [-1]] as [Set<Int>], golden: [[7]], hasOrder: false),
    TypeCase("Set of units", [[1, 2], []] as [Set<Decimal>], golden: [[Decimal(1)]], hasOrder: false),
    TypeCase("Set of others", [["a", ""], []] as [Set<String>], golden: [["a"]], hasOrder: false),
    TypeCase("Dictionary of packed", [[1: 2.5], [:]], golden: [[1: 2.5]], hasOrder: false),
    TypeCase("Dictionary of units", [[1: Decimal(2)], [:]], golden: [[1: Decimal(2)]], hasOrder: false),
    TypeCase("Dictionary of others", [["a": 1, "b": 2], [:]], golden: [["a": 1]], hasOrder: false),
    TypeCase("Optional of packed", [1.5, nil], golden: [1.5, nil]),
    TypeCase("Optional of units", [Decimal(1), nil], golden: [Decimal(1)]),
    TypeCase("Optional of others", ["a", nil, ""], golden: ["a"]),
    TypeCase("Optional of optionals", [1, .some(nil), nil] as [Int??], golden: [.some(nil)]),
  ]

  private static let ranges: [TypeCase] = [
    TypeCase(
      "Range of packed", [1..<2, .min ..< .max, 5..<5], golden: [1..<2]),
    TypeCase("Range of units", [Decimal(1)..<2], golden: [Decimal(1)..<2]),
    TypeCase("Range of others", ["a"..<"b"], golden: ["a"..<"b"]),
    TypeCase(
      "ClosedRange of packed", [1.5...2, -.infinity ... .infinity, -0.0...0.0], golden: [1.5...2]),
    TypeCase("ClosedRange of units", [Decimal(1)...2], golden: []),
    TypeCase("ClosedRange of others", ["a"..."b"], golden: []),
    partial("PartialRangeFrom of packed", [PartialRangeFrom<Int8>(1), (-128)...]) { $0.lowerBound },
    partial("PartialRangeFrom of units", [PartialRangeFrom(Decimal(1))]) { $0.lowerBound },
    partial("PartialRangeFrom of others", [PartialRangeFrom("a")]) { $0.lowerBound },
    partial("PartialRangeUpTo of packed", [PartialRangeUpTo(1.5), ..<(-Double.infinity)]) { $0.upperBound },
    partial("PartialRangeUpTo of units", [PartialRangeUpTo(Decimal(1))]) { $0.upperBound },
    partial("PartialRangeUpTo of others", [PartialRangeUpTo("a")]) { $0.upperBound },
    partial("PartialRangeThrough of packed", [PartialRangeThrough(1.5)]) { $0.upperBound },
    partial("PartialRangeThrough of units", [PartialRangeThrough(Decimal(1))]) { $0.upperBound },
    partial("PartialRangeThrough of others", [PartialRangeThrough("a")]) { $0.upperBound },
    TypeCase("Range of Date", [Date.distantPast..<Date.distantFuture], golden: []),
    TypeCase("Range of Duration", [Duration.zero..<Duration.seconds(1)], golden: []),
  ]

  private static func partial<Value: GCodable & BinaryIOType & Sendable, Bound: Equatable & SendableMetatype>(
    _ name: String, _ values: [Value], _ bound: @escaping @Sendable (Value) -> Bound
  ) -> TypeCase {
    TypeCase(name, values, golden: [], isSame: { bound($0) == bound($1) })
  }

  private static let others: [TypeCase] = [
    TypeCase(
      "Result of packed", [.success(1.5), .failure(.first)] as [Result<Double, Problem>],
      golden: [.success(1.5), .failure(.second)]),
    TypeCase("Result<Int, Never>", [.success(7)] as [Result<Int, Never>], golden: []),
    TypeCase("Never", [] as [Never], golden: []),
    TypeCase("Result of units", [.success(1)] as [Result<Decimal, Problem>], golden: []),
    TypeCase("Result of others", [.success("a")] as [Result<String, Problem>], golden: []),
    TypeCase(
      "CollectionDifference of packed",
      [
        [1, 2, 3].difference(from: [3, 4]), [1].difference(from: [1]),
        [3, 1, 2].difference(from: [1, 2, 3]).inferringMoves(),
      ],
      golden: [[1].difference(from: [2])]),
    TypeCase("CollectionDifference of units", [[Decimal(1)].difference(from: [2])], golden: []),
    TypeCase("CollectionDifference of others", [["a"].difference(from: ["b"])], golden: []),
    TypeCase(
      "CollectionDifference.Change",
      [
        .insert(offset: 1, element: "a", associatedWith: nil),
        .remove(offset: 0, element: "", associatedWith: 7),
      ]
        as [CollectionDifference<String>.Change],
      golden: []),
  ]
}

enum Problem: String, Error, GCodable, BinaryIOType { case first, second }
