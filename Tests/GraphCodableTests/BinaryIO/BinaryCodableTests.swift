import GraphCodable
import GraphCodableTestSupport
import Testing

/// Types that write their own bytes, as parts of a graph.
@Suite("Types that write their own bytes")
struct BinaryCodableTests {
  @Test func valueIsTheSameAgainWhereverItStands() throws {
    let point = BinaryPoint(x: 3, y: -4)
    #expect(try roundTrip(point) == point)
    #expect(try roundTrip([point, point]) == [point, point])
    #expect(try roundTrip([point, nil]) == [point, nil])
    #expect(try roundTrip(["a": point]) == ["a": point])
  }

  @Test func instanceKeepsIdentityAndClass() throws {
    let shared = BinaryPolygon(side: 3)
    let objects = try roundTrip([shared, BinarySquare(side: 2), shared])
    #expect(objects.map(\.side) == [3, 2, 3])
    #expect(objects[0] === objects[2])
    #expect(type(of: objects[1]) == BinarySquare.self)
  }

  @Test(arguments: [
    GraphEncoder.Options.disableIdentity, .disableInheritance, .mimicSwiftCodable,
    .disableAutoObjectIdentifierIdentityForReferences,
  ])
  func instanceWithoutIdentityOrClassIsStillOneUnit(options: GraphEncoder.Options) throws {
    let shared = BinaryPolygon(side: 3)
    let bytes = try GraphEncoder(options).encode([shared, BinarySquare(side: 2), shared]) as Bytes
    let objects = try GraphDecoder().decode([BinaryPolygon].self, from: bytes)
    #expect(objects.map(\.side) == [3, 2, 3])
    #expect((objects[0] === objects[2]) == (options == .disableInheritance))
    #expect((type(of: objects[1]) == BinarySquare.self) == !options.contains(.disableInheritance))
  }

  @Test func elementsWithoutBytesAreLimited() throws {
    func read(_ count: Int) throws -> Int {
      var written = BinaryWriteBuffer()
      count.write(to: &written)
      var buffer = BinaryReadBuffer(written.bytes)
      return try [BinaryNothing](from: &buffer).count
    }
    #expect(try read(1 << 20) == 1 << 20)
    let error = #expect(throws: GCodableError.self) { try read((1 << 20) + 1) }
    #expect(error?.code == .malformed)
  }

  @Test func userInfoReachesTheBuffersOfBothSides() throws {
    let encoder = GraphEncoder()
    encoder.userInfo[.offset] = 100
    let decoder = GraphDecoder()
    decoder.userInfo[.offset] = 1000
    func coded<Value: GCodable>(_ value: Value) throws -> Value {
      try decoder.decode(Value.self, from: encoder.encode(value) as Bytes)
    }
    #expect(try coded(BinaryShifted(number: 5)).number == 1105)
    #expect(try coded(["a": [BinaryShifted(number: 5)]])["a"]?.first?.number == 1105)
    #expect(try coded(Set([5]).map { BinaryShifted(number: $0) }).first?.number == 1105)
    #expect(try coded(BinaryShifted?.some(BinaryShifted(number: 5)))?.number == 1105)
  }

  @Test func bufferWithoutACoderHasTheUserInfoThatItIsMadeWith() throws {
    var written = BinaryWriteBuffer(userInfo: [.offset: 100])
    try BinaryShifted(number: 5).write(to: &written)
    var buffer = BinaryReadBuffer(written.bytes)
    #expect(buffer.userInfo.isEmpty)
    #expect(try BinaryShifted(from: &buffer).number == 105)
  }

  @Test func instanceThatDisablesInheritanceIsStillOneUnit() throws {
    let object = BinaryAnonymous(side: 5)
    #expect(try roundTrip([object]).map(\.side) == [5])
  }
}

/// A value that writes its own bytes.
struct BinaryPoint: GBinaryCodable, Equatable {
  var x: Int32
  var y: Int32

  init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

  init(from rbuffer: inout BinaryReadBuffer) throws {
    x = try Int32(from: &rbuffer)
    y = try Int32(from: &rbuffer)
  }

  func write(to wbuffer: inout BinaryWriteBuffer) throws {
    x.write(to: &wbuffer)
    y.write(to: &wbuffer)
  }
}

/// A class whose instances write their own bytes.
class BinaryPolygon: GBinaryCodable {
  let side: Int

  init(side: Int) { self.side = side }

  required init(from rbuffer: inout BinaryReadBuffer) throws { side = try Int(from: &rbuffer) }

  func write(to wbuffer: inout BinaryWriteBuffer) throws { side.write(to: &wbuffer) }
}

final class BinarySquare: BinaryPolygon {}

final class BinaryAnonymous: BinaryPolygon, GInheritance {
  var disableInheritance: Bool { true }
}

extension CodingUserInfoKey {
  fileprivate static let offset = CodingUserInfoKey(rawValue: "offset")!
}

/// A number that is shifted on each way, containers of which are one data unit.
private struct BinaryShifted: GPackCodable {
  var number: Int

  init(number: Int) { self.number = number }

  init(from rbuffer: inout BinaryReadBuffer) throws {
    number = try Int(from: &rbuffer) + (rbuffer.userInfo[.offset] as? Int ?? 0)
  }

  func write(to wbuffer: inout BinaryWriteBuffer) throws {
    (number + (wbuffer.userInfo[.offset] as? Int ?? 0)).write(to: &wbuffer)
  }
}

/// A type that takes no bytes.
struct BinaryNothing: BinaryIOType {
  init(from rbuffer: inout BinaryReadBuffer) throws {}
  func write(to wbuffer: inout BinaryWriteBuffer) throws {}
}
