import GraphCodable
import Testing

/// A file of Tests/Corpus/streams.
struct MessagesCase: Sendable, CustomTestStringConvertible {
  /// The rule of Documentation/Format.md that it breaks; nil if it is valid.
  let rule: String?
  let name: String
  let reason: String
  let bytes: Bytes

  var file: String { (rule.map { $0.lowercased() + "-" } ?? "") + name + ".gclog" }
  var testDescription: String { file }

  private init(_ name: String, _ draft: DraftMessages) {
    (rule, self.name, reason, bytes) = (nil, name, "", draft.bytes)
  }

  private init(
    _ rule: String, _ name: String, _ reason: String, _ frames: [Frame],
    _ change: (inout DraftMessages) -> Void = { _ in }
  ) {
    (self.rule, self.name, self.reason) = (rule, name, reason)
    bytes = DraftMessages(frames, change).bytes
  }

  private typealias Frame = DraftMessages.Frame

  /// Flags, and the fields, which have new keys.
  private static func shape(_ kinds: UInt8...) -> Bytes { [16] + varint(UInt64(kinds.count)) + kinds }

  /// A record of the first shape: a step and a name.
  private static func event(_ step: Int64, _ name: String) -> Bytes {
    join([Kind.record], varint(1), zigzag(step), text(name))
  }

  private static let events = Frame.tables(
    metadata: [("program", "corpus")], keys: ["step", "name"], shapes: [shape(Kind.int64, Kind.string)])
  private static let first = Frame.messages([event(0, "a"), event(-1, "b")], number: 0)
  private static let additions = Frame.tables(
    2, number: 2, revision: 2, keys: ["x", "next"],
    shapes: [shape(Kind.float64), join([1 | 16], varint(1), [Kind.reference])])

  static let valid: [MessagesCase] = [
    MessagesCase("stream-not-begun", DraftMessages([]) { $0.changeStream = { $0 = Array($0.prefix(20)) } }),
    MessagesCase("stream-empty", DraftMessages([])),
    MessagesCase(
      "stream-events",
      DraftMessages([events, first, .messages([event(300, String(repeating: "c", count: 200))], number: 2)])),
    MessagesCase(
      "stream-additions",
      DraftMessages([
        events, first, additions,
        .messages([join([Kind.record], varint(2), float64(0.5))], number: 2, revision: 2),
        .messages([event(1, "of an earlier revision")], number: 3),
        .tables(
          number: 4, revision: 2, metadata: [("program", "corpus")], keys: ["step", "name", "x", "next"],
          shapes: [
            shape(Kind.int64, Kind.string), shape(Kind.float64), join([1 | 16], varint(1), [Kind.reference]),
          ]),
        .messages([event(2, "behind all tables")], number: 4, revision: 2),
        .tables(number: 5, revision: 3, since: 3, keys: ["y"], shapes: [shape(Kind.bool)]),
        .messages([join([Kind.record], varint(1), [1])], number: 5, revision: 3),
      ])),
    MessagesCase(
      "stream-objects",
      DraftMessages([
        events, first, additions,
        .messages(
          [
            varint(0) + event(7, "no object"),
            // Two objects that refer to each other, by the third shape.
            join(
              varint(2), varint(0), counted(varint(2) + varint(2)), [Kind.reference], varint(0), varint(3),
              varint(1), varint(3), varint(0)),
            // The same, of which the second comes first.
            join(
              varint(2), varint(3), counted(joined([varint(2), varint(2), varint(1), varint(0)])),
              [Kind.reference], varint(1),
              varint(3), varint(0), varint(3), varint(1)),
          ], flags: 1, number: 2, revision: 2),
      ])),
    MessagesCase(
      "stream-archive",
      DraftMessages([
        .tables(), Frame(kind: 4, count: 1, number: 0, body: Draft(join([Kind.int64], zigzag(-3))).bytes),
      ])),
    MessagesCase(
      "stream-what-may-be-ignored",
      DraftMessages([
        events, Frame(kind: 128, flags: 0xFF, count: 0, number: 0, body: [1, 2, 3]),
        Frame(flags: 0xF0, reserved: 9, count: 1, number: 0, body: counted(event(0, "a"))),
        Frame(kind: 255, count: 0, number: 1),
      ])),
    MessagesCase(
      "stream-extensions",
      DraftMessages([
        .tables(
          extensions: [(2, [1, 2, 3]), (1 << 40, [])], keys: ["step", "name"],
          shapes: [shape(Kind.int64, Kind.string)]), first,
        .tables(2, number: 2, revision: 2, extensions: [(4, [])], keys: ["x"], shapes: [shape(Kind.float64)]),
        .messages([join([Kind.record], varint(2), float64(0.5))], number: 2, revision: 2),
      ])),
    MessagesCase(
      "stream-incomplete-frame",
      DraftMessages([events, first, .messages([event(2, "cut")], number: 2)]) {
        $0.changeStream = { $0.removeLast(3) }
      }),
    MessagesCase(
      "stream-frames-in-a-message",
      DraftMessages([
        .tables(),
        .messages(
          [
            join(
              [Kind.binary], varint(0), counted(DraftMessages([events, first]) { $0.identifier = 1 }.bytes))
          ], number: 0),
      ])),
  ]

