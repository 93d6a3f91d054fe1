import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Swift releases what is inside a value recursively: what comes back can be released on any thread, and what does not
/// come back is.
@Suite("Limit of depth", .serialized)
struct DepthLimitTests {
  typealias List = NestingTests.List
  typealias Nest = NestingTests.Nest

  enum JSON: GCodable {
    case number(Int)
    indirect case list([JSON])
    indirect case object([String: JSON])

    init(depth: Int) {
      self = .number(1)
      for level in 0..<depth { self = level.isMultiple(of: 2) ? .list([self]) : .object(["a": self]) }
    }
    init(from decoder: GDecoder) throws {
      self =
        if let list = try decoder.decodeIfPresent([JSON].self, for: Letter.l) {
          .list(list)
        } else if let object = try decoder.decodeIfPresent([String: JSON].self, for: Letter.o) {
          .object(object)
        } else {
          .number(try decoder.decode(for: Letter.n))
        }
    }
    func encode(to encoder: GEncoder) throws {
      switch self {
      case .number(let number): try encoder.encode(number, for: Letter.n)
      case .list(let list): try encoder.encode(list, for: Letter.l)
      case .object(let object): try encoder.encode(object, for: Letter.o)
      }
    }
  }

  struct Onion: Codable {
    var inner: [Onion]
    init(depth: Int) { inner = depth == 0 ? [] : [Onion(depth: depth - 1)] }
  }

  static let limit = GraphDecoder.Limits().depth

