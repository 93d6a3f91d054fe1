import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Values inside values: on any stack, up to a limit that both sides know.
@Suite("Nested values")
struct NestingTests {
  /// A list of structs inside structs.
  struct Nest: GCodable {
    var inner: [Nest]
    init(depth: Int) {
      inner = []
      for _ in 0..<depth { inner = [Nest(inner)] }
    }
    private init(_ inner: [Nest]) { self.inner = inner }
    func encode(to encoder: GEncoder) throws { try encoder.encode(inner, for: Letter.i) }
    init(from decoder: GDecoder) throws { inner = try decoder.decode(for: Letter.i) }
    /// Takes a nest apart, level by level, and counts them.
    static func takeApart(_ nest: consuming Nest) -> Int {
      var (depth, inner) = (0, nest.inner)
      nest.inner = []
      while let next = inner.first { (depth, inner) = (depth + 1, next.inner) }
      return depth
    }
  }

  indirect enum List: GCodable {
    case end
    case item(Int, List)
    init(from decoder: GDecoder) throws {
      self =
        try decoder.contains(Letter.a)
        ? .item(decoder.decode(for: Letter.a), decoder.decode(for: Letter.b)) : .end
    }
    func encode(to encoder: GEncoder) throws {
      guard case .item(let value, let rest) = self else { return }
      try encoder.encode(value, for: Letter.a)
      try encoder.encode(rest, for: Letter.b)
    }

    init(count: Int) {
      self = .end
      for number in 0..<count { self = .item(number, self) }
    }

    /// Takes a list apart, item by item, and counts those that are what `init(count:)` makes.
    ///
    /// Swift itself would release it recursively.
    static func takeApart(_ list: inout List, expecting count: Int) -> Int {
      var good = 0
      while case .item(let number, let rest) = list {
        if number == count - good - 1 { good += 1 }
        list = rest
      }
      return good
    }
  }

  /// Each item decodes what lies behind the rest of the list first.
  indirect enum Backwards: GCodable {
    case end
    case item(Int, Backwards)
    init(from decoder: GDecoder) throws {
      self = .end
      guard try decoder.contains(Letter.a) else { return }
      let value: Int = try decoder.decode(for: Letter.a)
      self = .item(value, try decoder.decode(for: Letter.b))
    }
    func encode(to encoder: GEncoder) throws {
      guard case .item(let value, let rest) = self else { return }
      try encoder.encode(rest, for: Letter.b)
      try encoder.encode(value, for: Letter.a)
    }
  }

  /// Searching past the rest again at each level would take quadratic time, minutes here.
  @Test func deepValuesMayBeDecodedInAnyOrder() throws {
    let count = 20_000
    var list = Backwards.end
    for number in 0..<count { list = .item(number, list) }
    var copy = try roundTrip(list, depth: .max)
    for number in (0..<count).reversed() {
      guard case .item(number, let rest) = copy, case .item(_, let ownRest) = list else {
        Issue.record("item \(number) is another")
        return
      }
      (copy, list) = (rest, ownRest)
    }
  }

