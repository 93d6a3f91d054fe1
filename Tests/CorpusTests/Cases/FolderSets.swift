import GraphCodable

/// The manifest of a set of two parts, field by field.
struct DraftManifest {
  /// Key, kind and value.
  var fields: [ValidCase.Field]
  var arrays: [[ValidCase.Field]]

  init(_ parts: [Bytes]) {
    let names = (0..<2).map { "part-0000\($0)-of-00002.abc.gcodable" }
    fields = [
      ("formatVersion", Kind.int64, zigzag(1)), ("token", Kind.string, text("abc")),
      ("step", Kind.int64, zigzag(3)),
      ("time", Kind.float64, float64(1.5)), ("metadata", Kind.array, Self.strings(["kind", "draft"])),
      ("partNames", Kind.array, Self.strings(names)),
      ("byteCounts", Kind.packed, Self.numbers(parts.map { UInt64($0.count) }, of: 8)),
      (
        "headerHashes", Kind.packed,
        packedArray(format(8), count: 2, joined(parts.map { Bytes($0[32..<40]) }))
      ),
    ]
    arrays = [Self.array("x")]
  }

  /// An array of 4 × 2 elements, two rows in each part.
  static func array(_ name: String) -> [ValidCase.Field] {
    [
      ("name", Kind.string, text(name)), ("shape", Kind.packed, numbers([4, 2])),
      ("parts", Kind.packed, numbers([0, 1])), ("offsets", Kind.packed, numbers([0, 0, 2, 0])),
      ("lengths", Kind.packed, numbers([2, 2, 2, 2])), ("paths", Kind.array, strings(["x"])),
      ("pathNumbers", Kind.packed, numbers([0, 0])),
    ]
  }

  static func strings(_ texts: [String]) -> Bytes {
    join([Kind.string], varint(UInt64(texts.count)), joined(texts.map { text($0) }))
  }

  static func numbers(_ numbers: [UInt64], of scalar: UInt16 = 4) -> Bytes {
    packedArray(format(scalar), count: UInt64(numbers.count), joined(numbers.map { little($0) }))
  }

  /// Replaces the value of a field, or removes the field.
  mutating func set(_ key: String, _ value: Bytes?) { Self.set(&fields, key, value) }

  /// The same in the first array.
  mutating func setOfArray(_ key: String, _ value: Bytes?) { Self.set(&arrays[0], key, value) }

  private static func set(_ fields: inout [ValidCase.Field], _ key: String, _ value: Bytes?) {
    guard let place = fields.firstIndex(where: { $0.0 == key }) else { return }
    if let value { fields[place].2 = value } else { fields.remove(at: place) }
  }

  var bytes: Bytes {
    let list = join(
      [Kind.record], varint(UInt64(arrays.count)), joined(arrays.map { varint(2) + joined($0.map(\.2)) }))
    let all = fields + [("arrays", Kind.array, list)]
    return Draft(join([Kind.record], varint(1), joined(all.map(\.2)))) { draft in
      draft.keys = (all + (arrays.first ?? [])).map { utf8($0.0) }
      draft.shapes = [
        DraftShape(flags: 16, fields: all.map { (nil, $0.1) }),
        DraftShape(flags: 16, fields: (arrays.first ?? []).map { (nil, $0.1) }),
      ]
    }.bytes
  }
}

extension FolderCase {
  private static func part(_ number: Double, rows: UInt64 = 2) -> Bytes {
    let elements = joined((0..<(2 * Int(rows))).map { float64(number + Double($0)) })
    return Draft(record: [
      (
        "x", Kind.nestedPacked,
        Bytes(nestedArray(format(11), .all(rows), .all(2), elements: elements).dropFirst())
      )
    ]).bytes
  }

