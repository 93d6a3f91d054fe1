import GraphCodable
import Testing

/// A struct that is read from archives of another one, field by field.
private struct Now: Fieldwise, Equatable {
  var id: Int
  var name: String
  var size: Double?
  var count: Int
  var tags: [String]

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("id", \Self.id)
    list.add("name", \Self.name)
    list.addOptional("size", \Self.size)
    try list.add("count", \Self.count, missing: 3)
    try list.add("tags", \Self.tags, missing: ["none"])
  }
}

/// Encodes what its closure says.
private struct Then: GEncodable {
  enum Key: String { case id, name, size, count, tags, more }
  var code: @Sendable (GEncoder) throws -> Void
  func encode(to encoder: GEncoder) throws { try code(encoder) }
}

/// Counts its instances.
final class CountedInstance: GCodable {
  nonisolated(unsafe) static var count = 0
  init() { Self.count += 1 }
  func encode(to encoder: GEncoder) throws {}
  required init(from decoder: GDecoder) throws { Self.count += 1 }
  deinit { Self.count -= 1 }
}

@Suite("Structs coded by a list of fields: other archives", .serialized)
struct FieldListChangeTests {
  private func decode(_ code: @escaping @Sendable (GEncoder) throws -> Void) throws -> [Now] {
    // The second one is read as the first one has shown.
    try GraphDecoder().decode(
      [Now].self, from: GraphEncoder().encode([Then(code: code), Then(code: code)]) as Bytes)
  }