  /// As deep as the default limit allows, and dropped where they were decoded.
  @Test func whatComesBackIsReleasedOnASmallStack() async {
    await #expect(processExitsWith: .success) {
      try onThread(stackByteCount: 512 << 10) {
        for _ in 0..<10 {
          _ = try roundTrip(List(count: DepthLimitTests.limit - 1))
          _ = try roundTrip(Nest(depth: DepthLimitTests.limit / 2 - 1))
          _ = try roundTrip(JSON(depth: DepthLimitTests.limit / 2 - 1))
          _ = try codableCopy(Onion(depth: DepthLimitTests.limit / 2 - 1))
        }
      }
    }
  }

  @Test func bothSidesRefuseWhatIsDeeper() throws {
    let bytes = try encoded(List(count: Self.limit), depth: .max)
    for body in [{ _ = try encoded(List(count: Self.limit)) }, { _ = try decoded(List.self, from: bytes) }] {
      let error = #expect(throws: GCodableError.self, performing: body)
      #expect(error?.code == .limitExceeded)
      #expect(error?.context.debugDescription.contains("GraphDecoder.limits.depth") == true)
    }
  }

  /// A list that comes back, and an error behind it.
  struct Late: GDecodable {
    var list: List
    init(from decoder: GDecoder) throws {
      list = try decoder.decode(for: Letter.a)
      throw CancellationError()
    }
  }

  struct LateCodable: Decodable {
    var onion: Onion
    enum Keys: CodingKey { case onion }
    init(from decoder: any Decoder) throws {
      onion = try decoder.container(keyedBy: Keys.self).decode(Onion.self, forKey: .onion)
      throw CancellationError()
    }
  }

  /// Calls `body` with a stack that has room for some, but not for a deep value.
  private static func expectError(_ body: @escaping () throws -> Void) throws {
    let hasFailed = try onThread(stackByteCount: 512 << 10) {
      do { try body() } catch { return true }
      return false
    }
    #expect(hasFailed)
  }

  @Test func whatAnInitializerThrowsAwayIsReleased() async {
    await #expect(processExitsWith: .success) {
      let bytes = try onThread(stackByteCount: 256 << 20) {
        try script(depth: .max) { try $0.encode(List(count: 100_000), for: Letter.a) }
      }
      try Self.expectError { _ = try decoded(Late.self, from: bytes, depth: .max) }
      let other = try onThread(stackByteCount: 256 << 20) {
        try Scripted.archive(depth: .max) {
          var container = $0.container(keyedBy: LateCodable.Keys.self)
          try container.encode(Onion(depth: 30_000), forKey: .onion)
        }
      }
      try Self.expectError {
        let decoder = GraphDecoder()
        decoder.limits.depth = .max
        _ = try decoder.decode(codable: LateCodable.self, from: other)
      }
    }
  }

  @Test func whatTheDecoderThrowsAwayIsReleased() async {
    await #expect(processExitsWith: .success) {
      let bytes = try onThread(stackByteCount: 256 << 20) {
        try encoded(List(count: 100_000), compression: .none, depth: .max)
      }
      // A byte behind the root.
      let forge = try Forge(bytes)
      let forged = try forge.replacingStream(with: forge.stream() + [0])
      try Self.expectError { _ = try decoded(List.self, from: forged, depth: .max) }
      // A list of lists, the last of which is none.
      let lists = try onThread(stackByteCount: 256 << 20) {
        try script(depth: .max) {
          try $0.encode(List(count: 100_000), for: Letter.a)
          try $0.encode([OneList(count: 50_000), OneList(count: -1)])
        }
      }
      try Self.expectError {
        try Reading.decode(lists, depth: .max) { let _: [OneList] = try $0.decode() }
      }
      // Work that is cancelled when it is done.
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).graph")
      defer { try? FileManager.default.removeItem(at: url) }
      try Data(bytes).write(to: url)
      try Self.expectError {
        let decoder = GraphDecoder()
        decoder.limits.depth = .max
        _ = try decoder.read(Cancelling.self, from: url, progress: Cancelling.progress)
      }
    }
  }

  struct OneList: GCodable {
    struct Failure: Error {}
    var list: List
    var isBad = false
    init(count: Int) { (list, isBad) = (List(count: max(count, 0)), count < 0) }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(list, for: Letter.a)
      try encoder.encode(isBad, for: Letter.b)
    }
    init(from decoder: GDecoder) throws {
      (list, isBad) = (try decoder.decode(for: Letter.a), try decoder.decode(for: Letter.b))
      if isBad { throw Failure() }
    }
  }

  /// A list that has cancelled its own decoding.
  struct Cancelling: GDecodable {
    static let progress = Progress(totalUnitCount: 1)
    var list: List
    init(from decoder: GDecoder) throws {
      list = try List(from: decoder)
      Self.progress.cancel()
    }
  }

  final class Holder: GCodable {
    var next: [[Holder]] = []
    let number: Int
    init(_ number: Int) { self.number = number }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Letter.n)
      try encoder.encode(next, for: Letter.o)
    }
    init(from decoder: GDecoder) throws {
      number = try decoder.decode(for: Letter.n)
      try decoder.deferDecode(for: Letter.o) { [unowned self] in self.next = $0 }
      if number < 0 { throw CancellationError() }
    }
  }

  /// Objects that are held by values of others, in no order.
  @Test func objectsInsideDeepValuesAreReleased() async {
    await #expect(processExitsWith: .success) {
      var random = SplitMix64(seed: 1)
      let holders = (0..<20_000).map { Holder($0) }
      let order = holders.shuffled(using: &random)
      for index in 1..<order.count { order[index - 1].next = [[order[index]]] }
      let bytes = try encoded(holders + [Holder(-1)])
      for holder in holders { holder.next = [] }
      try Self.expectError { _ = try decoded([Holder].self, from: bytes) }
    }
  }

  // MARK: By way of references

  struct Boxed: GCodable, GIdentifiable {
    var number: Int
    var next: [Boxed] = []
    var gcodableID: Int? { number }
    init(_ number: Int) { self.number = number }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(number, for: Letter.n)
      // Made when it is encoded, so that no chain is in memory.
      try encoder.encode(number > 0 ? [Boxed(number - 1)] : [], for: Letter.o)
    }
    init(from decoder: GDecoder) throws {
      (number, next) = (try decoder.decode(for: Letter.n), try decoder.decode(for: Letter.o))
    }
  }

  /// Each is an object, but lies in the value that refers to it.
  @Test func valuesWithAnIdentityNestAsOthersDo() throws {
    let error = try onThread(stackByteCount: 512 << 10) {
      let few = try roundTrip(Boxed(Self.limit / 2 - 1))
      guard few.number == Self.limit / 2 - 1 else { return nil as GCodableError? }
      do { _ = try roundTrip(Boxed(20_000)) } catch { return error as? GCodableError }
      return nil
    }
    #expect(error?.code == .limitExceeded)
  }

  struct Copy: Decodable {
    var next: [Copy]
  }

  /// The last one first, so that no more than one is made at a time.
  @Test func objectsThatAreDecodedAsStructsNestAsOthersDo() throws {
    let nodes = (0..<20_000).map { _ in CodableLinearityTests.Node([]) }
    for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = [next] }
    defer { for node in nodes { node.next = [] } }
    let bytes = try GraphEncoder().encode(codable: Array(nodes.reversed())) as Bytes
    let error = #expect(throws: GCodableError.self) {
      try GraphDecoder().decode(codable: [Copy].self, from: bytes)
    }
    #expect(error?.code == .limitExceeded)
  }

  // MARK: Foundation

  @Test func aPersonsNameHasFewRepresentations() throws {
    func name(_ depth: Int) -> PersonNameComponents {
      var name = PersonNameComponents()
      for level in 0..<depth {
        var outer = PersonNameComponents()
        outer.givenName = "\(level)"
        outer.phoneticRepresentation = name
        name = outer
      }
      return name
    }
    try #expect(roundTrip(name(15)) == name(15))
    #expect(throws: GCodableError.self) { try encoded(name(16)) }

    func nested(_ depth: Int) -> Script {
      Script { encoder in
        guard depth > 0 else { return }
        try encoder.encode(nested(depth - 1), for: NameKey("phoneticRepresentation"))
      }
    }
    for depth in [16, 1_000, 20_000] {
      let error = try onThread(stackByteCount: 512 << 10) {
        let bytes = try encoded(nested(depth), depth: .max)
        return Result { try decoded(PersonNameComponents.self, from: bytes, depth: .max) }
      }
      let failure = #expect(throws: GCodableError.self) { try error.get() }
      #expect(failure?.code == .invalidValue)
    }
  }
}
