import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// What errors say of values, keys and places.
@Suite("Texts of errors")
struct ErrorTextTests {
  private enum Color: String, GCodable { case red, blue }
  private enum Level: Int, GCodable { case low = 1, high }
  private enum Letter: Character, GCodable { case a = "a" }
  private struct Half: RawRepresentable, Hashable, GCodable {
    let rawValue: Double
    init?(rawValue: Double) {
      guard rawValue == rawValue.rounded() else { return nil }
      self.rawValue = rawValue
    }
  }
  private struct Moment: RawRepresentable, GCodable {
    let rawValue: Date
    init?(rawValue: Date) { return nil }
  }

  /// What an older program had in place of these.
  private struct Raw<Value: GCodable & Hashable>: RawRepresentable, Hashable, GCodable {
    let rawValue: Value
    init(rawValue: Value) { self.rawValue = rawValue }
    init(_ value: Value) { rawValue = value }
  }

  private func error<Value: GDecodable>(
    _ root: some GEncodable, as type: Value.Type
  ) throws -> GCodableError {
    try #require(#expect(throws: GCodableError.self) { try decoded(type, from: encoded(root)) })
  }

  @Test func aRawValueThatIsNoneIsNamedWithItsType() throws {
    for (root, type, text) in [
      ([Raw("green")], [Color].self, "\"green\""), ([Raw(7)], [Level].self, "7"),
      ([Raw("b" as Character)], [Letter].self, "\"b\""), ([Raw(0.5)], [Half].self, "0.5"),
    ] as [(any GEncodable, any GDecodable.Type, String)] {
      let error = try error(root, as: type)
      #expect(error.code == .invalidValue && error.keyPath == ["[0]", "[0]"])
      #expect(error.description.contains("the stored raw value \(text) is not"), "\(error)")
      #expect(error.typeName?.contains("ErrorTextTests") == true)
    }
    // A date beyond all calendars, whose description traps.
    let date = try error([Raw(Date(timeIntervalSinceReferenceDate: 1e300))], as: [Moment].self)
    #expect(date.description.contains("the stored raw value is not"), "\(date)")
    let long = try error([Raw(String(repeating: "x", count: 100_000))], as: [Color].self)
    #expect(long.description.utf8.count < 500)
  }

  @Test func valuesOfDictionariesAreNamedByTheirKeys() throws {
    func check(_ root: some GEncodable, _ type: (some GDecodable).Type, _ path: String) throws {
      let error = try error(root, as: type)
      // A raw value is a field without a key.
      #expect(error.keyPathDescription == path + "[0]", "\(error)")
      // The archive leads to the value by the same path.
      let place = try #require(GraphPath(path))
      #expect(throws: Never.self) { try GraphArchive(encoded(root)).item(at: place) }
    }
    try check(["one": Raw("a")], [String: Color].self, "one")
    try check([["a.b c": Raw("x")]], [[String: Color]].self, #"[0]["a.b c"]"#)
    try check(["[3]": Raw("x")], [String: Color].self, #"["[3]"]"#)
    try check(["": Raw("x")], [String: Color].self, #"[""]"#)
    try check([-3: Raw("x")], [Int: Color].self, "[-3]")
    try check([UInt64.max: Raw("x")], [UInt64: Color].self, "18446744073709551615")
    try check([Color.blue: Raw("x")], [Color: Color].self, "blue")
    try check([Level.high: Raw("x")], [Level: Color].self, "[2]")
    try check(["k": ["l": [Raw("red"), Raw("x")]]], [String: [String: [Color]]].self, "k.l[1]")
    // Others by the place of the pair.
    try check([true: Raw("x")], [Bool: Color].self, "[0]")
    let key = try error([Raw("x"): 1], as: [Color: Int].self)
    #expect(key.keyPath == ["[0]", "[0]"])
    let long = try error([String(repeating: "k", count: 100_000): Raw("x")], as: [String: Color].self)
    #expect(long.description.utf8.count < 500)
  }

  @Test func valuesOfDictionariesAreNamedWhileTheyAreEncoded() throws {
    let twice = Script {
      try $0.encode(1, for: NameKey("a"))
      try $0.encode(2, for: NameKey("a"))
    }
    for (root, path) in [
      (["one": twice], "one.a"), ([["a.b": twice]], #"["a.b"].a"#), ([7: ["k": twice]], "[7].k.a"),
      ([2.5: twice], "[0].a"),
    ] as [(any GEncodable, String)] {
      let error = #expect(throws: GCodableError.self) { try encoded(root) }
      #expect(error?.code == .duplicateKey && error?.keyPathDescription == path)
    }
  }

  @Test func whatAnAppShowsIsAllOfIt() throws {
    let error = try error(["one": [Raw("green")]], as: [String: [Color]].self)
    #expect(error.localizedDescription == error.description)
    #expect((error as any Error).localizedDescription == error.description)
    for part in ["invalidValue", "green", "Color", "one[0][0]", "byte"] {
      #expect(error.localizedDescription.contains(part), "\(error)")
    }
    let cause = GCodableError(.file, "the disk is full", underlyingError: CancellationError())
    #expect(cause.localizedDescription.contains("CancellationError"))
  }
}
