import GraphCodable

extension InvalidCase {
  /// An archive with attributes.
  private static func attributes(
    _ name: String, _ reason: String, _ change: (inout Draft) -> Void
  ) -> InvalidCase {
    InvalidCase("C17", "attributes-" + name, reason, root: attributedRoot) {
      $0.attribute()
      change(&$0)
    }
  }

  /// An archive with a directory.
  private static func directory(
    _ rule: String, _ name: String, _ reason: String, _ change: (inout Draft) -> Void
  ) -> InvalidCase {
    InvalidCase(rule, "directory-" + name, reason, root: listedRoot, change)
  }

  private static let sound = Draft().bytes

  /// The first 40 bytes.
  static let headers: [InvalidCase] = [
    InvalidCase("H1", "no-bytes", "a file of no bytes", []),
    InvalidCase("H1", "seven-bytes", "the magic is cut", Bytes(sound.prefix(7))),
    InvalidCase("H1", "other-magic", "the first byte is another") { $0.magic[0] = 0x47 },
    InvalidCase(
      "H1", "text", "a file of text", utf8("gcodabl: this is no archive, whatever it says of itself")),
    InvalidCase("H1", "series", "a series, read as an archive", DraftSeries().bytes),
    InvalidCase("H2", "magic-alone", "nothing behind the magic", Bytes(sound.prefix(8))),
    InvalidCase("H2", "39-bytes", "the header is cut", Bytes(sound.prefix(39))),
    InvalidCase("H3", "changed-bit", "a bit of the header has changed") {
      $0.changeArchive = { $0[20] ^= 1 }
    },
    InvalidCase("H3", "no-hash", "the hash is zero") {
      $0.changeArchive = { $0.replaceSubrange(32..<40, with: Bytes(repeating: 0, count: 8)) }
    },
    InvalidCase("H4", "version-0", "format version 0") { $0.version = 0 },
    InvalidCase("H4", "version-2", "format version 2") { $0.version = 2 },
    InvalidCase("H4", "version-3", "format version 3") { $0.version = 3 },
    InvalidCase("H4", "version-257", "the second byte of the version counts") { $0.version = 0x0101 },
    InvalidCase("H5", "feature-0", "a feature that must be understood") { $0.features = 1 },
    InvalidCase("H5", "feature-2", "a feature that must be understood") { $0.features = 4 },
    InvalidCase("H5", "feature-7", "a feature that must be understood and has no name yet") {
      $0.features = 0x80
    },
    InvalidCase("H5", "feature-1-and-8", "one that must be understood, one that may be ignored") {
      $0.features = 0x0102
    },
    InvalidCase("H6", "one-byte-more", "a byte behind the archive") { $0.changeArchive = { $0.append(0) } },
    InvalidCase("H6", "one-byte-less", "the last byte is missing") { $0.changeArchive = { $0.removeLast() } },
    InvalidCase("H6", "huge-size", "2^64 - 1 bytes") {
      $0.changeHeader = { $0.replaceSubrange(16..<24, with: little(UInt64.max)) }
    },
    InvalidCase("H7", "no-contents", "contents of no bytes") {
      $0.changeHeader = { $0.replaceSubrange(12..<16, with: little(0 as UInt32)) }
    },
    InvalidCase("H7", "contents-in-the-header", "contents that would begin at offset 39") {
      $0.changeHeader = { header in
        let byteCount = header[16..<20].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        header.replaceSubrange(12..<16, with: little(byteCount - 39))
      }
    },
  ]

