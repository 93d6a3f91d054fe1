import CodableTestSupport
import CyclicCoding
import Foundation
import Testing

/// How coders that do not know cycle breakers treat them.
@Suite("CyclicCoding: plain coders")
struct PlainCoderTests {
  final class Person: Codable {
    var name: String
    var friend = WeakCycleBreaker<Person>()
    var boss: UnownedCycleBreaker<Person>?
    var pets: [Pet] = []
    init(_ name: String) { self.name = name }
  }

  final class Pet: Codable {
    var owner = WeakCycleBreaker<Person>()
  }

  private func json<Value: Encodable>(_ value: Value) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func context<Value: Encodable>(of value: Value) throws -> EncodingError.Context {
    let error = try #require(#expect(throws: EncodingError.self) { try json(value) })
    guard case .invalidValue(_, let context) = error else { throw error }
    return context
  }

  // MARK: Encoding

  @Test func objectIsEncodedInItsPlace() throws {
    let (ann, ben) = (Person("Ann"), Person("Ben"))
    ann.friend[] = ben
    ann.boss = UnownedCycleBreaker(ben)
    let benText = #"{"friend":null,"name":"Ben","pets":[]}"#
    #expect(try json(ann) == #"{"boss":\#(benText),"friend":\#(benText),"name":"Ann","pets":[]}"#)
    let list = try PropertyListEncoder().encode([ann])
    let records = try PropertyListSerialization.propertyList(from: list, format: nil) as? [[String: Any]]
    #expect((records?[0]["boss"] as? [String: Any])?["name"] as? String == "Ben")
  }

  @Test func objectMayBeEncodedManyTimesSideBySide() throws {
    let (ann, ben) = (Person("Ann"), Person("Ben"))
    ann.friend[] = ben
    #expect(try json([ann, ann, ben]).components(separatedBy: "Ben").count == 4)
  }

  @Test func cycleIsAnErrorThatNamesIt() throws {
    let (ann, pet) = (Person("Ann"), Pet())
    ann.pets = [pet]
    pet.owner[] = ann
    let context = try context(of: ["x": ann])
    #expect(context.codingPath.map(\.stringValue) == ["x"] + ["pets", "Index 0", "owner"] * 2)
    #expect(context.debugDescription.contains(": Person.pets[0].owner → Person. "))
    #expect(throws: EncodingError.self) { try PropertyListEncoder().encode([ann]) }
    #expect(throws: EncodingError.self) { try AnyCoder.strict.copy(ann, as: Person.self) }
  }

  @Test func cycleThroughSeveralBreakersIsNamed() throws {
    let (ann, ben, pet) = (Person("Ann"), Person("Ben"), Pet())
    ann.friend[] = ben
    ben.pets = [Pet(), pet]
    pet.owner[] = ann
    let context = try context(of: ann)
    // From the first object that comes again: Ann herself was not encoded for a breaker before.
    #expect(context.debugDescription.contains(": Person.pets[1].owner → Person.friend → Person. "))
    let own = Person("Own")
    own.boss = UnownedCycleBreaker(own)
    #expect(try self.context(of: own).debugDescription.contains(": Person.boss → Person. "))
  }

  @Test func errorLeavesNoTraces() throws {
    let (ann, pet) = (Person("Ann"), Pet())
    ann.pets = [pet]
    pet.owner[] = ann
    for _ in 0..<2 { _ = try context(of: ann) }
    ann.pets = []
    #expect(try json(pet) == #"{"owner":{"friend":null,"name":"Ann","pets":[]}}"#)
  }

  @Test func encodersOnOtherThreadsDoNotMeet() async throws {
    let (ann, ben) = (Person("Ann"), Person("Ben"))
    ann.friend[] = ben
    nonisolated(unsafe) let shared = ann
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<200).allSatisfy { _ in (try? JSONEncoder().encode(shared)) != nil } }
      }
      for await isWhole in group { #expect(isWhole) }
    }
    withExtendedLifetime(ben) {}
  }

  // MARK: Decoding

  @Test func onlyNilIsDecoded() throws {
    #expect(try JSONDecoder().decode(Person.self, from: Data(json(Person("Ann")).utf8)).name == "Ann")
    let filled = Data(#"{"name": "Ann", "friend": {"name": "Ben", "pets": []}, "pets": []}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Person.self, from: filled) }
  }
}

/// A sequence of keys, repeated.
private func * (keys: [String], count: Int) -> [String] {
  Array(repeating: keys, count: count).flatMap { $0 }
}