  private func expect(
    _ value: Now, _ code: @escaping @Sendable (GEncoder) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try decode(code) == [value, value], sourceLocation: sourceLocation)
  }

  @Test func missingFieldsHaveTheirValues() throws {
    try expect(Now(id: 1, name: "a", size: nil, count: 3, tags: ["none"])) {
      try $0.encode(1, for: Then.Key.id)
      try $0.encode("a", for: Then.Key.name)
    }
  }

  @Test func fieldsThatWereLeftOutHaveTheirValues() throws {
    try expect(Now(id: 1, name: "a", size: nil, count: 3, tags: ["t"])) {
      try $0.encode(1, for: Then.Key.id)
      try $0.encode("a", for: Then.Key.name)
      try $0.encodeIfPresent(nil as Double?, for: Then.Key.size)
      try $0.encodeIfPresent(nil as Int?, for: Then.Key.count)
      try $0.encodeIfPresent(["t"], for: Then.Key.tags)
    }
  }

  @Test func otherFieldsAndAnotherOrderDoNotMatter() throws {
    try expect(Now(id: 1, name: "a", size: 2, count: 5, tags: [])) {
      try $0.encode([1, 2, 3], for: Then.Key.more)
      try $0.encode([] as [String], for: Then.Key.tags)
      try $0.encode(5, for: Then.Key.count)
      try $0.encode(2.0, for: Then.Key.size)
      try $0.encode("a", for: Then.Key.name)
      try $0.encode(1, for: Then.Key.id)
      try $0.encode("unkeyed")
    }
  }

  @Test func numbersOfOtherKindsAreConvertedWhereTheyFit() throws {
    try expect(Now(id: 1, name: "a", size: 0.5, count: 200, tags: [])) {
      try $0.encode(Int8(1), for: Then.Key.id)
      try $0.encode("a" as Character, for: Then.Key.name)
      try $0.encode(Float(0.5), for: Then.Key.size)
      try $0.encode(UInt8(200), for: Then.Key.count)
      try $0.encode([] as [String], for: Then.Key.tags)
    }
    let error = #expect(throws: GCodableError.self) {
      try decode {
        try $0.encode(UInt64.max, for: Then.Key.id)
        try $0.encode("a", for: Then.Key.name)
      }
    }
    #expect(error?.code == .invalidValue && error?.keyPath == ["[0]", "id"])
  }

  @Test func recordsOfManyShapesAlternate() throws {
    let codes: [@Sendable (GEncoder) throws -> Void] = [
      {
        try $0.encode(1, for: Then.Key.id)
        try $0.encode("a", for: Then.Key.name)
      },
      {
        try $0.encode(2, for: Then.Key.id)
        try $0.encode("b", for: Then.Key.name)
        try $0.encode(1.5 as Double?, for: Then.Key.size)
        try $0.encode(7, for: Then.Key.count)
        try $0.encode(["t"], for: Then.Key.tags)
      },
    ]
    let bytes: Bytes = try GraphEncoder().encode((0..<20).map { Then(code: codes[$0 % 2]) })
    let decoded = try GraphDecoder().decode([Now].self, from: bytes)
    #expect(
      decoded.map(\.id) == (0..<20).map { $0 % 2 + 1 }
        && decoded.map(\.count) == (0..<20).map { $0 % 2 * 4 + 3 })
  }

  @Test func valueThatCannotBeMadeForAMissingFieldLosesNothing() throws {
    struct Failing: Error {}
    struct Record: Fieldwise {
      var object: CountedInstance?
      var more: CountedInstance?
      var number: Int
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.addOptional("object", \Self.object)
        list.addOptional("more", \Self.more)
        try list.add("number", \Self.number, missing: try number())
      }
      static func number() throws -> Int {
        count += 1
        if count == 3 { throw Failing() }
        return count
      }
      nonisolated(unsafe) static var count = 0
    }
    struct Older: GEncodable {
      enum Key: String { case object }
      func encode(to encoder: GEncoder) throws { try encoder.encode(CountedInstance(), for: Key.object) }
    }
    let before = CountedInstance.count
    do {
      let bytes: Bytes = try GraphEncoder().encode([Older(), Older(), Older(), Older()])
      #expect(throws: Failing.self) { try GraphDecoder().decode([Record].self, from: bytes) }
    }
    #expect(CountedInstance.count == before)
  }

  @Test func recordsOfOneShapeAreReadAsStructsInsideEachOther() throws {
    // One type wrote the archive, so all its records have one shape.
    struct Written: Fieldwise {
      var items: [Written]
      static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("items", \Self.items) }
    }
    struct Inner: Fieldwise {
      var items: [Written]
      static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("items", \Self.items) }
    }
    struct Outer: Fieldwise {
      var items: [Inner]
      static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("items", \Self.items) }
    }
    let leaf = Written(items: [])
    let middle = Written(items: [leaf, leaf])
    let bytes: Bytes = try GraphEncoder().encode([leaf, Written(items: [middle, middle, leaf]), leaf])
    let decoded = try GraphDecoder().decode([Outer].self, from: bytes)
    #expect(decoded.map { $0.items.map { $0.items.count } } == [[], [2, 2, 0], []])
  }

  @Test func missingKeyIsNamed() throws {
    let error = #expect(throws: GCodableError.self) {
      try decode { try $0.encode(1, for: Then.Key.id) }
    }
    #expect(error?.code == .keyNotFound && error?.keyPath == ["[0]"])
    #expect(error?.typeName == "Swift.String")
  }

  @Test func errorsAreThrownByTheFirstRecordAndByTheLast() throws {
    struct Failing: GCodable {
      var fails: Bool
      init(_ fails: Bool) { self.fails = fails }
      func encode(to encoder: GEncoder) throws { try encoder.encode(fails) }
      init(from decoder: GDecoder) throws {
        fails = try decoder.decode()
        if fails { throw GCodableError(.invalidValue, "it fails") }
      }
    }
    struct Record: Fieldwise {
      var name = String(repeating: "long", count: 10)
      var object: CountedInstance?
      var number = 1
      var last: Failing
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("name", \Self.name)
        list.addOptional("object", \Self.object)
        list.add("number", \Self.number)
        list.add("last", \Self.last)
      }
    }
    for failing in [0, 1, 9] {
      do {
        let records = (0..<10).map { Record(object: CountedInstance(), last: Failing($0 == failing)) }
        let bytes: Bytes = try GraphEncoder().encode(records)
        let error = #expect(throws: GCodableError.self) {
          try GraphDecoder().decode([Record].self, from: bytes)
        }
        #expect(error?.keyPath.prefix(2) == ["[\(failing)]", "last"], "\(failing)")
      }
      #expect(CountedInstance.count == 0)
    }
  }

  @Test func errorsOfEncodingNameTheField() throws {
    struct Failing: GCodable {
      var fails: Bool
      init(_ fails: Bool) { self.fails = fails }
      func encode(to encoder: GEncoder) throws {
        if fails { throw GCodableError(.invalidValue, "it fails") }
      }
      init(from decoder: GDecoder) throws { fails = false }
    }
    struct Record: Fieldwise {
      var number = 1
      var last: Failing
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("number", \Self.number)
        list.add("last", \Self.last)
      }
    }
    for failing in [0, 1, 9] {
      let records = (0..<10).map { Record(last: Failing($0 == failing)) }
      let error = #expect(throws: GCodableError.self) { try GraphEncoder().encode(records) as Bytes }
      #expect(error?.keyPath == ["last"], "\(failing)")
    }
  }

  @Test func stoppedStreamsAreErrors() throws {
    let values = (0..<50).map { Now(id: $0, name: "name \($0)", size: nil, count: $0, tags: ["a"]) }
    let bytes: Bytes = try GraphEncoder().encode(values)
    #expect(try GraphDecoder().decode([Now].self, from: bytes) == values)
    for count in 0..<bytes.count {
      #expect(throws: GCodableError.self) {
        try GraphDecoder().decode([Now].self, from: Bytes(bytes[..<count]))
      }
    }
  }

  @Test func incompleteListsEndTheProgram() async {
    await #expect(processExitsWith: .failure) {
      struct Incomplete: Fieldwise {
        var first = 1
        var second = "two"
        static func _graphAddFields(to list: inout _GraphFieldList) throws { list.add("first", \Self.first) }
      }
      _ = try GraphEncoder().encode(Incomplete()) as Bytes
    }
    await #expect(processExitsWith: .failure) {
      struct Gap: Fieldwise {
        var first = 1
        lazy var second = 2
        var third = 3.0
        static func _graphAddFields(to list: inout _GraphFieldList) throws {
          list.add("first", \Self.first)
          list.add("third", \Self.third)
        }
      }
      _ = try GraphEncoder().encode(Gap()) as Bytes
    }
  }
}
