import GraphCodable

extension ValidCase {
  /// Records of every kind of shape.
  static let records: [ValidCase] = [
    ValidCase("record-empty", [Kind.record, 3]) { $0.shapes = [DraftShape()] },
    ValidCase("record-unkeyed", [Kind.record, 3, 7]) { $0.shapes = [.unkeyed(Kind.uint8)] },
    ValidCase("record-mixed", [Kind.record, 3, 7, 8, 9]) { draft in
      draft.keys = [utf8("a"), utf8("b")]
      draft.shapes = [.fields((2, Kind.uint8), (0, Kind.uint8), (1, Kind.uint8))]
    },
    ValidCase("record-in-record", [Kind.record, 5, 3, 7, 8]) { draft in
      draft.keys = [utf8("a"), utf8("b"), utf8("c")]
      draft.shapes = [.new(Kind.uint8), .new(Kind.record, Kind.uint8)]
    },
    ValidCase("record-new-keys-behind-old", [Kind.array, Kind.record, 7, 3, 1, 2, 5, 3, 7, 4]) { draft in
      draft.keys = [utf8("a"), utf8("b"), utf8("c")]
      draft.shapes = [
        .fields((2, Kind.uint8), (1, Kind.uint8)), .fields((1, Kind.uint8)), .new(Kind.uint8),
      ]
    },
    ValidCase("record-named", [Kind.record, 3, 7]) { draft in
      draft.keys = [utf8("a")]
      draft.shapes = [DraftShape(flags: 64 | 16, typeName: utf8("Point"), fields: [(nil, Kind.uint8)])]
    },
    ValidCase("list-empty", [Kind.record, 3]) { $0.shapes = [DraftShape(flags: 32)] },
    ValidCase("list-of-one", [Kind.record, 3, 7]) { $0.shapes = [.unkeyed(Kind.uint8, flags: 32)] },
    ValidCase("list-of-two", [Kind.record, 3, 7, 1]) {
      $0.shapes = [.unkeyed(Kind.uint8, Kind.bool, flags: 32)]
    },
    ValidCase("open-without-overflow", join([Kind.record, 3, 7], overflow([], unkeyed: 0))) { draft in
      draft.keys = [utf8("a")]
      draft.shapes = [.new(Kind.uint8, flags: 2)]
    },
    ValidCase(
      "open",
      join(
        [Kind.record, 3, 7],
        overflow(
          [
            [Kind.uint8, 5, 8], [Kind.uint8, 1, 9], join([Kind.string], varint(3), text("x")),
            [Kind.bool, 1, 0],
          ],
          unkeyed: 2))
    ) { draft in
      draft.keys = [utf8("a"), utf8("b"), utf8("c")]
      draft.shapes = [.new(Kind.uint8, flags: 2)]
    },
    ValidCase(
      "open-list-in-open",
      join(
        [Kind.record, 3],
        overflow([join([Kind.record, 1, 5], overflow([[Kind.uint8, 1, 1]], unkeyed: 1))], unkeyed: 1))
    ) { $0.shapes = [DraftShape(flags: 2), DraftShape(flags: 2 | 32)] },
    ValidCase(
      "key-repeated",
      join(
        [Kind.record, 3, 7],
        overflow([[Kind.uint8, 5, 1], [Kind.uint8, 3, 2], [Kind.uint8, 5, 3]], unkeyed: 0))
    ) { draft in
      // The first ones count: 7 for "a", 1 for "b".
      draft.keys = [utf8("a"), utf8("b")]
      draft.shapes = [.new(Kind.uint8, flags: 2)]
    },
    ValidCase("keys-of-two-normalizations", [Kind.record, 3, 7, 8]) { draft in
      draft.keys = [utf8("\u{E9}"), utf8("e\u{301}")]
      draft.shapes = [.new(Kind.uint8, Kind.uint8)]
    },
    ValidCase("key-empty", [Kind.record, 3, 7]) { draft in
      draft.keys = [[]]
      draft.shapes = [.new(Kind.uint8)]
    },
    ValidCase("boxed-class-in-place", join([Kind.record, 3], [Kind.binary], varint(0), counted([1]))) {
      $0.shapes = [DraftShape(flags: 5)]
    },
    ValidCase("class-in-place", [Kind.record, 3, 7]) { draft in
      draft.keys = [utf8("a")]
      draft.shapes = [.new(Kind.uint8, flags: 1)]
    },
  ]

