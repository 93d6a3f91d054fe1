import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// What cannot be stored, or is no value of its type, is refused with a reason.
@Suite("Refused values")
struct RefusalTests {
  private func refuses(_ code: GCodableError.Code, _ body: () throws -> Void) {
    let error = #expect(throws: GCodableError.self) { try body() }
    #expect(error?.code == code)
  }

  @Test func unitsThatWouldComeBackAsAnotherClassAreNotEncoded() {
    let smoots = Measurement<Dimension>(value: 1, unit: UnitOfSmoots.smoots)
    refuses(.invalidValue) { _ = try encoded(smoots) }
    refuses(.invalidValue) { _ = try Binary.bytes(smoots) }
  }

  @Test func unitsOfAnotherDimensionAreNotDecoded() throws {
    let bytes = try encoded(Measurement(value: 1, unit: UnitMass.grams))
    refuses(.typeMismatch) { _ = try decoded(Measurement<UnitLength>.self, from: bytes) }
  }

  @Test func attributesOfOtherScopesAreNotEncoded() {
    var text = AttributedString("a")
    text[OwnAttribute.self] = 1
    refuses(.invalidValue) { _ = try encoded(text) }
  }

  @Test func nothingIsDecodedAsNever() throws {
    let failure = try encoded(Result<Int, Problem>.failure(.first))
    refuses(.typeMismatch) { _ = try decoded(Result<Int, Never>.self, from: failure) }
    refuses(.typeMismatch) { _ = try decoded([Never].self, from: encoded([Problem.first])) }
    refuses(.invalidValue) { _ = try Binary.read(Never.self, []) }
  }

  /// An archive whose first packed format is another one, so that the same bytes mean something else.
  private func forged(
    _ value: some GEncodable, _ format: PackedFormat, as other: PackedFormat
  ) throws -> Bytes {
    let forgery = try Forgery(encoded(value))
    var (old, new) = (ByteBuilder(), ByteBuilder())
    old.varint(UInt64(format.rawValue))
    new.varint(UInt64(other.rawValue))
    let stream = forgery.stream
    try #require(stream[1...].starts(with: old.bytes))
    return forgery.archive(Bytes(stream[..<1]) + new.bytes + stream[(1 + old.bytes.count)...])
  }

  @Test func rangesWithoutOrderAreNotDecoded() throws {
    let format = PackedFormat(.float64, lanes: 2)
    let range = PackedFormat(.float64, lanes: 2, meaning: .range)
    for pair: SIMD2<Double> in [[2, 1], [.nan, 1], [1, .nan]] {
      let closed = PackedFormat(.float64, lanes: 2, meaning: .closedRange)
      let one = try forged(pair, format, as: range)
      let many = try forged([SIMD2(0, 1), pair], format, as: range)
      refuses(.invalidValue) { _ = try decoded(Range<Double>.self, from: one) }
      refuses(.invalidValue) {
        _ = try decoded(ClosedRange<Double>.self, from: forged(pair, format, as: closed))
      }
      refuses(.invalidValue) { _ = try decoded([Range<Double>].self, from: many) }
      let bytes = try Binary.bytes(pair)
      refuses(.invalidValue) { _ = try Binary.read(ClosedRange<Double>.self, bytes) }
    }
    let from = PackedFormat(.float64, meaning: .partialRangeFrom)
    refuses(.invalidValue) {
      _ = try decoded(
        [PartialRangeFrom<Double>].self, from: forged([Double.nan], PackedFormat(.float64), as: from))
    }
  }

  @Test func valuesOfTheSameBytesAreToldApart() throws {
    let pair = try encoded(SIMD2<Double>(1, 2))
    refuses(.typeMismatch) { _ = try decoded(Range<Double>.self, from: pair) }
    refuses(.typeMismatch) { _ = try decoded(SIMD2<Double>.self, from: encoded(1.0..<2.0)) }
    refuses(.typeMismatch) { _ = try decoded(ClosedRange<Double>.self, from: encoded(1.0..<2.0)) }
    refuses(.typeMismatch) { _ = try decoded(CGSize.self, from: encoded(CGPoint(x: 1, y: 2))) }
    refuses(.typeMismatch) { _ = try decoded(NSRange.self, from: encoded(SIMD2<Int>(1, 2))) }
    refuses(.typeMismatch) { _ = try decoded(Duration.self, from: encoded(Int128(1))) }
    refuses(.typeMismatch) { _ = try decoded(DateInterval.self, from: encoded(Decimal(1))) }
    refuses(.typeMismatch) { _ = try decoded(CharacterSet.self, from: encoded(Data(count: 8192))) }
  }

