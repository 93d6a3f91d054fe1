import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Optionals")
struct OptionalTests {
  @Test func nilAndSomeAreDifferentAtEveryLevel() throws {
    let values: [Int???] = [nil, .some(nil), .some(.some(nil)), .some(.some(.some(5)))]
    try #expect(roundTrip(values) == values)
    for value in values {
      let bytes = try script {
        try $0.encode(value, for: Letter.a)
        try $0.encode(value)
        try $0.encode(9, for: Letter.b)
      }
      try Reading.decode(bytes) {
        try #expect($0.decode(Int.self, for: Letter.b) == 9)
        try #expect($0.decode(Int???.self) == value)
        try #expect($0.decode(Int???.self, for: Letter.a) == value)
      }
      try #expect(roundTrip(value) == value)
    }
  }

  @Test func optionalsOfEveryShapeComeBack() throws {
    try #expect(roundTrip([1.5, nil, -0.5] as [Double?]) == [1.5, nil, -0.5])
    try #expect(roundTrip(["a": nil, "b": "c"] as [String: String?]) == ["a": nil, "b": "c"])
    try #expect(roundTrip([nil, [1, nil], []] as [[Int?]?]) == [nil, [1, nil], []])
    try #expect(roundTrip(Set<Int?>([nil, 1])) == [nil, 1])
    try #expect(roundTrip([[:], nil, [1: nil]] as [[Int: Bool?]?]) == [[:], nil, [1: nil]])
  }

  @Test func aValueThatIsLeftOutIsNotThere() throws {
    let bytes = try script {
      try $0.encodeIfPresent(Int?.none, for: Letter.a)
      try $0.encodeIfPresent(Optional(2), for: Letter.b)
      try $0.encode(Int?.none, for: Letter.c)
    }
    try Reading.decode(bytes) { decoder in
      try #expect(!decoder.contains(Letter.a))
      try #expect(decoder.contains(Letter.b))
      try #expect(decoder.contains(Letter.c))
      try #expect(decoder.decodeIfPresent(Int.self, for: Letter.a) == nil)
      try #expect(decoder.decodeIfPresent(Int.self, for: Letter.b) == 2)
      try #expect(decoder.decodeIfPresent(Int.self, for: Letter.c) == nil)
      try #expect(decoder.decodeIfPresent(Int.self, for: Letter.d) == nil)
    }
  }

  @Test func askingForAValueThatIsLeftOutThrowsAsForOneThatWasNeverThere() throws {
    let bytes = try script {
      try $0.encodeIfPresent(Int?.none, for: Letter.a)
      try $0.encode(1, for: Letter.b)
    }
    try Reading.decode(bytes) { decoder in
      let error = #expect(throws: GCodableError.self) { try decoder.decode(Int.self, for: Letter.a) }
      #expect(error.map { [.keyNotFound, .valueNotFound].contains($0.code) } == true)
    }
  }

  @Test func nilInPlaceOfARequestedValueThrows() throws {
    let bytes = try script { try $0.encode(Int?.none, for: Letter.a) }
    let error = #expect(throws: GCodableError.self) {
      try Reading.decode(bytes) { _ = try $0.decode(Int.self, for: Letter.a) }
    }
    #expect(error?.code == .valueNotFound)
    #expect(error?.keyPathDescription == "a")
  }

  @Test func aValueDecodesAsAnOptionalAndAnOptionalThatHasOneAsItsValue() throws {
    let bytes = try script {
      try $0.encode(1, for: Letter.a)
      try $0.encode(Optional(2), for: Letter.b)
      try $0.encode([1, 2, 3] as [Int8], for: Letter.c)
    }
    try Reading.decode(bytes) {
      try #expect($0.decode(Int?.self, for: Letter.a) == 1)
      try #expect($0.decode(Int.self, for: Letter.b) == 2)
      try #expect($0.decode([Int8]?.self, for: Letter.c) == [1, 2, 3])
    }
  }

  @Test func optionalObjectsKeepTheirIdentity() throws {
    let shared = Base(name: "shared")
    let copy = try roundTrip([shared, nil, shared] as [Base?])
    #expect(copy[0]?.name == "shared")
    #expect(copy[0] === copy[2])
    #expect(copy[1] == nil)
  }
}