  /// Objects and references.
  static let objects: [ValidCase] = [
    ValidCase("shared", [Kind.array, Kind.reference, 7, 1, 1, 1]) { draft in
      draft.keys = [utf8("a")]
      draft.shapes = [.new(Kind.uint8)]
      draft.objects = [[3, 7]]
    },
    ValidCase("object-of-itself", [Kind.reference, 1]) { draft in
      draft.keys = [utf8("next")]
      draft.shapes = [.new(Kind.reference, flags: 1)]
      draft.objects = [[3, 1]]
    },
    ValidCase("cycle", [Kind.reference, 1]) { draft in
      draft.keys = [utf8("next"), utf8("name")]
      draft.shapes = [.new(Kind.reference, Kind.string, flags: 1)]
      draft.objects = [
        join([3], varint(1), text("one")), join([3], varint(2), text("two")),
        join([3], varint(0), text("three")),
      ]
    },
    ValidCase("tree-with-conditional-parents", [Kind.reference, 1]) { draft in
      draft.keys = [utf8("parent"), utf8("children")]
      draft.shapes = [.new(Kind.taggedConditional, Kind.array, flags: 1)]
      let leaf: Bytes = [3, Kind.conditional, 1, Kind.reference, 1]
      draft.objects = [[3, Kind.null, Kind.reference, 5, 3, 5], leaf, leaf]
    },
    ValidCase("conditional-to-nothing", [Kind.array, Kind.conditional, 5, 1, 3]) { draft in
      draft.objects = [nil, nil]
      draft.index = []
    },
    ValidCase("conditional-before-reference", join([Kind.record, 3], varint(0), varint(1), varint(0))) {
      draft in
      draft.shapes = [.unkeyed(Kind.conditional, Kind.conditional, Kind.reference), DraftShape(flags: 1)]
      draft.objects = [[5], nil]
    },
    ValidCase("objects-not-in-order", [Kind.array, Kind.conditional, 7, 1, 3, 5]) { draft in
      draft.keys = [utf8("a"), utf8("b")]
      draft.shapes = [.new(Kind.uint8, flags: 1), .new(Kind.reference, flags: 1)]
      draft.objects = [[3, 7], [5, 1], [5, 3]]
      draft.order = [2, 1, 0]
    },
    ValidCase("object-nobody-refers-to", [Kind.bool, 1]) { draft in
      draft.shapes = [.unkeyed(Kind.uint8)]
      draft.objects = [[3, 7]]
    },
    ValidCase("boxed-objects", [Kind.array, Kind.taggedIdentity, 5, Kind.reference, 1, Kind.reference, 3]) {
      draft in
      draft.shapes = [.boxed]
      draft.objects = [join([3], [Kind.string], text("x")), [3, Kind.array, Kind.bool, 5, 1, 0]]
    },
    ValidCase("box-of-an-object", [Kind.reference, 1]) { draft in
      draft.shapes = [.boxed, .unkeyed(Kind.uint8)]
      draft.objects = [[3, Kind.tagged, Kind.reference, 3], [5, 7]]
    },
    ValidCase("boxed-class", [Kind.reference, 1]) { draft in
      draft.shapes = [DraftShape(flags: 5)]
      draft.objects = [join([3], [Kind.binary], varint(0), counted([1, 2]))]
    },
    ValidCase("classes", [Kind.array, Kind.reference, 7, 1, 3, 5]) { draft in
      draft.keys = [utf8("a")]
      draft.classes = [
        ("@corpus.node", "App.Node", 0), ("@corpus.leaf@3App4LeafC", "App.Leaf", 4_294_967_295),
        ("3App5OtherC", "App.Other", 7),
      ]
      draft.shapes = [1, 2, 3].map { DraftShape(flags: 9, classNumber: $0, fields: [(1, Kind.uint8)]) }
      draft.objects = [[3, 1], [5, 2], [7, 3]]
    },
    ValidCase("object-open", [Kind.reference, 1]) { draft in
      draft.keys = [utf8("a")]
      draft.shapes = [DraftShape(flags: 3)]
      draft.objects = [join([3], overflow([[Kind.uint8, 3, 9]], unkeyed: 0))]
    },
    ValidCase(
      "many-objects", join([Kind.array, Kind.reference], varint(300), joined((0..<300).map { varint($0) }))
    ) { draft in
      draft.shapes = [.unkeyed(Kind.uint16, flags: 1)]
      draft.objects = (0..<300).map { join([3], varint($0)) }
    },
  ]
}
