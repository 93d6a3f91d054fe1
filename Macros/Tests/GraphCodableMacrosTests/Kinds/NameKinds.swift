import GraphCodableMacros
import Testing

@GCodable struct Escaped: Equatable {
  var `Type`: Int = 1
  var `self`: Int = 2
  var `Protocol` = "p"
  var `init`: Int = 3
  var `class`: Int = 4
  var `my name`: Int = 5
  var `default`: Int?
  @GKey(was: "old one") var `a b`: [Int] = []
  var größe: Double = 1
}

@GCodable final class EscapedClass {
  var `Type`: Int = 1
  var `self`: Int = 2
  var `my name` = 5
  var `func`: Int?
  weak var `weak`: EscapedClass?
  @Clamped var `wrapped one`: Int = 3
  init() {}
}

@GCodable enum EscapedCases: Equatable {
  case `Type`, `self`
  case `init`(`Type`: Int)
  case `my case`(`my label`: Int, in: Int, `inout`: Int)
  case `default`
  case `class`(`self`: Int, `init`: Int?)
  case none
  case some(Int)
}

@GCodable enum EscapedRaw: String {
  case `Type`
  case `my case`
  case `default` = "d"
}

/// Types that are called like those that the expansion names.
@GCodable struct Shadowing {
  struct String {}
  struct Int {}
  struct Bool {}
  struct Optional {}
  enum Swift {}
  enum GraphCodable {}
  struct GEncoder {}
  struct GDecoder {}
  var x: Double = 1
  var y: Double = made()
  static func made() -> Double { 2 }
}

@GCodable final class ShadowingClass {
  struct String {}
  struct UInt32 {}
  struct Void {}
  enum Swift {}
  enum GraphCodable {}
  struct GEncoder {}
  struct GDecoder {}
  var x: Double = 1
  weak var other: ShadowingClass?
  init() {}
}

@GCodable enum ShadowingCases: Equatable {
  struct String {}
  enum Swift {}
  enum GraphCodable {}
  struct GCodableError {}
  case a(Double)
  case b(x: Float)
}

@GCodable struct ShadowingRecord {
  enum GraphCodable {}
  struct GObject {}
  var fox: any Creature = Fox("f")
}

@GCodable struct NamesOfExpansions: Equatable {
  var encoder = 1
  var decoder = 2
  var name = 3
  var value = 4
  var list = 5
  var key = 6
  var kind = 7
  var made = [number()]
  static func number() -> Int { 1 }
}

@GCodable enum CasesOfExpansions: Equatable {
  case name(name: Int)
  case encoder(encoder: Int, decoder: Int)
  case value0(Int)
  case decoder
  case unknown(Int)
}

@GCodable final class SpelledOptionals {
  var a: Optional<Int>
  var b: Swift.Optional<[Int]>
  let c: Optional<Optional<Int>>
  weak var d: Optional<SpelledOptionals>
  @GDeferred var e: Optional<SpelledOptionals>
  init() { (a, b, c, d, e) = (1, [2], 3, nil, nil) }
}

@GCodable enum Light: Equatable {
  case red
  @available(*, unavailable) case blue
  @available(*, unavailable, renamed: "red") case crimson(Int)
  @available(macOS 99, *) case new(x: Int)
  @available(macOS, unavailable) case linux(y: Int)
  @available(swift, obsoleted: 5) case gone
  @available(*, deprecated) case old(Int)
}

@GCodable enum OnlyPlain: Equatable {
  case red
  @available(*, unavailable) case blue
}

@GCodable struct DeprecatedProperties {
  @available(*, deprecated, message: "use new") var old = 0
  @available(*, deprecated) var older: Int?
  var new = 1
  init() {}
}

@GCodable final class DeprecatedInClass {
  @available(*, deprecated) var old = made()
  var new = 1
  static func made() -> Int { 0 }
  init() {}
}

@available(*, deprecated) @GCodable struct DeprecatedType { var x = 1 }

@GCodable class Gauge {
  var value = 0
  var computed: Int { value }
  init() {}
}

@GCodable final class ObservedGauge: Gauge {
  private(set) var changes = 0
  override var value: Int { didSet { changes += 1 } }
  override var computed: Int { value + 1 }
  override init() { super.init() }
}

@GCodable class MiddleGauge: Gauge {
  override var value: Int {
    willSet {}
    didSet {}
  }
}