  /// The numbers of their shapes take two bytes, which is known before the first of them ends.
  @Test func deepValuesAfterManyShapesComeBack() throws {
    struct Many: GCodable {
      var list: List
      init(_ list: List) { self.list = list }
      func encode(to encoder: GEncoder) throws {
        for number in 0..<150 { try encoder.encode(OneField(number)) }
        try encoder.encode(list)
      }
      init(from decoder: GDecoder) throws {
        for _ in 0..<150 { let _: OneField = try decoder.decode() }
        list = try decoder.decode()
      }
    }
    /// A value of its own shape for each number.
    struct OneField: GCodable {
      struct Name: RawRepresentable { var rawValue: String }
      var number: Int
      init(_ number: Int) { self.number = number }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode(number, for: Name(rawValue: "field \(number)"))
      }
      init(from decoder: GDecoder) throws { number = 0 }
    }
    var copy = try roundTrip(Many(List(count: 20_000)), depth: .max).list
    #expect(List.takeApart(&copy, expecting: 20_000) == 20_000)
  }

  static let stacks = [64 << 10, 512 << 10, 8 << 20]

  @Test(arguments: stacks) func anIndirectListComesBackOnAnyStack(stack: Int) throws {
    let count = Effort.of(30_000, thorough: 100_000)
    let good = try onThread(stackByteCount: stack) { () -> [Int] in
      var list = List(count: count)
      let bytes = try encoded(list, depth: .max)
      var copy = try decoded(List.self, from: bytes, depth: .max)
      return [List.takeApart(&list, expecting: count), List.takeApart(&copy, expecting: count)]
    }
    #expect(good == [count, count])
  }

  @Test(arguments: stacks) func arraysNestTenThousandDeep(stack: Int) throws {
    let nest = Nest(depth: 10_000)
    let bytes = try onThread(stackByteCount: stack) { try encoded(nest, depth: .max) }
    let depth = try onThread(stackByteCount: stack) {
      Nest.takeApart(try decoded(Nest.self, from: bytes, depth: .max))
    }
    #expect(depth == 10_000)
    #expect(Nest.takeApart(nest) == 10_000)
  }

  @Test func anEndlessValueThrowsWhenItIsEncoded() throws {
    struct Endless: GEncodable {
      func encode(to encoder: GEncoder) throws { try encoder.encode(Endless(), for: Letter.a) }
    }
    struct EndlessArrays: GEncodable {
      func encode(to encoder: GEncoder) throws { try encoder.encode([[Optional(EndlessArrays())]]) }
    }
    let errors = try onThread(stackByteCount: 512 << 10) { () -> [GCodableError?] in
      func failure(_ value: some GEncodable) -> GCodableError? {
        guard case .failure(let error) = Result(catching: { try encoded(value, depth: .max) }) else {
          return nil
        }
        return error as? GCodableError
      }
      return [failure(Endless()), failure(EndlessArrays())]
    }
    #expect(errors.map { $0?.code } == [.limitExceeded, .limitExceeded])
    #expect(errors.allSatisfy { ($0?.keyPath.count ?? .max) <= 100 })
  }

  /// A value with another one inside it, made when it is encoded and dropped when it is decoded, so that
  /// only the coders use the stack.
  struct Depth: GCodable {
    var depth: Int
    init(_ depth: Int) { self.depth = depth }
    func encode(to encoder: GEncoder) throws {
      if depth > 0 { try encoder.encode(Depth(depth - 1), for: Letter.a) }
    }
    init(from decoder: GDecoder) throws {
      depth = try decoder.decodeIfPresent(Depth.self, for: Letter.a).map { $0.depth + 1 } ?? 0
    }
  }

  private func code(_ body: () throws -> Void) -> GCodableError.Code? {
    do { try body() } catch { return (error as? GCodableError)?.code }
    return nil
  }

  /// As many records inside each other as there may be, and one more.
  @Test(arguments: Effort.of([512 << 10], thorough: [512 << 10, 8 << 20]))
  func bothSidesRefuseOneLevelTooMany(stack: Int) throws {
    let deepest = Int(Nesting.maximumDepth) - 1  // `Depth(0)` is a record, too.
    let bytes = try onThread(stackByteCount: stack) { try encoded(Depth(deepest), depth: .max) }
    let depth = try onThread(stackByteCount: stack) {
      try decoded(Depth.self, from: bytes, depth: .max).depth
    }
    #expect(depth == deepest)

    let errors = try onThread(stackByteCount: stack) { () -> [GCodableError?] in
      // Each level is the number of one and the same shape, but for the innermost.
      let forge = try Forge(bytes)
      var stream = try forge.stream()
      stream.insert(stream[2], at: 2)
      let forged = try forge.replacingStream(with: stream)
      func failure(_ body: () throws -> Void) -> GCodableError? {
        do { try body() } catch { return error as? GCodableError }
        return nil
      }
      return [
        failure { _ = try encoded(Depth(deepest + 1), depth: .max) },
        failure { _ = try decoded(Depth.self, from: forged, depth: .max) },
        // Skipped instead of decoded.
        failure { try Reading.decode(forged) { try #expect(!$0.contains(Letter.z)) } },
      ]
    }
    #expect(errors.map(\.?.code) == [.limitExceeded, .limitExceeded, .limitExceeded])
    #expect(Set(errors.map { $0?.context.debugDescription }).count == 1)
  }

  /// Containers whose elements are boxed by an option nest as deep on both sides.
  @Test(arguments: [GraphEncoder.Options.tryHashableIdentityAtFirst, .disableIdentity])
  func whatIsEncodedIsDecoded(_ options: GraphEncoder.Options) throws {
    let bytes = try onThread(stackByteCount: 512 << 10) {
      try encoded(Depth(20_000), options, depth: .max)
    }
    let depth = try onThread(stackByteCount: 512 << 10) {
      try decoded(Depth.self, from: bytes, depth: .max).depth
    }
    #expect(depth == 20_000)
  }

  /// Values beyond the border of two stacks, and an error from there.
  @Test func errorsComeBackFromOtherStacks() throws {
    struct Bad: GCodable {
      var depth: Int
      init(_ depth: Int) { self.depth = depth }
      func encode(to encoder: GEncoder) throws {
        if depth > 0 { try encoder.encode(Bad(depth - 1), for: Letter.a) }
      }
      init(from decoder: GDecoder) throws {
        guard let inner = try decoder.decodeIfPresent(Bad.self, for: Letter.a) else {
          throw GCodableError(.invalidValue, "thrown at the bottom")
        }
        depth = inner.depth + 1
      }
    }
    let error = try onThread(stackByteCount: 512 << 10) { () -> GCodableError? in
      do { _ = try roundTrip(Bad(30_000), depth: .max) } catch { return error as? GCodableError }
      return nil
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.keyPath.first == "a")
    #expect(error?.keyPath.last == "a")
  }

  /// The elements of data units may be of the type around them.
  @Test func dataUnitsNestAsDeepAsOtherValues() throws {
    struct Unit: GBinaryCodable {
      var depth: Int
      init(_ depth: Int) { self.depth = depth }
      func write(to wbuffer: inout BinaryWriteBuffer) throws {
        try (depth == 0 ? nil : Unit(depth - 1)).write(to: &wbuffer)
      }
      init(from rbuffer: inout BinaryReadBuffer) throws {
        depth = try Unit?(from: &rbuffer).map { $0.depth + 1 } ?? 0
      }
    }
    let deepest = Int(Nesting.maximumDepth)
    let results = try onThread(stackByteCount: 512 << 10) {
      (
        try roundTrip(Unit(deepest), depth: .max).depth,
        code { _ = try encoded(Unit(deepest + 1), depth: .max) }
      )
    }
    #expect(results.0 == deepest)
    #expect(results.1 == .limitExceeded)
  }

  @Test func aDumpGoesAsDeepAsValuesDo() throws {
    let bytes = try encoded(Depth(5000), depth: .max)
    let text = try onThread(stackByteCount: 512 << 10) { try GraphDecoder().dump(from: bytes) }
    #expect(text.split(separator: "\n").count > 10_000)
  }

  /// Chains of objects that are stored without a class of their own: decoded by the type that asks.
  @Test func aLongChainOfAnonymousObjectsComesBack() throws {
    let count = 20_000
    let bytes = try onThread(stackByteCount: 8 << 20) {
      let chain = Link.chain(count)
      defer { chain.breakUp() }
      return try encoded(chain, .disableInheritance)
    }
    let decodedCount = try onThread(stackByteCount: 512 << 10) { () -> Int in
      guard let copy = try? decoded(Link.self, from: bytes) else { return -1 }
      defer { copy.breakUp() }
      return copy.checkedCount
    }
    #expect(decodedCount == count)
  }

  /// Values with an identity are objects to the encoder, so they may be as deep as those.
  @Test func aLongChainOfIdentifiedValuesComesBack() throws {
    let count = 20_000
    let bytes = try onThread(stackByteCount: 512 << 10) { try encoded(Counter(count)) }
    let number = try onThread(stackByteCount: 512 << 10) {
      (try? decoded(Counter.self, from: bytes, depth: .max))?.number
    }
    #expect(number == count)
  }

  /// A value whose next one is made when it is encoded, so that no chain is ever in memory.
  struct Counter: GCodable, GIdentifiable {
    var number: Int
    var gcodableID: Int? { number }
    init(_ number: Int) { self.number = number }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number)
      if number > 0 { try encoder.encode(Counter(number - 1)) }
    }
    init(from decoder: GDecoder) throws {
      number = try decoder.decode()
      guard number > 0 else { return }
      guard try decoder.decode(Counter.self).number == number - 1 else {
        throw GCodableError(.invalidValue, "another number")
      }
    }
  }
}
