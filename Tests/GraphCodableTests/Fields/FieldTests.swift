import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Fields")
struct FieldTests {
  @Test func keyedFieldsComeBackInTheOrderTheyWereEncoded() throws {
    let bytes = try script {
      try $0.encode(1, for: Letter.a)
      try $0.encode("two", for: Letter.b)
      try $0.encode(3.5, for: Letter.c)
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(Int.self, for: Letter.a) == 1)
      try #expect($0.decode(String.self, for: Letter.b) == "two")
      try #expect($0.decode(Double.self, for: Letter.c) == 3.5)
    }
  }

  @Test func keyedFieldsComeBackInReverseOrder() throws {
    let bytes = try script { encoder in
      for (index, key) in Letter.allCases.enumerated() { try encoder.encode(index * 1000, for: key) }
    }
    try Reading.decode(bytes) { decoder in
      for (index, key) in Letter.allCases.enumerated().reversed() {
        try #expect(decoder.decode(Int.self, for: key) == index * 1000)
      }
    }
  }

  @Test func unrequestedFieldsAreSkipped() throws {
    let inner = Script {
      try $0.encode([1, 2, 3], for: Letter.a)
      try $0.encode("text", for: Letter.b)
      try $0.encode(["k": [1.5]], for: Letter.c)
    }
    let bytes = try script {
      try $0.encode(inner, for: Letter.a)
      try $0.encode(inner)
      try $0.encode([inner, inner], for: Letter.b)
      try $0.encode(Optional(inner), for: Letter.c)
      try $0.encode(42, for: Letter.d)
    }
    try Reading.decode(bytes) { try #expect($0.decode(Int.self, for: Letter.d) == 42) }
    try Reading.decode(bytes) { _ in }
  }

  @Test func aRecordThatIsLeftHalfReadDoesNotDisturbTheNextOne() throws {
    let inner = Script {
      try $0.encode(1, for: Letter.a)
      try $0.encode("abc", for: Letter.b)
      try $0.encode([4, 5], for: Letter.c)
    }
    let bytes = try script {
      try $0.encode(inner)
      try $0.encode(inner, for: Letter.x)
      try $0.encode("end")
    }
    try Reading.decode(bytes) { decoder in
      try Reading.nested(decoder, { try #expect($0.decode(String.self, for: Letter.b) == "abc") }) {
        _ = try decoder.decode(Reading.self)
        _ = try decoder.decode(Reading.self, for: Letter.x)
      }
      try #expect(decoder.decode(String.self) == "end")
    }
  }

  @Test func unkeyedFieldsComeBackInOrderWhateverTheKeysDo() throws {
    let bytes = try script {
      try $0.encode(1)
      try $0.encode("a", for: Letter.a)
      try $0.encode(2)
      try $0.encode("b", for: Letter.b)
      try $0.encode(3)
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(String.self, for: Letter.b) == "b")
      #expect($0.unkeyedCount == 3)
      try #expect($0.decode(Int.self) == 1)
      try #expect($0.decode(Int.self) == 2)
      try #expect($0.decode(String.self, for: Letter.a) == "a")
      #expect($0.unkeyedCount == 1)
      try #expect($0.decode(Int.self) == 3)
      #expect($0.unkeyedCount == 0)
    }
  }

  @Test func aDecodedValueIsTakenFromTheBasket() throws {
    let bytes = try script { try $0.encode(1, for: Letter.a) }
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.contains(Letter.a))
      try #expect(!decoder.contains(Letter.b))
      try #expect(decoder.decode(Int.self, for: Letter.a) == 1)
      try #expect(!decoder.contains(Letter.a))
      let error = #expect(throws: GCodableError.self) { try decoder.decode(Int.self, for: Letter.a) }
      #expect(error?.code == .keyNotFound)
    }
  }

  @Test func containsDoesNotMoveTheDecoder() throws {
    let bytes = try script {
      try $0.encodeIfPresent(Optional(1), for: Letter.a)
      try $0.encode(2)
      try $0.encodeIfPresent(Int?.none, for: Letter.b)
      try $0.encode("c", for: Letter.c)
    }
    try Reading.decode(bytes) {
      try #expect($0.contains(Letter.c))
      try #expect(!$0.contains(Letter.b))
      try #expect($0.contains(Letter.a))
      #expect($0.unkeyedCount == 1)
      try #expect($0.decode(Int?.self, for: Letter.a) == 1)
      try #expect($0.decode(Int.self) == 2)
      try #expect($0.decode(String.self, for: Letter.c) == "c")
    }
  }

  @Test func decodingMoreUnkeyedValuesThanThereAreThrows() throws {
    let bytes = try script { try $0.encode(1) }
    try Reading.decode(bytes) { decoder in
      _ = try decoder.decode(Int.self)
      let error = #expect(throws: GCodableError.self) { try decoder.decode(Int.self) }
      #expect(error?.code == .valueNotFound)
    }
  }

  @Test func anEmptyRecordComesBack() throws {
    let bytes = try script { _ in }
    try Reading.decode(bytes) {
      #expect($0.unkeyedCount == 0)
      try #expect(!$0.contains(Letter.a))
    }
    try Reading.decode(try script { for _ in 0..<3 { try $0.encode(Script { _ in }) } }) { decoder in
      #expect(decoder.unkeyedCount == 3)
      try Reading.nested(decoder, { #expect($0.unkeyedCount == 0) }) {
        for _ in 0..<3 { _ = try decoder.decode(Reading.self) }
      }
    }
  }
}

