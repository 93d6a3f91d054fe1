import CyclicCoding
import Foundation
import Testing

/// What other coders see of a flattened container, and what they may hand back.
@Suite("CyclicCoding: stored form")
struct StoredFormTests {
  final class Item: Codable {
    var text: String
    init(_ text: String) { self.text = text }
  }

  struct Everything: Encodable {
    let item = Item("shared")
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(item, forKey: .ref)
      try container.encode(true, forKey: .bool)
      try container.encode(-1, forKey: .int)
      try container.encode(UInt64.max, forKey: .uint)
      try container.encode(Int128.max, forKey: .wide)
      try container.encode(Float(0.5), forKey: .float)
      try container.encode(0.25, forKey: .double)
      try container.encode("a:b", forKey: .string)
      try container.encode(Data([1, 2]), forKey: .data)
      try container.encodeNil(forKey: .null)
      try container.encode([1, 2], forKey: .ints)
      try container.encode([item, item], forKey: .refs)
      try container.encode([item, Item("single")], forKey: .objects)
      try container.encode([1, nil], forKey: .mixed)
      try container.encode([[1.5], []], forKey: .lists)
      try container.encode([Int](), forKey: .empty)
    }

    enum Key: String, CodingKey {
      case ref, bool, int, uint, wide, float, double, string = "st:ring", data, null, ints, refs, objects,
        mixed
      case lists, empty
    }
  }

  @Test func keysSayWhatIsBelowThem() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let json = String(decoding: try encoder.encode(CyclicEncoder().flatten([Everything()])), as: UTF8.self)
    let compact = json.filter { !$0.isWhitespace }
    #expect(
      compact == """
        {"referenced":{"[{}]":[{"text:s":"shared"}]},"root":{"[{}]":[{"bool:b":true,"data:x":"AQI=",\
        "double:d":0.25,"empty:[]":[],"float:f":0.5,"int:i":-1,"ints:[i]":[1,2],\
        "lists:[]":[{"[d]":[1.5]},{"[]":[]}],"mixed:[]":[{"i":1},{"n":null}],"null:n":null,\
        "objects:[]":[{"#":0},{"{}":{"text:s":"single"}}],"ref:#":0,"refs:[#]":[0,0],"st:ring:s":"a:b",\
        "uint:u":18446744073709551615,"wide:w":"170141183460469231731687303715884105727"}]}}
        """)
  }

  @Test func containerThatWasStoredIsTheSame() throws {
    let flattened = try CyclicEncoder().flatten([Everything(), Everything()])
    for coder in allWays.compactMap({ $0 }) {
      let copy = try coder.copy(flattened, as: FlattenedContainer.self)
      #expect(copy == flattened)
    }
  }

  @Test func containerCanBeDecodedManyTimes() async throws {
    let item = Item("a")
    let flattened = try CyclicEncoder().flatten([item, item])
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          guard let items = try? CyclicDecoder().decode([Item].self, from: flattened) else { return false }
          return items[0] === items[1] && items[0].text == "a"
            && (try? JSONEncoder().encode(flattened)) != nil
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  // MARK: Hostile input

  private func read(_ json: String) throws -> FlattenedContainer {
    try JSONDecoder().decode(FlattenedContainer.self, from: Data(json.utf8))
  }

  @Test(arguments: [
    "{}", "[]", ##"{"referenced": {"[{}]": []}}"##, ##"{"referenced": {"i": 1}, "root": {"i": 1}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"i": 1, "d": 1}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"z": 1}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"i": "a"}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"[i]": [1, null]}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"[n]": [null, 1]}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"[": 1}}"##, ##"{"referenced": {"[{}]": []}, "root": {"": 1}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"{}": {"i": 1}}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"{}": {"a:q": 1}}}"##,
    ##"{"referenced": {"[{}]": []}, "root": {"#": 0}}"##,
    ##"{"referenced": {"[{}]": [{}]}, "root": {"#": 1}}"##,
    ##"{"referenced": {"[{}]": [{}]}, "root": {"#": -1}}"##,
    ##"{"referenced": {"[{}]": [{}]}, "root": {"#": 99999999999}}"##,
  ])
  func whatIsNoFlattenedContainerIsAnError(json: String) {
    #expect(throws: DecodingError.self) { try read(json) }
  }

  @Test func valuesThatNestTooDeeplyAreAnError() {
    let json =
      ##"{"referenced": {"[{}]": []}, "root": {"{}": "## + String(repeating: ##"{"a:{}":"##, count: 400)
      + "{}"
      + String(repeating: "}", count: 402)
    #expect(throws: DecodingError.self) { try read(json) }
  }

  private final class Node: Codable {
    var next: Node?
  }

  private struct Value: Codable {
    var next: [Value]
  }

  @Test func cycleThatWasForgedIsAnError() throws {
    let itself = try read(##"{"referenced": {"[{}]": [{"next:#": 0}]}, "root": {"#": 0}}"##)
    let error = try #require(
      #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Node.self, from: itself) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["next"])
    #expect(context.debugDescription.contains("[next]"))

    let reference = try read(##"{"referenced": {"[#]": [1, 0]}, "root": {"#": 0}}"##)
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Node.self, from: reference) }
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode([Int].self, from: reference) }
    #expect("\(reference)" == "referenced: [#1, #0],\nroot: #0")
  }

  /// Values have no identity, so a cycle of them has no end.
  @Test func cycleOfValuesThatWasForgedIsAnError() throws {
    let endless = try read(##"{"referenced": {"[{}]": [{"next:[#]": [0]}]}, "root": {"#": 0}}"##)
    #expect(throws: DecodingError.self) { try CyclicDecoder().decode(Value.self, from: endless) }
  }
}
