import GraphCodable
import Testing

/// A folder of Tests/Corpus/folders: a series in a folder, or a set.
struct FolderCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// The rule of Documentation/Format-3.md that it breaks; nil if it is valid.
  let rule: String?
  let reason: String
  let isSet: Bool
  /// By name.
  let files: [String: Bytes]

  var folder: String { (rule?.lowercased() ?? "valid") + "-" + name }
  var testDescription: String { folder }

  static let all: [FolderCase] = series + sets

  /// The files of all folders, by path, and the list of the folders.
  static var corpusFiles: [String: Bytes] {
    var files: [String: Bytes] = [:]
    for item in all {
      for (name, bytes) in item.files { files["folders/\(item.folder)/\(name)"] = bytes }
    }
    let list = JSON.list(
      all.map { item in
        .object([
          ("folder", .string(item.folder)), ("is", .string(item.isSet ? "set" : "series")),
          ("rule", item.rule.map(JSON.string) ?? .null), ("reason", .string(item.reason)),
        ])
      })
    files["folders/folders.json"] = Bytes(list.text.utf8)
    return files
  }
}

// MARK: Series

extension FolderCase {
  private static func entry(_ about: [String: String]) -> Bytes {
    Draft([Kind.uint8, 7]) { draft in
      draft.metadata = about.map { (utf8("gcseries." + $0), utf8($1)) }.sorted {
        $0.0.lexicographicallyPrecedes($1.0)
      }
    }.bytes
  }

  /// A series of two entries, of which the second says other things.
  private static func series(
    _ rule: String?, _ name: String, _ reason: String, _ change: (inout [String: String]) -> Void = { _ in },
    others: [String: Bytes] = [:]
  ) -> FolderCase {
    var about = ["number": "7", "step": "-20", "time": "1.5e-07", "metadata.run": "a"]
    change(&about)
    let files = [
      "entry-000000000000.gcodable": entry(["number": "0", "step": "0", "time": "nan"]),
      "entry-000000000007.gcodable": entry(about),
    ]
    return FolderCase(
      name: name, rule: rule, reason: reason, isSet: false, files: files.merging(others) { $1 })
  }

  static let series: [FolderCase] = [
    series(nil, "series", "two entries without an index"),
    series(
      nil, "series-beside-other-names", "names of 11 digits, of 13 with a zero in front, and of 2^63 - 1",
      others: [
        "entry-00000000001.gcodable": [1], "entry-0000000000001.gcodable": [1],
        "entry-9223372036854775807.gcodable": [1], "entry-000000000001.gcodable-tmp": [1],
      ]),
    series(
      "F1", "no-archive", "an entry that is text", others: ["entry-000000000009.gcodable": utf8("text")]),
    series("F1", "no-number", "an entry without a number") { $0["number"] = nil },
    series("F1", "other-number", "an entry with the number of another one") { $0["number"] = "8" },
    series("F1", "number-with-zeros", "an entry with the number 07") { $0["number"] = "07" },
    series("F1", "no-step", "an entry without a step") { $0["step"] = nil },
    series("F1", "step-with-plus", "an entry with the step +1") { $0["step"] = "+1" },
    series("F1", "step-with-zeros", "an entry with the step 01") { $0["step"] = "01" },
    series("F1", "step-of-65-bits", "an entry with the step 2^63") { $0["step"] = "9223372036854775808" },
    series("F1", "no-time", "an entry without a time") { $0["time"] = nil },
    series("F1", "hexadecimal-time", "an entry with the time 0x1p3") { $0["time"] = "0x1p3" },
    series("F1", "time-in-words", "an entry with the time infinity") { $0["time"] = "infinity" },
    series("F1", "time-with-a-point", "an entry with the time 1.") { $0["time"] = "1." },
    series("F1", "time-with-plus", "an entry with the time +1") { $0["time"] = "+1" },
    series("F2", "lost", "an index with an entry that is not there", others: ["index.gcodable": index]),
  ]

  private static var index: Bytes {
    let numbers = [UInt64(0), 3, 7]
    func packed(_ scalar: UInt16, _ words: [UInt64]) -> Bytes {
      packedArray(format(scalar), count: UInt64(words.count), joined(words.map { little($0) }))
    }
    let zeros: [UInt64] = [0, 0, 0]
    return Draft(record: [
      ("nextNumber", Kind.int64, zigzag(8)), ("numbers", Kind.packed, packed(4, numbers)),
      ("steps", Kind.packed, packed(4, zeros)), ("times", Kind.packed, packed(11, zeros)),
      ("byteCounts", Kind.packed, packed(8, zeros)), ("hashes", Kind.packed, packed(8, zeros)),
      ("pairCounts", Kind.packed, packed(4, zeros)), ("texts", Kind.array, join([Kind.string], varint(0))),
    ]).bytes
  }
}