@Suite("Keys")
struct KeyTests {
  @Test func aKeyUsedTwiceThrows() throws {
    for count in [0, 10, 300] {
      let error = #expect(throws: GCodableError.self) {
        _ = try script {
          try $0.encode(1, for: Letter.a)
          for _ in 0..<count { try $0.encode(0) }
          try $0.encode(2, for: Letter.a)
        }
      }
      #expect(error?.code == .duplicateKey)
      #expect(error?.description.contains("\"a\"") == true)
    }
  }

  @Test func aKeyUsedTwiceThrowsEvenIfTheErrorIsCaught() throws {
    let error = #expect(throws: GCodableError.self) {
      _ = try script {
        try $0.encode(1, for: Letter.a)
        try? $0.encode(2, for: Letter.a)
        try? $0.encode(3, for: Letter.b)
      }
    }
    #expect(error?.code == .duplicateKey)
  }

  @Test func keysOfDifferentTypesWithOneNameAreOneKey() throws {
    let error = #expect(throws: GCodableError.self) {
      _ = try script {
        try $0.encode(1, for: Letter.a)
        try $0.encode(2, for: OtherLetter.a)
      }
    }
    #expect(error?.code == .duplicateKey)

    let bytes = try script { encoder in
      for _ in 0..<3 {
        try encoder.encode(
          Script {
            try $0.encode(1, for: Letter.a)
            try $0.encode(2, for: OtherLetter.b)
            try $0.encode(3, for: NameKey("c"))
          })
      }
    }
    try Reading.decode(bytes) { decoder in
      let readings: [(GDecoder) throws -> Void] = [
        {
          try #expect($0.decode(Int.self, for: OtherLetter.a) == 1)
          try #expect($0.decode(Int.self, for: NameKey("b")) == 2)
          try #expect($0.decode(Int.self, for: Letter.c) == 3)
        },
        {
          try #expect($0.decode(Int.self, for: OtherLetter.c) == 3)
          try #expect($0.decode(Int.self, for: Letter.b) == 2)
          try #expect($0.decode(Int.self, for: OnlyKey.a) == 1)
        },
        {
          try #expect($0.decode(Int.self, for: NameKey("a")) == 1)
          try #expect($0.decode(Int.self, for: OtherLetter.b) == 2)
          try #expect($0.decode(Int.self, for: OtherLetter.c) == 3)
        },
      ]
      for reading in readings {
        try Reading.nested(decoder, reading) { _ = try decoder.decode(Reading.self) }
      }
    }
  }

  @Test func anEnumOfOneCaseIsAKey() throws {
    let bytes = try script {
      try $0.encode("only", for: OnlyKey.a)
      try $0.encode(1)
    }
    try Reading.decode(bytes) {
      try #expect($0.contains(OnlyKey.a))
      try #expect($0.decode(Int.self) == 1)
      try #expect($0.decode(String.self, for: OnlyKey.a) == "only")
    }
  }

  @Test func anEnumOfMoreThan256CasesIsAKey() throws {
    #expect(MemoryLayout<ManyKeys>.size == 2)
    let picked = [0, 1, 44, 255, 256, 299].map { ManyKeys.allCases[$0] }
    let bytes = try script { for key in picked { try $0.encode(key.rawValue, for: key) } }
    try Reading.decode(bytes) {
      for key in picked { try #expect($0.decode(String.self, for: key) == key.rawValue) }
    }
    try Reading.decode(bytes) {
      for key in picked.reversed() { try #expect($0.decode(String.self, for: key) == key.rawValue) }
    }
  }

  @Test func namesOfAnyTextAreKeys() throws {
    let names = ["", " ", "a\0b", "é", "🜁", "nodes[3].name", String(repeating: "k", count: 5000)]
    let bytes = try script { for name in names { try $0.encode(name, for: NameKey(name)) } }
    try Reading.decode(bytes) { decoder in
      for name in names.reversed() { try #expect(decoder.decode(String.self, for: NameKey(name)) == name) }
    }
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let (composed, decomposed) = (NameKey("\u{E9}"), NameKey("e\u{301}"))
    let bytes = try script {
      try $0.encode(1, for: composed)
      try $0.encode(2, for: decomposed)
    }
    try Reading.decode(bytes) { decoder in
      try #expect(decoder.decode(Int.self, for: decomposed) == 2)
      try #expect(decoder.decode(Int.self, for: composed) == 1)
    }
    let keyCount = try GraphArchive(bytes).info.keyCount
    #expect(keyCount == 2)
    let one = try script { try $0.encode(1, for: composed) }
    try Reading.decode(one) { try #expect(!$0.contains(decomposed)) }
  }

  @Test func aSuperclassAndItsSubclassHaveKeysOfTheirOwn() throws {
    let copy = try roundTrip([Base(name: "base"), Derived(name: "derived", size: 7)])
    #expect(type(of: copy[0]) == Base.self)
    let derived = try #require(copy[1] as? Derived)
    #expect(derived.name == "derived")
    #expect(derived.size == 7)
  }

  @Test func aSubclassThatUsesAKeyOfItsSuperclassThrows() throws {
    let error = #expect(throws: GCodableError.self) { try encoded(Clashing(name: "x", size: 1)) }
    #expect(error?.code == .duplicateKey)
    #expect(error?.typeName?.contains("Clashing") == true)
  }
}

private enum BaseKey: String { case name }

class Base: GCodable {
  let name: String

  init(name: String) { self.name = name }

  required init(from decoder: GDecoder) throws { name = try decoder.decode(for: BaseKey.name) }

  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: BaseKey.name) }
}

class Derived: Base {
  private enum Key: String { case size }

  let size: Int

  init(name: String, size: Int) {
    self.size = size
    super.init(name: name)
  }

  required init(from decoder: GDecoder) throws {
    size = try decoder.decode(for: Key.size)
    try super.init(from: decoder)
  }

  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(size, for: Key.size)
  }
}

final class Clashing: Derived {
  private enum Key: String { case name }

  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(1, for: Key.name)
  }
}
