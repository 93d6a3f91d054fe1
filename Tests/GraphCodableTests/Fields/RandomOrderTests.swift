import GraphCodable
import GraphCodableTestSupport
import Testing

/// Records of random fields, decoded in random order with fields left out, against a plain model of what
/// must come out.
@Suite("Fields in any order")
struct RandomOrderTests {
  indirect enum Item {
    case int(Int), text(String), double(Double), missing, none, list([Int]), record(Record), object(Base)
  }

  final class Record {
    var fields: [(key: String?, item: Item)] = []
    var isEnumKeyed = false
  }

  @Test(arguments: [(seed: 10, count: 3000, fields: 8), (seed: 11, count: 40, fields: 700)])
  func requestedValuesComeBack(seed: Int, count: Int, fields: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<count {
      let record = Self.record(&random, fields: 1 + random.below(fields), depth: 2)
      // Several of them, so that the later ones follow shapes that are known.
      let bytes = try script { encoder in
        for _ in 0..<3 { try encoder.encode(Script { try Self.encode(record, $0) }) }
      }
      try Reading.decode(bytes) { decoder in
        for _ in 0..<3 {
          try Reading.nested(decoder, { try Self.check(record, $0, &random) }) {
            _ = try decoder.decode(Reading.self)
          }
        }
      }
    }
  }

  static func record(_ random: inout SplitMix64, fields: Int, depth: Int) -> Record {
    let record = Record()
    record.isEnumKeyed = fields <= 26 && random.once(in: 2)
    var names = record.isEnumKeyed ? Letter.allCases.map(\.rawValue) : (0..<fields).map { "key\($0)" }
    names.shuffle(using: &random)
    for index in 0..<fields {
      let key = random.once(in: 3) ? nil : names[index]
      record.fields.append((key, item(&random, isKeyed: key != nil, depth: depth)))
    }
    return record
  }

  static func item(_ random: inout SplitMix64, isKeyed: Bool, depth: Int) -> Item {
    switch random.below(depth > 0 ? 9 : 7) {
    case 0: .int(random.below(1 << 50))
    case 1: .text(String(repeating: "t", count: random.below(40)))
    case 2: .double(Double(random.below(1000)))
    case 3: isKeyed ? .missing : .none
    case 4: .none
    case 5: .list((0..<random.below(6)).map { _ in random.below(500) })
    case 6: .object(Base(name: "object \(random.below(100))"))
    default: .record(record(&random, fields: 1 + random.below(6), depth: depth - 1))
    }
  }

  static func encode(_ record: Record, _ encoder: GEncoder) throws {
    func put(_ value: some GEncodable, _ key: String?) throws {
      guard let key else { return try encoder.encode(value) }
      if record.isEnumKeyed, let letter = Letter(rawValue: key) {
        try encoder.encode(value, for: letter)
      } else {
        try encoder.encode(value, for: NameKey(key))
      }
    }
    for (key, item) in record.fields {
      switch item {
      case .int(let value): try put(value, key)
      case .text(let value): try put(value, key)
      case .double(let value): try put(value, key)
      case .missing: try encoder.encodeIfPresent(Int?.none, for: NameKey(key ?? ""))
      case .none: try put(String?.none, key)
      case .list(let value): try put(value, key)
      case .object(let value): try put(value, key)
      case .record(let value): try put(Script { try encode(value, $0) }, key)
      }
    }
  }

  static func check(_ record: Record, _ decoder: GDecoder, _ random: inout SplitMix64) throws {
    var unkeyed = record.fields.filter { $0.key == nil }.map(\.item)[...]
    var keyed = record.fields.filter { $0.key != nil }
    if !random.once(in: 4) { keyed.shuffle(using: &random) }
    if random.once(in: 3) { keyed.removeLast(random.below(keyed.count + 1)) }
    if random.once(in: 3) { unkeyed.removeLast(random.below(unkeyed.count + 1)) }
    let left = record.fields.count { $0.key == nil } - unkeyed.count
    while !keyed.isEmpty || !unkeyed.isEmpty {
      if random.once(in: 3) { #expect(decoder.unkeyedCount == unkeyed.count + left) }
      if !unkeyed.isEmpty, keyed.isEmpty || random.once(in: 2) {
        try check(unkeyed.removeFirst(), nil, record, decoder, &random)
      } else {
        let (key, item) = keyed.removeLast()
        guard let key else { continue }
        if random.once(in: 3) {
          let isThere = if case .missing = item { false } else { true }
          try #expect(contains(key, record, decoder) == isThere)
        }
        try check(item, key, record, decoder, &random)
        if random.once(in: 5) { try #expect(!contains(key, record, decoder)) }
      }
    }
  }

  static func contains(_ key: String, _ record: Record, _ decoder: GDecoder) throws -> Bool {
    if record.isEnumKeyed, let letter = Letter(rawValue: key) { return try decoder.contains(letter) }
    return try decoder.contains(NameKey(key))
  }

  static func check(
    _ item: Item, _ key: String?, _ record: Record, _ decoder: GDecoder, _ random: inout SplitMix64
  ) throws {
    func take<Value: GDecodable>(_ type: Value.Type = Value.self) throws -> Value {
      guard let key else { return try decoder.decode() }
      if record.isEnumKeyed, let letter = Letter(rawValue: key) { return try decoder.decode(for: letter) }
      return try decoder.decode(for: NameKey(key))
    }
    switch item {
    case .int(let value): try #expect(take() == value)
    case .text(let value): try #expect(take() == value)
    case .double(let value): try #expect(take() == value)
    case .missing: try #expect(decoder.decodeIfPresent(Int.self, for: NameKey(key ?? "")) == nil)
    case .none: try #expect(take(String?.self) == nil)
    case .list(let value): try #expect(take() == value)
    case .object(let value): try #expect(take(Base.self).name == value.name)
    case .record(let value):
      var inner = random
      try Reading.nested(decoder, { try check(value, $0, &inner) }) { _ = try take(Reading.self) }
      random = inner
    }
  }
}
