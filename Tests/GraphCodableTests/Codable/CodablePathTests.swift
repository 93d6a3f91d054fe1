import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// `codingPath` as `JSONEncoder` and `JSONDecoder` have it.
@Suite("Codable in archives: paths")
struct CodablePathTests {
  /// Notes where it is encoded and decoded, with the integers of the keys.
  struct Spot: Codable, Hashable {
    init() {}
    init(from decoder: any Decoder) throws {
      Log.note(decoder.codingPath, decoder.userInfo)
      _ = try decoder.singleValueContainer().decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
      Log.note(encoder.codingPath, encoder.userInfo)
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }
  }

  final class Log: @unchecked Sendable {  // Used by one thread.
    var paths: [String] = []
    static let key = CodingUserInfoKey(rawValue: "paths")!

    static func note(_ path: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any]) {
      (userInfo[key] as? Log)?.paths.append(text(path))
    }
  }

  enum Suit: String, Codable { case hearts, spades }
  enum Rank: String, Codable, CodingKeyRepresentable { case ace, king }
  enum NumberedKey: Int, CodingKey { case x = 7, y = 9 }

  /// Its keys have integers, but names of another kind.
  struct Wide: CodingKey {
    var stringValue: String
    var intValue: Int?
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { (stringValue, self.intValue) = ("wide \(intValue)", intValue) }
  }

  struct Numbered: Codable {
    var x = Spot(), y: Spot? = Spot(), other = [Spot()]
    enum CodingKeys: Int, CodingKey { case x = 7, y = 9, other }
  }

  struct Nested: Codable {
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NumberedKey.self)
      let nested = try container.nestedContainer(keyedBy: Wide.self, forKey: .x)
      Log.note(nested.codingPath, decoder.userInfo)
      _ = try nested.decode(Spot.self, forKey: Wide(intValue: 3))
      var list = try container.nestedUnkeyedContainer(forKey: .y)
      _ = try list.decode(Spot.self)
      Log.note(try list.superDecoder().codingPath, decoder.userInfo)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NumberedKey.self)
      var nested = container.nestedContainer(keyedBy: Wide.self, forKey: .x)
      Log.note(nested.codingPath, encoder.userInfo)
      try nested.encode(Spot(), forKey: Wide(intValue: 3))
      var list = container.nestedUnkeyedContainer(forKey: .y)
      try list.encode(Spot())
      let upper = list.superEncoder()
      Log.note(upper.codingPath, encoder.userInfo)
      try 1.encode(to: upper)
    }
  }

  /// Goes back to a container, so that they wait.
  struct Turns: Codable {
    init() {}
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NumberedKey.self)
      _ = try container.nestedContainer(keyedBy: Wide.self, forKey: .x).decode(
        Spot.self, forKey: Wide(intValue: 3))
      _ = try container.decode(Spot.self, forKey: .y)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NumberedKey.self)
      var nested = container.nestedContainer(keyedBy: Wide.self, forKey: .x)
      try container.encode(Spot(), forKey: .y)
      try nested.encode(Spot(), forKey: Wide(intValue: 3))
    }
  }

  @Test func pathsAreThoseOfJSON() throws {
    try check(["a": Spot()])
    try check(["5": Spot()])
    try check([5: Spot()])
    try check([Suit.hearts: Spot()])
    try check([Rank.ace: Spot()])
    try check([["a": [Spot()]]])
    try check([3: ["x": [4: [Spot(), Spot()]]]])
    try check([[Spot()]: 1])
    try check(Numbered())
    try check(["k": Numbered()])
    try check([Nested()])
  }

  @Test func pathsOfContainersThatWaitHaveTheirIntegers() throws {
    let (encoded, decoded) = (Log(), Log())
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    encoder.userInfo[Log.key] = encoded
    decoder.userInfo[Log.key] = decoded
    _ = try decoder.decode(codable: [Turns].self, from: encoder.encode(codable: [Turns()]) as Bytes)
    #expect(Set(encoded.paths) == ["Index 0=0/y=9", "Index 0=0/x=7/wide 3=3"])
    #expect(decoded.paths == ["Index 0=0/x=7/wide 3=3", "Index 0=0/y=9"])
  }

  private func check<Value: Codable>(_ value: Value) throws {
    let logs = (0..<4).map { _ in Log() }
    let (jsonEncoder, jsonDecoder) = (JSONEncoder(), JSONDecoder())
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    jsonEncoder.userInfo[Log.key] = logs[0]
    jsonDecoder.userInfo[Log.key] = logs[1]
    encoder.userInfo[Log.key] = logs[2]
    decoder.userInfo[Log.key] = logs[3]
    _ = try jsonDecoder.decode(Value.self, from: jsonEncoder.encode(value))
    _ = try decoder.decode(codable: Value.self, from: encoder.encode(codable: value) as Bytes)
    #expect(logs[3].paths == logs[1].paths, "\(Value.self)")
    // JSONEncoder forgets the keys of nested containers.
    if !(value is [Nested]) { #expect(logs[2].paths == logs[0].paths, "\(Value.self)") }
    #expect(logs[2].paths == logs[3].paths, "\(Value.self)")
  }

  // MARK: Errors

  struct Text: Codable { var v = "s" }
  struct Count: Codable { var v: Int }

  @Test func pathsOfErrorsAreThoseOfJSON() throws {
    try check(["a": Text()], as: [String: Count].self)
    try check([5: Text()], as: [Int: Count].self)
    try check([Suit.hearts: Text()], as: [Suit: Count].self)
    try check([Rank.ace: Text()], as: [Rank: Count].self)
    try check(["a": "x"], as: [String: Int].self)
    try check([5: "x"], as: [Int: Int].self)
    try check(["a": ["b": "x"]], as: [String: [String: Int]].self)
    try check(["a": [5: ["x"]]], as: [String: [Int: [Int]]].self)
    try check([["a": Text()]], as: [[String: Count]].self)
    try check(["a": Count?.none], as: [String: Count].self)
  }

  private func check<Wanted: Decodable>(_ value: some Encodable, as type: Wanted.Type) throws {
    let json = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
    }
    let archive = #expect(throws: DecodingError.self) { try codableCopy(value, as: type) }
    #expect(archive.map(Self.path) == json.map(Self.path), "\(type)")
  }

  private static func path(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context): "typeMismatch " + text(context.codingPath)
    case .valueNotFound(_, let context): "valueNotFound " + text(context.codingPath)
    case .keyNotFound(_, let context): "keyNotFound " + text(context.codingPath)
    case .dataCorrupted(let context): "dataCorrupted " + text(context.codingPath)
    default: "\(error)"
    }
  }
}

/// Names and integers of keys.
private func text(_ path: [any CodingKey]) -> String {
  path.map { $0.stringValue + ($0.intValue.map { "=\($0)" } ?? "") }.joined(separator: "/")
}
