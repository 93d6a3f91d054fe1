import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// Values of the types that the standard library and Foundation make `Codable`.
@Suite("CyclicCoding: standard types")
struct StandardTypesTests {
  struct Numbers: Codable, Equatable {
    var bools = [true, false]
    var ints: [Int] = [.min, -1, 0, 1, .max]
    var int8s: [Int8] = [.min, 0, .max]
    var int16s: [Int16] = [.min, 0, .max]
    var int32s: [Int32] = [.min, 0, .max]
    var int64s: [Int64] = [.min, 0, .max]
    var uints: [UInt] = [0, .max]
    var uint8s: [UInt8] = [0, .max]
    var uint16s: [UInt16] = [0, .max]
    var uint32s: [UInt32] = [0, .max]
    var uint64s: [UInt64] = [0, 1 << 63, .max]
    var floats: [Float] = [0, 0.1, -1.5e-30, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    var doubles: [Double] = [0, 0.1, .pi, 5, 1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    var one: Int8 = -3
    var two: UInt64 = .max
    var three: Float = 0.1
    var four: Double = 0.1
    var five = true
  }

  @Test(arguments: allWays)
  func numbersComeBack(coder: AnyCoder?) throws {
    #expect(try copy(Numbers(), through: coder) == Numbers())
  }

  @Test(arguments: allWays)
  func wideIntegersComeBack(coder: AnyCoder?) throws {
    struct Wide: Codable, Equatable {
      var signed = Int128.min
      var unsigned: UInt128? = .max
    }
    #expect(try copy(Wide(), through: coder) == Wide())
    #expect(try copy(Int128.max, through: coder) == .max)
    #expect(try copy(UInt128.max, through: coder) == .max)
    let signed: [Int128] = [.min, -1, 0, Int128(Int64.max) + 1, .max]
    #expect(try copy(signed, through: coder) == signed)
    let unsigned: [UInt128] = [0, UInt128(UInt64.max), UInt128(UInt64.max) + 1, .max]
    #expect(try copy(unsigned, through: coder) == unsigned)
  }

  @Test(arguments: [nil, AnyCoder.strict])
  func bitsOfFloatingPointNumbersComeBack(coder: AnyCoder?) throws {
    let doubles = [-0.0, .infinity, -.infinity, .nan, Double(nan: 77, signaling: false)]
    #expect(try copy(doubles, through: coder).map(\.bitPattern) == doubles.map(\.bitPattern))
    let floats: [Float] = [-0.0, .infinity, Float(nan: 77, signaling: false)]
    #expect(try copy(floats, through: coder).map(\.bitPattern) == floats.map(\.bitPattern))
  }

  @Test(arguments: allWays)
  func stringsComeBack(coder: AnyCoder?) throws {
    let strings = [
      "", "a", "häöü 🧶", "\u{65}\u{301}", "a:b:s", "line\nbreak", String(repeating: "long ", count: 99),
    ]
    #expect(try copy(strings, through: coder).map { Array($0.utf8) } == strings.map { Array($0.utf8) })
    let keys = Dictionary(uniqueKeysWithValues: strings.enumerated().map { ($1, $0) })
    #expect(try copy(keys, through: coder) == keys)
  }

  struct Things: Codable, Equatable {
    var data = Data([0, 255, 7])
    var noData = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0.1)
    var url = URL(string: "https://example.org/a?b=c#d")!
    var relative = URL(string: "d/e", relativeTo: URL(string: "https://example.org/"))!
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    var decimal = Decimal(string: "-12345678901234567890.123456789")!
    var range = 3..<9
    var interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 2)
    var components = DateComponents(year: 2024, month: 2, day: 29)
    var locale = Locale(identifier: "de_CH")
    var timeZone = TimeZone(identifier: "Europe/Zurich")!
    var indexes = IndexSet([1, 2, 3, 9])
    var path = IndexPath(indexes: [1, 2])
    var characters = CharacterSet(charactersIn: "abc")
    var measurement = Measurement(value: 2.5, unit: UnitLength.meters)
    var name = PersonNameComponents(givenName: "Ada", familyName: "Lovelace")
    var size = CGSize(width: 1.5, height: -2)
    var set: Set<String> = ["a", "b"]
    var byDate = [Date(timeIntervalSinceReferenceDate: 1): 1.5, Date(timeIntervalSinceReferenceDate: 2): -1]
    var byNumber = [7: "x", -7: "y"]
    var byEnum = [Suit.hearts: 1, .clubs: 2]
    var byUUID = [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!: [1, 2]]
    var nested: [[Int?]?] = [[1, nil], nil, []]
    var duration = Duration.milliseconds(1500)

