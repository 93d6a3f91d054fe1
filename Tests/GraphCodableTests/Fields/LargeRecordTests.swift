import GraphCodable
import GraphCodableTestSupport
import Testing

/// Records with so many fields that searching all of them for each would take seconds.
@Suite("Large records")
struct LargeRecordTests {
  private static let names = (0..<20_000).map { NameKey("key \($0)") }

  /// Otherwise, each would be searched among all of them.
  @Test func fieldsOfLargeRecordsAreFoundInAnyOrder() throws {
    let names = Self.names
    let bytes = try script { encoder in
      for (number, name) in names.enumerated() { try encoder.encode(number, for: name) }
    }
    var random = SplitMix64(seed: 3)
    for order in [Array(names.indices), names.indices.reversed(), names.indices.shuffled(using: &random)] {
      try Reading.decode(bytes) { decoder in
        for number in order { try #expect(decoder.decode(Int.self, for: names[number]) == number) }
        #expect(throws: GCodableError.self) { try decoder.decode(Int.self, for: names[0]) }
      }
    }
  }

  @Test func unkeyedFieldsOfLargeRecordsAreFoundAfterOthers() throws {
    let names = Self.names
    let bytes = try script { encoder in
      for (number, name) in names.enumerated() {
        try encoder.encode(number)
        try encoder.encode(number, for: name)
      }
    }
    try Reading.decode(bytes) { decoder in
      for (number, name) in names.enumerated().reversed() {
        try #expect(decoder.decode(Int.self, for: name) == number)
      }
      for number in names.indices { try #expect(decoder.decode(Int.self) == number) }
    }
  }

  /// After each error the record would be read from its start, and each error would name all keys that are left.
  @Test func errorsOfLargeRecordsAreShort() throws {
    let names = Self.names
    let bytes = try script { encoder in for name in names { try encoder.encode("text", for: name) } }
    try Reading.decode(bytes) { decoder in
      for name in names {
        let error = #expect(throws: GCodableError.self) { try decoder.decode(Int.self, for: name) }
        #expect(error?.code == .typeMismatch)
      }
    }
    try Reading.decode(bytes) { decoder in
      for _ in 0..<names.count / 10 {
        let error = #expect(throws: GCodableError.self) { try decoder.decode(Int.self, for: NameKey("none")) }
        #expect(error?.code == .keyNotFound && (error?.description.utf8.count ?? .max) < 1000)
      }
    }
  }

  @Test func keysOfLargeCodableRecordsAreFoundInAnyOrder() throws {
    let count = 20_000
    let bytes = try Scripted.archive { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for number in 0..<count { try container.encode(number, forKey: AnyKey(stringValue: "key \(number)")) }
    }
    var random = SplitMix64(seed: 3)
    let order = (0..<count).shuffled(using: &random)
    try Scripted.read(bytes) { decoder in
      let container = try decoder.container(keyedBy: AnyKey.self)
      for number in order {
        try #expect(container.decode(Int.self, forKey: AnyKey(stringValue: "key \(number)")) == number)
      }
    }
  }

  /// Each nested container would be searched among those that were made before.
  @Test func manyNestedContainersAreRead() throws {
    let count = 20_000
    let bytes = try Scripted.archive { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for number in 0..<count {
        var nested = container.nestedContainer(
          keyedBy: Key.self, forKey: AnyKey(stringValue: "key \(number)"))
        try nested.encode(number, forKey: .a)
      }
    }
    try Scripted.read(bytes) { decoder in
      let container = try decoder.container(keyedBy: AnyKey.self)
      for _ in 0..<2 {
        for number in 0..<count {
          let nested = try container.nestedContainer(
            keyedBy: Key.self, forKey: AnyKey(stringValue: "key \(number)"))
          try #expect(nested.decode(Int.self, forKey: .a) == number)
        }
      }
    }
  }
}
