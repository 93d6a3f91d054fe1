import GraphCodableMacros
import Testing

@propertyWrapper @GCodable struct Clamped: Equatable {
  private var value: Int
  @GIgnored private(set) var setCount = 0
  var wrappedValue: Int {
    get { value }
    set {
      value = min(max(newValue, 0), 10)
      setCount += 1
    }
  }
  init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 10) }
}

@propertyWrapper @GCodable struct Tracked<Value> {
  var wrappedValue: Value
  var limit: Int
  init(wrappedValue: Value, limit: Int) { (self.wrappedValue, self.limit) = (wrappedValue, limit) }
}

@GCodable struct Settings {
  @Clamped var level: Int
  @Clamped var volume = 3
  @Tracked(limit: 7) var name = "n"
  @GKey("ratio") @Clamped var scale: Int
}

@GCodable struct LazyFields {
  var name: String
  var values: GLazy<[Double]>
  var more: GLazy<[Int]>?
}

@Suite("@GCodable: property wrappers")
struct WrapperShapeTests {
  @Test func wrappersAreStoredWithAllThatTheyHold() throws {
    var settings = Settings(level: 4, scale: 5)
    settings.name = "other"
    let decoded = try copy(settings)
    #expect(decoded.level == 4 && decoded.volume == 3 && decoded.scale == 5 && decoded.name == "other")
    #expect(try keys(settings) == ["level", "volume", "name", "ratio"])
  }

  @Test func wrappersWithInitialValuesMayBeMissing() throws {
    let old = try bytes(
      ByHand.Older(fields: [("level", Clamped(wrappedValue: 1)), ("ratio", Clamped(wrappedValue: 2))]))
    let decoded = try GraphDecoder().decode(Settings.self, from: old)
    #expect(decoded.level == 1 && decoded.scale == 2 && decoded.volume == 3 && decoded.name == "n")
  }

  @Test func lazyFieldsAreLeftInTheArchive() throws {
    let numbers = (0..<5_000).map { Double($0) }
    let fields = LazyFields(name: "a", values: GLazy(numbers), more: GLazy([1, 2]))
    let decoded = try GraphArchive(bytes(fields)).decode(LazyFields.self)
    #expect(!decoded.values.isLoaded)
    try #expect(decoded.values.get() == numbers && decoded.more?.get() == [1, 2])
    try #expect(bytes(decoded) == bytes(fields))
  }
}
