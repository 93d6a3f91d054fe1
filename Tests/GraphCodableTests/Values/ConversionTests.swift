import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What is decoded as another type than it was encoded as, where nothing is lost.
@Suite("Conversions")
struct ConversionTests {
  private func copy<Value: GEncodable, Result: GDecodable>(
    _ value: Value, as type: Result.Type
  ) throws -> Result {
    try GraphDecoder().decode(type, from: GraphEncoder().encode(value) as Bytes)
  }

  /// In the stream, and in a bulk segment.
  @Test(arguments: [0, 1, 3, 20_000]) func arraysOfNumbersBecomeThoseOfOtherTypes(_ count: Int) throws {
    let numbers = (0..<count).map { Int32($0 - 1) }
    #expect(try copy(numbers, as: [Int].self) == numbers.map(Int.init))
    #expect(try copy(numbers, as: [Int?].self) == numbers.map(Int.init))
    #expect(try copy([numbers], as: [Set<Int64>].self) == [Set(numbers.map(Int64.init))])
    #expect(
      try copy(["a": numbers], as: [String: ContiguousArray<Int>].self)
        == ["a": ContiguousArray(numbers.map(Int.init))])
    let reals = numbers.map(Float.init)
    #expect(try copy(reals, as: [Double].self) == reals.map(Double.init))
    #expect(try copy(reals, as: Set<Double>.self) == Set(reals.map(Double.init)))
    let dates = reals.map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    #expect(try copy(dates, as: [Date?].self) == dates)
  }

  @Test func whatDoesNotFitIsRefusedAtItsPlace() throws {
    func error<Value: GEncodable, Result: GDecodable>(
      _ value: Value, as type: Result.Type
    ) throws -> GCodableError {
      let error = #expect(throws: GCodableError.self) { try copy(value, as: type) }
      return try #require(error)
    }
    let large = try error([[Int](0..<300)], as: [[Int8]].self)
    #expect(large.keyPathDescription == "[0][128]" && large.description.contains("Int8"))
    #expect(large.byteOffset.map { $0 < 16 } == true)
    #expect(try error([1.5], as: [Float].self).code == .typeMismatch)
    #expect(try error([1], as: [Double].self).code == .typeMismatch)
    #expect(try error([SIMD2<Float>(1, 2)], as: [Float?].self).code == .typeMismatch)
    #expect(try error([1, 2, 1], as: Set<Int8>.self).code == .invalidValue)
  }

  /// A tree of calls that refers to no memory of the scalars once they are gone.
  @Test func theRecordContinuesAfterConvertedElements() throws {
    struct Before: GEncodable {
      func encode(to encoder: GEncoder) throws {
        try encoder.encode([Int32](0..<5), for: Letter.a)
        try encoder.encode("text", for: Letter.b)
        try encoder.encode([Float](repeating: 0.5, count: 9_000), for: Letter.c)
        try encoder.encode(7, for: Letter.x)
      }
    }
    struct After: GDecodable {
      init(from decoder: GDecoder) throws {
        #expect(try decoder.decode(Int.self, for: Letter.x) == 7)
        #expect(try decoder.decode([Double].self, for: Letter.c) == Array(repeating: 0.5, count: 9_000))
        #expect(try decoder.decode([Int].self, for: Letter.a) == Array(0..<5))
        #expect(try decoder.decode(String.self, for: Letter.b) == "text")
      }
    }
    _ = try copy([Before(), Before()], as: [After].self)
  }
}