@GCodable final class ClampedGauge: MiddleGauge {
  override var value: Int {
    get { super.value }
    set { super.value = min(newValue, 10) }
  }
}

@GCodable class ObservedRoot {
  var value = 0 { didSet { sets += 1 } }
  @GIgnored private(set) var sets = 0
  init() {}
}

@GCodable final class ObservedTwice: ObservedRoot {
  override var value: Int { willSet { wills += 1 } }
  @GIgnored private(set) var wills = 0
  override init() { super.init() }
}

@Suite("@GCodable: names and availability")
struct NameKindTests {
  @Test func escapedPropertiesRoundTrip() throws {
    var value = Escaped()
    (value.Type, value.`self`, value.`init`, value.`my name`, value.`a b`, value.default) = (
      9, 8, 7, 6, [1], 4
    )
    #expect(try copy(value) == value)
    #expect(try keys(value).contains("my name"))
    let object = EscapedClass()
    (object.Type, object.`my name`, object.func, object.weak, object.`wrapped one`) = (3, 6, 1, object, 9)
    let decoded = try copy([object])[0]
    #expect(decoded.Type == 3 && decoded.`my name` == 6 && decoded.func == 1 && decoded.weak === decoded)
    #expect(decoded.`wrapped one` == 9)
  }

  @Test func escapedCasesRoundTrip() throws {
    let all: [EscapedCases] = [
      .Type, .`self`, .`init`(Type: 2), .`my case`(`my label`: 1, in: 2, `inout`: 3), .default,
      .class(self: 1, init: nil), .none, .some(3),
    ]
    #expect(try copy(all) == all)
    let raw: [EscapedRaw] = [.Type, .`my case`, .default]
    #expect(try copy(raw) == raw)
  }

  @Test func typesCalledLikeOursAreNotMistaken() throws {
    #expect(try copy(Shadowing(x: 4)).x == 4)
    #expect(try copy(ShadowingClass()).x == 1)
    #expect(try copy(ShadowingCases.b(x: 2)) == .b(x: 2))
    #expect(try copy(ShadowingRecord()).fox.name == "f")
  }

  @Test func namesOfTheExpansionMayBeUsed() throws {
    #expect(try copy(NamesOfExpansions(name: 8)) == NamesOfExpansions(name: 8))
    for value in [
      CasesOfExpansions.name(name: 3), .encoder(encoder: 1, decoder: 2), .value0(4), .decoder, .unknown(5),
    ] {
      #expect(try copy(value) == value)
    }
  }

  @Test func optionalsThatAreSpelledOutRoundTrip() throws {
    let object = SpelledOptionals()
    (object.d, object.e) = (object, object)
    let decoded = try copy(object)
    #expect(decoded.a == 1 && decoded.b == [2] && decoded.c == 3)
    #expect(decoded.d === decoded && decoded.e === decoded)
    let empty = try GraphDecoder().decode(SpelledOptionals.self, from: bytes(OlderObject([("x", 1)])))
    #expect(empty.a == nil && empty.d == nil && empty.e == nil)
  }

  @Test func casesThatAreNotAvailableAreLeftOut() throws {
    #expect(try copy(OnlyPlain.red) == .red)
    for light in [Light.red, .new(x: 4), .linux(y: 5)] { #expect(try copy(light) == light) }
    #expect(throws: GCodableError.self) { try GraphDecoder().decode(OnlyPlain.self, from: bytes("blue")) }
  }

  @Test func deprecatedPropertiesAreStored() throws {
    var value = DeprecatedProperties()
    value.new = 5
    #expect(try copy(value).new == 5)
    #expect(try keys(value) == ["old", "older", "new"])
    #expect(try keys(DeprecatedInClass()) == ["old", "new"])
  }

  @Test func overridesWithObserversAreStoredBySuperclasses() throws {
    let gauge = ObservedGauge()
    gauge.value = 3
    #expect(try keys(gauge) == ["changes", "value"])
    let decoded = try #require(try copy([gauge] as [Gauge])[0] as? ObservedGauge)
    #expect(decoded.value == 3 && decoded.changes == 1)
    let clamped = ClampedGauge()
    clamped.value = 20
    #expect(try copy(clamped).value == 10)
    let twice = ObservedTwice()
    twice.value = 2
    let copied = try copy(twice)
    #expect(copied.value == 2 && copied.sets == 0 && copied.wills == 0)
  }
}