  @Test func setsOfIndexesThatFoundationTrapsOnAreNotDecoded() throws {
    for ranges in [[-1..<3], [1..<1], [0..<2, 1..<3], [3..<4, 1..<2]] {
      let bytes = try encoded(ranges)
      refuses(.invalidValue) { _ = try decoded(IndexSet.self, from: bytes) }
    }
  }

  @Test func boundsThatAreNoNumbersAreNotEncoded() {
    refuses(.invalidValue) { _ = try encoded(PartialRangeFrom(Double.nan)) }
    refuses(.invalidValue) { _ = try encoded(PartialRangeUpTo(Float.nan)) }
    refuses(.invalidValue) { _ = try encoded([PartialRangeThrough(Double.nan) as PartialRangeThrough?]) }
    refuses(.invalidValue) { _ = try Binary.bytes(PartialRangeFrom(Double.nan)) }
  }

  /// A number that the type does not have does not matter where an element is missing.
  @Test func whatStandsInThePlaceOfAMissingElementIsNotRead() throws {
    let forgery = try Forgery(encoded([300, nil] as [Int?]))
    var stream = forgery.stream
    let bits = try #require(stream.firstIndex(of: 0b01))
    #expect(stream[bits - 1] == 0x05)
    stream[bits] = 0b10
    let archive = try GraphArchive(forgery.archive(stream))
    #expect(try archive.decode([UInt8?].self) == [nil, 0])
    #expect(try archive.decode([Int?].self) == [nil, 0])
  }

  @Test func rawValuesAreNotPrinted() throws {
    let date = Date(timeIntervalSinceReferenceDate: .infinity)
    refuses(.invalidValue) { _ = try decoded([Past].self, from: encoded([Future(rawValue: date)])) }
    let bytes = try Binary.bytes(date)
    refuses(.invalidValue) { _ = try Binary.read(Past.self, bytes) }
  }

  @Test func equalElementsAndLostValuesAreNotDecodedWithoutKeys() throws {
    func wrapped(_ numbers: [Int]) throws -> Bytes { try encoded(Unkeyed(numbers: numbers)) }
    #expect(try decoded(UnkeyedSet.self, from: wrapped([1, 2])).set == [1, 2])
    refuses(.invalidValue) { _ = try decoded(UnkeyedSet.self, from: wrapped([1, 2, 1])) }
    #expect(try decoded(UnkeyedDictionary.self, from: wrapped([1, 2, 3, 4])).values == [1: 2, 3: 4])
    refuses(.invalidValue) { _ = try decoded(UnkeyedDictionary.self, from: wrapped([1, 2, 1, 4])) }
    refuses(.valueNotFound) { _ = try decoded(UnkeyedDictionary.self, from: wrapped([1, 2, 3])) }
  }

  @Test func bitmapsThatAreNoneAreNotDecoded() throws {
    for count in [0, 1, 1000] {
      let bytes = try forged(
        Data(count: count), PackedFormat(.byte), as: PackedFormat(.byte, meaning: .characterSet))
      refuses(.invalidValue) { _ = try decoded(CharacterSet.self, from: bytes) }
    }
    for count in [8191, 8193, 8192 + 8192] {
      let bytes = try Binary.bytes(Data(count: count))
      refuses(.invalidValue) { _ = try Binary.read(CharacterSet.self, bytes) }
    }
  }
}

private enum OwnAttribute: AttributedStringKey {
  typealias Value = Int
  static let name = "own"
}

private struct Past: RawRepresentable, GCodable, BinaryIOType {
  let rawValue: Date

  init?(rawValue: Date) {
    guard rawValue < .now else { return nil }
    self.rawValue = rawValue
  }
}

private struct Future: RawRepresentable, GCodable {
  let rawValue: Date
}

private struct Unkeyed: GEncodable {
  let numbers: [Int]

  func encode(to encoder: GEncoder) throws { for number in numbers { try encoder.encode(number) } }
}

private struct UnkeyedSet: GDecodable {
  let set: Set<Int>

  init(from decoder: GDecoder) throws { set = try Set(from: decoder) }
}

private struct UnkeyedDictionary: GDecodable {
  let values: [Int: Int]

  init(from decoder: GDecoder) throws { values = try Dictionary(from: decoder) }
}