  /// Contents that end too early, and texts.
  static let contents: [InvalidCase] = [
    InvalidCase("C1", "changed-bit", "a bit of the contents has changed") {
      $0.changeArchive = { $0[$0.count - 1] ^= 1 }
    },
    InvalidCase("C2", "in-order-without-objects", "flag 4 without flag 2") { $0.flags = 4 },
    cut("keys", 2, "end inside a key"),
    cut("classes", 12, "end inside a class"),
    cut("layouts", 26, "end inside a layout"),
    cut("shapes", 31, "end inside a shape"),
    cut("objects", 33, "end in front of the number of objects"),
    InvalidCase("C3", "flags-alone", "contents of one byte") { $0.changeContents = { $0 = [0] } },
    claim("segments", 1, "a number of segments", [1, 0, 0, 0, 0, 0, 0, 0, 0x40]),
    claim("keys", 0, "a number of keys", varint(1 << 40)),
    claim("classes", 8, "a number of classes", join(varint(0), varint(4), Bytes(repeating: 1, count: 11))),
    claim("layouts", 32, "a number of layouts", join(varint(0), varint(4), Bytes(repeating: 1, count: 11))),
    claim("shapes", 0, "a number of shapes", join(varint(0), varint(6), Bytes(repeating: 1, count: 11))),
    claim("fields", 0, "a number of fields", join(varint(0), varint(1), [0], varint(3), [1, 0x10, 1])),
    claim("metadata", 64, "a number of pairs", join(varint(8), Bytes(repeating: 1, count: 15))),
    claim("extensions", 128, "a number of extensions", join(varint(8), Bytes(repeating: 1, count: 15))),
    claim("extension", 128, "the bytes of an extension", join(varint(1), varint(8), varint(100), [1, 1, 1])),
    claim("string", 0, "the bytes of a key", join(varint(1), varint(.max), [1, 1, 1])),
    claim("varint", 16, "a user version of nine bytes", [0, 1, 2]),
    InvalidCase("C4", "key", "a lone continuation byte") { $0.keys = [[0x61, 0x80]] },
    InvalidCase("C4", "key-overlong", "an overlong slash") { $0.keys = [[0xC0, 0xAF]] },
    InvalidCase("C4", "key-surrogate", "a surrogate in UTF-8") { $0.keys = [[0xED, 0xA0, 0x80]] },
    InvalidCase("C4", "key-cut", "the last character is cut") { $0.keys = [[0xF0, 0x9F, 0x8C]] },
    InvalidCase("C4", "metadata-key", "the key of a pair") { $0.metadata = [([0xFF], [])] },
    InvalidCase("C4", "metadata-value", "the value of a pair") { $0.metadata = [([0x61], [0xFE])] },
    InvalidCase("C4", "class", "the mangled name of a class") {
      $0.changeContents = {
        $0 = join([8], varint(0), varint(1), counted([0xFF]), text("A"), [1, 1, 0x11, 1])
      }
    },
    InvalidCase("C4", "type-name", "the name of a type") {
      $0.shapes = [DraftShape(flags: 64, typeName: [0xF8])]
    },
  ]

  /// Contents of two keys, a class, a layout, a shape and an object, that end too early.
  private static func cut(_ table: String, _ byteCount: Int, _ reason: String) -> InvalidCase {
    InvalidCase("C3", "cut-\(table)", "contents that \(reason)", root: [Kind.reference, 1]) { draft in
      draft.keys = [utf8("a"), utf8("b")]
      draft.classes = [("3App4NodeC", "App", 1)]
      draft.layouts = [[(0, format(1)), (1, format(2))]]
      draft.shapes = [.fields((1, Kind.uint8))]
      draft.objects = [[3, 7]]
      draft.changeContents = { $0 = Bytes($0.prefix(byteCount)) }
    }
  }

  private static func claim(_ what: String, _ flags: UInt8, _ reason: String, _ bytes: Bytes) -> InvalidCase {
    InvalidCase("C3", "claim-\(what)", reason + " that could not fit") {
      $0.changeContents = { $0 = [flags] + bytes }
    }
  }

  /// User version, metadata, keys, classes, layouts.
  static let tables: [InvalidCase] = [
    InvalidCase("C5", "user-version-0", "a user version of 0") { $0.userVersion = 0 },
    InvalidCase("C5", "user-version-65536", "a user version of 65,536") { $0.userVersion = 65_536 },
    InvalidCase("C6", "descending", "keys that descend") {
      $0.metadata = [(utf8("b"), []), (utf8("a"), [])]
    },
    InvalidCase("C6", "equal", "equal keys") { $0.metadata = [(utf8("a"), [1]), (utf8("a"), [2])] },
    InvalidCase("C6", "by-characters", "keys that ascend by characters and not by bytes") {
      $0.metadata = [(utf8("\u{E9}"), []), (utf8("e\u{301}"), [])]
    },
    InvalidCase("C7", "equal-keys", "a key twice") { $0.keys = [utf8("a"), utf8("b"), utf8("a")] },
    InvalidCase("C7", "empty-keys", "a key of no bytes twice") { $0.keys = [[], []] },
    InvalidCase("C8", "class-version", "a version of 33 bits") {
      $0.classes = [("3App4NodeC", "App.Node", 1 << 32)]
    },
    InvalidCase("C9", "no-fields", "a layout without fields") {
      $0.changeContents = { $0 = join([32], varint(0), varint(1), varint(0), [1, 1, 0x11, 1]) }
    },
    InvalidCase("C9", "key-not-there", "a field of key 1 of 1") {
      $0.keys = [utf8("a")]
      $0.layouts = [[(2, format(1))]]
    },
    InvalidCase("C9", "key-twice", "two fields of a key") {
      $0.keys = [utf8("a")]
      $0.layouts = [[(1, format(1)), (1, format(2))]]
    },
    InvalidCase("C9", "scalar-0", "a format without scalar") { $0.layouts = [[(0, 0)]] },
    InvalidCase("C9", "complex-integers", "complex numbers of integers") {
      $0.layouts = [[(0, format(4, lanes: 1, meaning: 12))]]
    },
    InvalidCase("C9", "time-of-32-bits", "a time of 32 bits") {
      $0.layouts = [[(0, format(3, meaning: 13))]]
    },
    InvalidCase("C9", "meaning-of-other-lanes", "a range of one lane") {
      $0.layouts = [[(0, format(1, meaning: 1))]]
    },
    InvalidCase("C9", "meaning-of-other-scalar", "a point of integers") {
      $0.layouts = [[(0, format(4, lanes: 1, meaning: 7))]]
    },
    InvalidCase("C9", "format-of-17-bits", "a format of more than 16 bits") {
      $0.changeContents = {
        $0 = join([32], varint(0), varint(1), varint(1), varint(0), varint(0x1_0001), [1, 0x11, 1])
      }
    },
  ]

