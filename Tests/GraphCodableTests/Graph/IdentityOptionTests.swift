import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Options of identity")
struct IdentityOptionTests {
  /// How many of three references to one object come back as that object.
  private func sharedCount(_ options: GraphEncoder.Options) throws -> Int {
    let object = Base(name: "x")
    let copy = try roundTrip([object, object, object], options)
    #expect(copy.map(\.name) == ["x", "x", "x"])
    return copy.count { $0 === copy[0] }
  }

  private func names(_ options: GraphEncoder.Options) throws -> [String] {
    try roundTrip([Tagged(1, "a"), Tagged(1, "b")], options).map(\.name)
  }

  @Test func withoutOptionsObjectsAndIdentifiedValuesAreShared() throws {
    #expect(try sharedCount([]) == 3)
    #expect(try names([]) == ["a", "a"])
  }

  @Test func disableIdentityDuplicatesAll() throws {
    #expect(try sharedCount(.disableIdentity) == 1)
    #expect(try names(.disableIdentity) == ["a", "b"])
    #expect(try names([.disableIdentity, .tryHashableIdentityAtFirst]) == ["a", "b"])
  }

  @Test func ignoreGIdentifiableProtocolLeavesAddressesAlone() throws {
    #expect(try sharedCount(.ignoreGIdentifiableProtocol) == 3)
    #expect(try names(.ignoreGIdentifiableProtocol) == ["a", "b"])
  }

  @Test func disablingAddressesLeavesGIdentifiableAlone() throws {
    #expect(try sharedCount(.disableAutoObjectIdentifierIdentityForReferences) == 1)
    #expect(try names(.disableAutoObjectIdentifierIdentityForReferences) == ["a", "a"])
  }

  @Test(arguments: [GraphEncoder.Options.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast])
  func hashableValuesAreTheirOwnIdentity(options: GraphEncoder.Options) throws {
    let text = String(repeating: "a long string that is met again and again", count: 100)
    let all = Array(repeating: text, count: 50)
    #expect(try roundTrip(all, options) == all)
    #expect(try encoded(all, options, compression: .none).count < 2 * text.utf8.count)
    #expect(try encoded(all, [], compression: .none).count > 50 * text.utf8.count)

    let mixed: [[String: [Int?]]] = [["a": [1, nil]], [:], ["a": [1, nil]], ["b": []]]
    #expect(try roundTrip(mixed, options) == mixed)
    #expect(try roundTrip(Set([1, 2, 3]), options) == [1, 2, 3])
    #expect(try roundTrip(["x": 1.5, "y": 1.5], options) == ["x": 1.5, "y": 1.5])
    #expect(try roundTrip(Optional("x"), options) == "x")
    #expect(try roundTrip([true, false, true], options) == [true, false, true])
  }

  @Test func hashableIdentityTellsEqualValuesOfDifferentTypesApart() throws {
    let bytes = try encoded(
      Script {
        try $0.encode(1 as Int8)
        try $0.encode(1 as Int)
        try $0.encode(1.0 as Double)
        try $0.encode(1 as UInt8)
        try $0.encode(true)
      }, .tryHashableIdentityAtFirst)
    try Reading.decode(bytes) {
      try #expect($0.decode(Int8.self) == 1)
      try #expect($0.decode(Int.self) == 1)
      try #expect($0.decode(Double.self) == 1)
      try #expect($0.decode(UInt8.self) == 1)
      try #expect($0.decode(Bool.self) == true)
    }
  }

  @Test func hashableIdentityComesBeforeTheAddressOnlyIfItIsTriedFirst() throws {
    let copies = try [GraphEncoder.Options.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast].map {
      try roundTrip([HashedClass(1), HashedClass(1), HashedClass(2)], $0)
    }
    #expect(copies[0][0] === copies[0][1])
    #expect(copies[1][0] !== copies[1][1])
    #expect(copies.allSatisfy { $0.map(\.number) == [1, 1, 2] })
    let last = try roundTrip(
      [HashedClass(1), HashedClass(1)],
      [.tryHashableIdentityAtLast, .disableAutoObjectIdentifierIdentityForReferences])
    #expect(last[0] === last[1])
  }

  @Test func mimicSwiftCodableHasNeitherIdentityNorInheritance() throws {
    let derived = Derived(name: "d", size: 1)
    let copy = try roundTrip([derived, derived] as [Base], .mimicSwiftCodable)
    #expect(copy[0] !== copy[1])
    #expect(copy.allSatisfy { type(of: $0) == Base.self && $0.name == "d" })
  }

  @Test func mimicSwiftCodableRefusesACycleInsteadOfEndingTheProcess() throws {
    let ring = Ring()
    ring.next = ring
    defer { ring.next = nil }
    let error = #expect(throws: GCodableError.self) { try encoded(ring, .mimicSwiftCodable) }
    #expect(error?.code == .limitExceeded)
  }
}

final class HashedClass: GCodable, Hashable {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
  static func == (lhs: HashedClass, rhs: HashedClass) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

final class Ring: GCodable {
  var next: Ring?
  init() {}
  init(from decoder: GDecoder) throws { try decoder.deferDecode { self.next = $0 } }
  func encode(to encoder: GEncoder) throws { try encoder.encode(next) }
}
