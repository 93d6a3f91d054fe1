import Foundation
import GraphCodable
import GraphCodableTestSupport

/// A value with a field of every kind, decoded in another order than encoded.
struct KitchenSink: GCodable {
  var integers: (Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64) = (-1, -2, -3, -4, 5, 6, 7, 8)
  var floats: (Float, Double) = (1.5, -2.5)
  var flag = true
  var text = "text of more than fifteen bytes"
  var short = "short"
  var list: [String] = []
  var packed: [Float] = []
  var set: Set<Int16> = []
  var dictionary: [String: [Int]] = [:]
  var data = Data()
  var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  var date = Date(timeIntervalSinceReferenceDate: 1e8)
  var url = URL(string: "https://example.org/a?b#c")
  var vector = SIMD3<Float>(1, 2, 3)
  var range = 3..<9
  var character: Character = "é"
  var object: Base?
  var objects: [Base] = []
  var tagged: [Tagged] = []
  var nested: [KitchenSink] = []

  static func sample() -> KitchenSink {
    var inner = KitchenSink()
    let shared = Derived(name: "shared", size: 3)
    inner.object = shared
    inner.list = ["a", "bc", ""]
    inner.tagged = [Tagged(1, "one"), Tagged(2, "two")]
    var outer = inner
    outer.nested = [inner, KitchenSink()]
    outer.packed = [1, 2, 3]
    outer.set = [5]
    outer.dictionary = ["key": [1, 2]]
    outer.data = Data([1, 2, 3])
    outer.objects = [shared, Base(name: "base"), shared]
    return outer
  }

  init() {}

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(integers.0, for: Letter.a)
    try encoder.encode(integers.1)
    try encoder.encode(integers.2)
    try encoder.encode(integers.3)
    try encoder.encode(integers.4)
    try encoder.encode(integers.5)
    try encoder.encode(integers.6)
    try encoder.encode(integers.7)
    try encoder.encode(floats.0, for: Letter.b)
    try encoder.encode(floats.1, for: Letter.c)
    try encoder.encode(flag, for: Letter.d)
    try encoder.encode(text, for: Letter.e)
    try encoder.encode(short, for: Letter.f)
    try encoder.encode(list, for: Letter.g)
    try encoder.encode(packed, for: Letter.h)
    try encoder.encode(set, for: Letter.i)
    try encoder.encode(dictionary, for: Letter.j)
    try encoder.encode(data, for: Letter.k)
    try encoder.encode(uuid, for: Letter.l)
    try encoder.encode(date, for: Letter.m)
    try encoder.encodeIfPresent(url, for: Letter.n)
    try encoder.encode(vector, for: Letter.o)
    try encoder.encode(range, for: Letter.p)
    try encoder.encode(character, for: Letter.q)
    try encoder.encode(object, for: Letter.r)
    try encoder.encode(objects, for: Letter.s)
    try encoder.encode(tagged, for: Letter.t)
    try encoder.encode(nested, for: Letter.u)
  }

  init(from decoder: GDecoder) throws {
    nested = try decoder.decode(for: Letter.u)
    objects = try decoder.decode(for: Letter.s)
    object = try decoder.decode(for: Letter.r)
    integers.0 = try decoder.decode(for: Letter.a)
    integers.1 = try decoder.decode()
    integers.2 = try decoder.decode()
    integers.3 = try decoder.decode()
    integers.4 = try decoder.decode()
    integers.5 = try decoder.decode()
    integers.6 = try decoder.decode()
    integers.7 = try decoder.decode()
    floats = (try decoder.decode(for: Letter.b), try decoder.decode(for: Letter.c))
    flag = try decoder.decode(for: Letter.d)
    text = try decoder.decode(for: Letter.e)
    short = try decoder.decode(for: Letter.f)
    list = try decoder.decode(for: Letter.g)
    packed = try decoder.decode(for: Letter.h)
    set = try decoder.decode(for: Letter.i)
    dictionary = try decoder.decode(for: Letter.j)
    data = try decoder.decode(for: Letter.k)
    uuid = try decoder.decode(for: Letter.l)
    date = try decoder.decode(for: Letter.m)
    url = try decoder.decodeIfPresent(for: Letter.n)
    vector = try decoder.decode(for: Letter.o)
    range = try decoder.decode(for: Letter.p)
    character = try decoder.decode(for: Letter.q)
    tagged = try decoder.decode(for: Letter.t)
  }
}