  /// Shapes.
  static let shapes: [InvalidCase] = [
    InvalidCase("C10", "unknown-flag", "flag 128") { $0.shapes = [DraftShape(flags: 128)] },
    InvalidCase("C10", "class-0", "class number 0") { $0.shapes = [DraftShape(flags: 9, classNumber: 0)] },
    InvalidCase("C10", "class-not-there", "class 0 of none") {
      $0.shapes = [DraftShape(flags: 9, classNumber: 1)]
    },
    InvalidCase("C10", "class-number-of-a-struct", "flag named without flag class") {
      $0.classes = [("3App4NodeC", "App.Node", 1)]
      $0.shapes = [DraftShape(flags: 8, classNumber: 1)]
    },
    InvalidCase("C10", "type-name-empty", "a type name of no bytes") {
      $0.shapes = [DraftShape(flags: 64, typeName: [])]
    },
    InvalidCase("C10", "type-name-of-a-class", "a type name beside flag class") {
      $0.shapes = [DraftShape(flags: 65, typeName: utf8("A"))]
    },
    InvalidCase("C11", "key-twice", "two fields of a key") {
      $0.keys = [utf8("a")]
      $0.shapes = [.fields((1, Kind.bool), (1, Kind.bool))]
    },
    InvalidCase("C11", "key-not-there", "a field of key 1 of 1") {
      $0.keys = [utf8("a")]
      $0.shapes = [.fields((2, Kind.bool))]
    },
    InvalidCase("C11", "new-keys-not-there", "new keys behind the last one") {
      $0.keys = [utf8("a")]
      $0.shapes = [.new(Kind.bool), .new(Kind.bool)]
    },
    InvalidCase("C11", "nil", "a field of kind nil") { $0.shapes = [.unkeyed(Kind.null)] },
    InvalidCase("C11", "absent", "a field of kind absent") { $0.shapes = [.unkeyed(Kind.absent)] },
    InvalidCase("C11", "kind-1e", "a field of an unknown kind") { $0.shapes = [.unkeyed(0x1E)] },
    InvalidCase("C11", "kind-1d", "a field of an unknown kind") { $0.shapes = [.unkeyed(0x1D)] },
    InvalidCase("C11", "kind-23", "a record with a reason, which is unknown") {
      $0.shapes = [.unkeyed(0x23)]
    },
    InvalidCase("C11", "kind-7f", "a field of an unknown kind") { $0.shapes = [.unkeyed(0x7F)] },
    InvalidCase("C12", "boxed-with-fields", "a boxed shape with a field") {
      $0.shapes = [.unkeyed(Kind.bool, flags: 4)]
    },
    InvalidCase("C12", "boxed-and-open", "a boxed shape that is open") { $0.shapes = [DraftShape(flags: 6)] },
    InvalidCase("C12", "boxed-list", "a boxed shape that is a list") { $0.shapes = [DraftShape(flags: 36)] },
  ]

