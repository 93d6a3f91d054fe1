import CyclicCoding
import Foundation
import Testing

/// Coders let go of what they have held.
@Suite("CyclicCoding: lifetimes")
struct LifetimeTests {
  final class Item: Codable {
    var itself = WeakCycleBreaker<Item>()
    var unowned: [UnownedCycleBreaker<Item>] = []
    var number = 1
    var next: Item?
    init() { itself[] = self }
  }

  @Test func encodedObjectsAreReleased() throws {
    weak var item: Item?
    let flattened = try {
      let new = Item()
      new.next = Item()
      new.unowned = [UnownedCycleBreaker(new)]
      item = new
      return try CyclicEncoder().flatten([new, new])
    }()
    #expect(item == nil)
    weak var copy: Item?
    try {
      let items = try CyclicDecoder().decode([Item].self, from: flattened)
      copy = items[0]
      #expect(copy?.unowned[0][] === items[1] && copy?.itself[] === items[1])
    }()
    #expect(copy == nil)
  }

  @Test func objectsAreReleasedAfterErrors() throws {
    struct Failure: Error {}
    struct Failing: Codable {
      init() {}
      init(from decoder: any Decoder) throws { throw Failure() }
      func encode(to encoder: any Encoder) throws { if encoder.userInfo.isEmpty { throw Failure() } }
    }
    struct Holder: Codable {
      var item: Item
      var failing = Failing()
    }
    weak var item: Item?
    let flattened = try {
      let holder = Holder(item: Item())
      item = holder.item
      #expect(throws: Failure.self) { try CyclicEncoder().flatten(holder) }
      let encoder = CyclicEncoder()
      encoder.userInfo[CodingUserInfoKey(rawValue: "a")!] = 1
      return try encoder.flatten(holder)
    }()
    #expect(item == nil)
    #expect(throws: Failure.self) { try CyclicDecoder().decode(Holder.self, from: flattened) }
  }

  /// Uses a decoder that it has kept when it is released.
  final class Keeper: Codable {
    var itself = WeakCycleBreaker<Keeper>()
    private var decoder: (any Decoder)?
    private var report: ((any Error)?) -> Void = { _ in }

    private enum CodingKeys: CodingKey { case itself }
    static let reportKey = CodingUserInfoKey(rawValue: "report")!

    init() {}

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      report = decoder.userInfo[Self.reportKey] as! ((any Error)?) -> Void
      itself = try decoder.container(keyedBy: CodingKeys.self).decode(
        WeakCycleBreaker<Keeper>.self, forKey: .itself)
    }

    deinit {
      guard let decoder else { return }
      do {
        _ = try decoder.container(keyedBy: CodingKeys.self).decode(
          WeakCycleBreaker<Keeper>.self, forKey: .itself)
        _ = try decoder.singleValueContainer().decode(Keeper.self)
        report(nil)
      } catch { report(error) }
    }
  }

  struct OnlyWeak: Codable {
    var keeper: WeakCycleBreaker<Keeper>
  }

  @Test func aDecoderThatADeinitUsesThrows() throws {
    let (keeper, other) = (Keeper(), Keeper())
    keeper.itself[] = other
    let flattened = try CyclicEncoder().flatten(OnlyWeak(keeper: WeakCycleBreaker(keeper)))
    let decoder = CyclicDecoder()
    var errors: [(any Error)?] = []
    decoder.userInfo[Keeper.reportKey] = { errors.append($0) } as ((any Error)?) -> Void
    #expect(try decoder.decode(OnlyWeak.self, from: flattened).keeper[] == nil)
    #expect(errors.count == 2 && errors.allSatisfy { $0 is DecodingError })
    withExtendedLifetime((keeper, other)) {}
  }

  @Test func nestedContainersAreReleasedAfterErrors() throws {
    struct Failure: Error {}
    struct Failing: Encodable {
      enum Key: CodingKey { case a, b, c }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        var list = nested.nestedUnkeyedContainer(forKey: .b)
        try list.encode(1)
        _ = list.superEncoder().container(keyedBy: Key.self)
        // Two that are replaced.
        _ = container.superEncoder(forKey: .c).unkeyedContainer()
        _ = container.superEncoder(forKey: .c)
        try container.encode(2, forKey: .c)
        throw Failure()
      }
    }
    weak var item: Item?
    do {
      let new = Item()
      item = new
      let encoder = CyclicEncoder()
      encoder.userInfo[CodingUserInfoKey(rawValue: "item")!] = new
      #expect(throws: Failure.self) { try encoder.flatten(Failing()) }
      #expect(throws: Failure.self) { try encoder.flatten([Failing()]) }
    }
    #expect(item == nil)
  }
}