  static let invalid: [MessagesCase] = [
    MessagesCase("M1", "version-3", "version 3 of the stream", [events, first]) { $0.version = 3 },
    MessagesCase("M1", "feature-0", "a feature that must be understood", [events, first]) { $0.features = 1 },
    MessagesCase("M2", "magic", "another magic", [events, first]) { $0.magic = Bytes("gcstrean".utf8) },
    MessagesCase(
      "M3", "length-too-large", "a message that is longer than its frame",
      [
        events, Frame(body: varint(100) + event(0, "a")),
      ]),
    MessagesCase("M3", "length-zero", "a message of no bytes", [events, Frame(body: varint(0))]),
    MessagesCase(
      "M3", "bytes-left", "a frame that goes on behind its messages",
      [
        events, Frame(body: counted(event(0, "a")) + [1]),
      ]),
    MessagesCase(
      "M3", "too-few-messages", "a frame of more messages than it has",
      [
        events, Frame(count: 2, body: counted(event(0, "a"))),
      ]),
    MessagesCase(
      "M3", "two-archives", "an archive that is two messages",
      [
        events, Frame(kind: 4, count: 2, body: Draft([Kind.bool, 1]).bytes),
      ]),
    MessagesCase(
      "C16", "extension-1", "tables with an extension that must be understood",
      [.tables(extensions: [(2, []), (1, [5])]), .messages([[Kind.bool, 1]], number: 0)]),
    MessagesCase(
      "C16", "extension-3", "additions with an extension that must be understood",
      [events, first, .tables(2, number: 2, revision: 2, extensions: [(3, [])])]),
    MessagesCase("M4", "flag-objects", "tables with the flag of objects", [.tables(flags: 2)]),
    MessagesCase("M4", "bytes-behind", "bytes behind the tables", [.tables(rest: [1])]),
    MessagesCase("M4", "since-later", "tables for messages of a later revision", [.tables(since: 2)]),
    MessagesCase(
      "M5", "kind-5", "a kind of frame that must be understood", [events, Frame(kind: 5, count: 0), first]),
    MessagesCase(
      "M5", "flag-2", "a flag that must be understood",
      [events, Frame(flags: 2, body: counted(event(0, "a")))]),
    MessagesCase(
      "M5", "version-2", "version 2 of a frame", [events, Frame(version: 2, body: counted(event(0, "a")))]),
    MessagesCase("M6", "header", "a changed bit in the header", [events, first]) {
      $0.changeStream = { $0[20] ^= 1 }
    },
    MessagesCase(
      "M6", "frame", "a changed bit in a frame", [events, first, .messages([event(2, "c")], number: 2)]
    ) {
      $0.changeStream = { $0[$0.count - 70] ^= 1 }
    },
    MessagesCase(
      "M6", "bytes-between", "bytes between frames",
      [
        events, Frame(body: counted(event(0, "a")), front: [0, 0, 0]),
      ]),
    MessagesCase(
      "M6", "frame-missing", "a number that leaves out messages",
      [
        events, first, .messages([event(2, "c")], number: 5),
      ]),
    MessagesCase(
      "M6", "number-twice", "a number for the second time",
      [
        events, first, .messages([event(2, "c")], number: 1),
      ]),
    MessagesCase(
      "M6", "tables-missing", "messages of a revision that no tables make",
      [
        events, first, .messages([event(2, "c")], number: 2, revision: 2),
      ]),
  ]

  /// What the reader that knows only the document says; nil if it accepts the file.
  var refusal: Refusal? {
    do {
      _ = try PlainMessages(bytes)
      return nil
    } catch { return error as? Refusal }
  }

  /// The files of the folder, by path.
  static func files() throws -> [String: Bytes] {
    var files: [String: Bytes] = [:]
    for item in valid {
      files["streams/\(item.file)"] = item.bytes
      files["streams/\(item.name).json"] = try Bytes(PlainMessages(item.bytes).json.text.utf8)
    }
    for item in invalid { files["streams/\(item.file)"] = item.bytes }
    files["streams/invalid.json"] = Bytes(
      JSON.list(
        invalid.map { item in
          .object([
            ("file", .string(item.file)), ("rule", .string(item.rule ?? "")),
            ("reason", .string(item.reason)),
            ("offset", .number("\(item.refusal?.place ?? 0)")),
          ])
        }
      ).text.utf8)
    return files
  }
}