  /// Numbers of objects.
  static let objectTables: [InvalidCase] = [
    InvalidCase("C16", "odd-extension", "an extension that must be understood") {
      $0.extensions = [(6, []), (7, [1])]
    },
    attributes("twice", "attributes that are there twice") { $0.extensions.append($0.extensions[0]) },
    attributes("no-bytes", "attributes of no bytes") { $0.extensions = [(2, [])] },
    attributes("end-early", "attributes without their last byte") { $0.extensions[0].bytes.removeLast() },
    attributes("go-on", "a byte behind attributes") { $0.extensions[0].bytes.append(1) },
    attributes("no-utf8", "a name of a dimension that is not UTF-8") { $0.extensions[0].bytes[3] = 0xFF },
    attributes("names-descend", "names of attributes that do not ascend") {
      $0.extensions = [
        (
          2,
          join(
            varint(1), varint(0), varint(2), text("b"), [Kind.bool, 1], text("a"), [Kind.bool, 1], varint(0))
        )
      ]
    },
    attributes("name-twice", "an attribute that is there twice") {
      $0.extensions = [
        (
          2,
          join(
            varint(1), varint(0), varint(2), text("b"), [Kind.bool, 1], text("b"), [Kind.bool, 1], varint(0))
        )
      ]
    },
    attributes("kind", "an attribute of the kind uint8") {
      $0.extensions = [Draft.attribute([Kind.uint8, 1])]
    },
    attributes("bool", "a bool of 2") { $0.extensions = [Draft.attribute([Kind.bool, 2])] },
    attributes("array-of-arrays", "an array of arrays in an attribute") {
      $0.extensions = [Draft.attribute(join([Kind.array, Kind.array], varint(1), [Kind.bool], varint(0)))]
    },
    attributes("empty-array-of-arrays", "an empty array of arrays in an attribute") {
      $0.extensions = [Draft.attribute(join([Kind.array, Kind.array], varint(0)))]
    },
    attributes("place-twice", "two sets of attributes of one value") {
      $0.extensions = [Draft.attribute([Kind.bool, 1], at: [1, 0])]
    },
    attributes("no-set", "the number of a set that is not there") {
      $0.extensions = [Draft.attribute([Kind.bool, 1], set: 1)]
    },
    attributes("no-value", "attributes of a place in an array") {
      $0.extensions = [Draft.attribute([Kind.bool, 1], at: [5])]
    },
    attributes("behind-the-stream", "attributes of a place behind the graph stream") {
      $0.extensions = [Draft.attribute([Kind.bool, 1], at: [1_000])]
    },
    InvalidCase("C17", "attributes-of-a-reference", "attributes of a reference", root: [Kind.reference, 1]) {
      $0.shapes = [DraftShape(flags: 1)]
      $0.objects = [[3]]
      $0.extensions = [Draft.attribute([Kind.bool, 1], at: [1])]
    },
    directory("C17", "ends-early", "a directory without its last byte") { $0.list { $0.removeLast() } },
    directory("C17", "goes-on", "a byte behind a directory") { $0.list { $0.append(1) } },
    directory("C17", "no-array", "a string in a directory") {
      $0.list()
      $0.extensions = [(4, join(varint(1), varint(0), varint(1), varint(3), [Kind.string], text("a")))]
    },
    directory("C18", "path-twice", "a path that is there twice") {
      $0.list { $0 = [5] + $0[1...] + $0[1...] }
    },
    directory("C18", "another-path", "a path that leads to another array") {
      $0.list(join(varint(2), varint(0), text("list"), varint(1)))
    },
    directory("C18", "no-path", "a path that leads nowhere") {
      $0.list(join(varint(2), varint(0), text("lists"), varint(2)))
    },
    directory("C18", "another-place", "another place than the array's") { $0.list(offset: 10) },
    directory("C18", "another-value", "another number of elements than the array has") { $0.list(count: 21) },
    InvalidCase("C13", "no-objects", "flag objects and none") { $0.objectCount = 0 },
    InvalidCase("C14", "two-to-the-31", "2^31 objects") { $0.objectCount = 1 << 31 },
    InvalidCase("C13", "more-stored", "two stored objects of one") {
      $0.objectCount = 1
      $0.storedCount = 2
      $0.index = [5, 5, 1, 1]
    },
    InvalidCase("C14", "stored-as-many-as-bytes", "two stored objects in two bytes") {
      $0.objectCount = 2
      $0.storedCount = 2
      $0.index = [3, 3, 1, 3]
    },
    InvalidCase("C14", "others-more-than-half", "three objects that are not stored, in two bytes") {
      $0.objectCount = 3
      $0.storedCount = 0
      $0.index = []
    },
    InvalidCase("C14", "index-too-short", "an index of no bytes", root: [Kind.reference, 1]) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3]]
      $0.index = []
    },
    InvalidCase("C14", "index-too-long", "an index of ten bytes", root: [Kind.reference, 1]) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3]]
      $0.index = varint(2, in: 9) + [1]
    },
    InvalidCase(
      "C14", "numbers-missing", "an index without the numbers of the objects", root: [Kind.reference, 1]
    ) {
      $0.shapes = [DraftShape()]
      $0.objects = [[3], [3]]
      $0.storedCount = 2
      $0.index = [5, 3]
    },
    InvalidCase("C14", "more-than-eight-a-byte", "10,000 objects of about 100 bytes", root: [Kind.bool, 1]) {
      $0.shapes = [DraftShape()]
      $0.objects = Array(repeating: [3], count: 10_000)
      ($0.streamForm, $0.indexForm) = (.lz4, .lz4)
    },
    InvalidCase("C15", "no-graph-stream", "contents that end behind the tables", root: []),
    InvalidCase("C15", "bytes-behind-the-tables", "a byte in contents whose stream is a segment") {
      $0.streamForm = .stored
      $0.changeContents = { $0.append(0) }
    },
  ]
}