    enum Suit: String, Codable { case hearts, clubs }
  }

  @Test(arguments: allWays)
  func foundationTypesComeBack(coder: AnyCoder?) throws {
    #expect(try copy(Things(), through: coder) == Things())
  }

  // On Linux they are not `Codable`.
  #if canImport(Darwin)
    @Test(arguments: allWays)
    func attributedStringsComeBack(coder: AnyCoder?) throws {
      var text = AttributedString("Read the manual")
      text.link = URL(string: "https://example.org")
      text[text.range(of: "manual")!].inlinePresentationIntent = .emphasized
      #expect(try copy([text, AttributedString("")], through: coder) == [text, AttributedString("")])
    }
  #endif

  @Test func rootMayBeASimpleValue() throws {
    for coder in allWays {
      #expect(try copy(5, through: coder) == 5)
      #expect(try copy("a", through: coder) == "a")
      #expect(try copy(Int?.none, through: coder) == nil)
      #expect(try copy(Data([1]), through: coder) == Data([1]))
    }
  }

  // MARK: Conversions

  private func decode<Value: Encodable, Result: Decodable>(_ value: Value, as type: Result.Type) throws
    -> Result
  {
    try CyclicDecoder().decode(type, from: CyclicEncoder().flatten(value))
  }

  @Test func numbersAreConvertedWhereTheyKeepTheirValue() throws {
    #expect(try decode(5, as: UInt8.self) == 5)
    #expect(try decode(5, as: Double.self) == 5)
    #expect(try decode(5.0, as: Int.self) == 5)
    #expect(try decode(UInt64.max, as: Int128.self) == Int128(UInt64.max))
    #expect(try decode(0.1, as: Float.self) == 0.1)
    #expect(try decode(Float(0.1), as: Double.self) == Double(Float(0.1)))
    #expect(try decode(Double.infinity, as: Float.self) == .infinity)
  }

  @Test func numbersThatDoNotFitAreErrors() {
    #expect(throws: DecodingError.self) { try decode(256, as: UInt8.self) }
    #expect(throws: DecodingError.self) { try decode(-1, as: UInt.self) }
    #expect(throws: DecodingError.self) { try decode(0.5, as: Int.self) }
    #expect(throws: DecodingError.self) { try decode(Double.nan, as: Int.self) }
    #expect(throws: DecodingError.self) { try decode(1e300, as: Float.self) }
    #expect(throws: DecodingError.self) { try decode(Int128.max, as: Int64.self) }
  }

  @Test func otherTypesAreErrors() {
    #expect(throws: DecodingError.self) { try decode(1, as: Bool.self) }
    #expect(throws: DecodingError.self) { try decode(true, as: Int.self) }
    #expect(throws: DecodingError.self) { try decode("1", as: Int.self) }
    #expect(throws: DecodingError.self) { try decode(1, as: String.self) }
    #expect(throws: DecodingError.self) { try decode([1], as: [String: Int].self) }
    #expect(throws: DecodingError.self) { try decode(["a": 1], as: [Int].self) }
    #expect(throws: DecodingError.self) { try decode("a", as: Data.self) }
    #expect(throws: DecodingError.self) { try decode(Int?.none, as: Int.self) }
  }
}