  private static func set(
    _ rule: String?, _ name: String, _ reason: String, parts: [Bytes] = [part(0), part(4)],
    _ change: (inout DraftManifest) -> Void = { _ in }, files: (inout [String: Bytes]) -> Void = { _ in }
  ) -> FolderCase {
    var manifest = DraftManifest(parts)
    change(&manifest)
    var all = [
      "set.gcodable": manifest.bytes, "part-00000-of-00002.abc.gcodable": parts[0],
      "part-00001-of-00002.abc.gcodable": parts[1],
    ]
    files(&all)
    return FolderCase(name: name, rule: rule, reason: reason, isSet: true, files: all)
  }

  private static func numbers(_ numbers: [UInt64]) -> Bytes { DraftManifest.numbers(numbers) }
  private static func strings(_ texts: [String]) -> Bytes { DraftManifest.strings(texts) }

  static let sets: [FolderCase] = [
    set(nil, "set", "a set of two parts with one array"),
    set("P1", "version-2", "version 2") { $0.set("formatVersion", zigzag(2)) },
    set("P2", "no-step", "a manifest without a step") { $0.set("step", nil) },
    set("P2", "no-token", "a manifest without a token") { $0.set("token", nil) },
    set("P2", "key-without-value", "metadata of one string") { $0.set("metadata", strings(["kind"])) },
    set("P2", "key-twice", "metadata with a key twice") {
      $0.set("metadata", strings(["kind", "a", "other", "b", "kind", "c"]))
    },
    set("P2", "no-parts", "a set of no parts") {
      $0.set("partNames", strings([]))
      for key in ["byteCounts", "headerHashes"] { $0.set(key, numbers([])) }
      $0.arrays = []
    },
    set("P2", "one-hash", "one hash of two parts") { $0.set("headerHashes", numbers([1])) },
    set("P3", "token-of-capitals", "a token of capital letters") { $0.set("token", text("ABC")) },
    set("P3", "name-with-a-folder", "a part in another folder") {
      $0.set(
        "partNames", strings(["../part-00000-of-00002.abc.gcodable", "part-00001-of-00002.abc.gcodable"]))
    },
    set("P3", "name-with-zeros", "names of parts with six digits") {
      $0.set(
        "partNames", strings(["part-000000-of-000002.abc.gcodable", "part-000001-of-000002.abc.gcodable"]))
    },
    set("P4", "name-twice", "two arrays of one name") { $0.arrays.append($0.arrays[0]) },
    set("P4", "no-dimensions", "an array of no dimensions") {
      for key in ["shape", "offsets", "lengths"] { $0.setOfArray(key, numbers([])) }
    },
    set("P4", "negative-length", "a length of -4") {
      $0.setOfArray("shape", numbers([UInt64(bitPattern: -4), 2]))
    },
    set("P4", "one-length-less", "seven lengths and offsets of two pieces") {
      $0.setOfArray("lengths", numbers([2, 2, 2]))
    },
    set("P4", "part-2", "a piece in part 2 of 2") { $0.setOfArray("parts", numbers([0, 2])) },
    set("P4", "path-1", "a piece at path 1 of 1") { $0.setOfArray("pathNumbers", numbers([0, 1])) },
    set("P4", "piece-outside", "a piece that ends behind the array") {
      $0.setOfArray("offsets", numbers([0, 0, 3, 0]))
    },
    set("P4", "pieces-overlap", "two pieces with a row in common") {
      $0.setOfArray("offsets", numbers([0, 0, 1, 0]))
    },
    set("P4", "row-missing", "two pieces that are not all of the array") {
      $0.setOfArray("shape", numbers([5, 2]))
    },
    set(
      "P5", "part-missing", "a part that is not there",
      files: { $0["part-00001-of-00002.abc.gcodable"] = nil }),
    set(
      "P5", "part-of-other-size", "a part with a byte more",
      files: { $0["part-00001-of-00002.abc.gcodable"]?.append(0) }),
    set(
      "P5", "other-part", "a part of another attempt",
      files: { $0["part-00001-of-00002.abc.gcodable"] = part(5) }),
    set(
      "P6", "other-lengths", "an array of three rows for a piece of two", parts: [part(0), part(4, rows: 3)]),
    set("P6", "no-array", "a piece at a path that leads to nothing") {
      $0.setOfArray("paths", strings(["y"]))
    },
  ]
}
