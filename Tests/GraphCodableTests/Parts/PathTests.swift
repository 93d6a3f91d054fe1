import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite struct PathTests {
  @Test(
    arguments: [
      ("", []),
      ("bodies", ["bodies"]),
      ("bodies[3].position", ["bodies", 3, "position"]),
      ("[0][-1]", [0, -1]),
      ("[0].name", [0, "name"]),
      ("super.name", ["super", "name"]),
      ("größe.µ", ["größe", "µ"]),
      (#"scores["a.b"][3]"#, ["scores", "a.b", 3]),
      (#"[""]"#, [""]),
      (#"["\"\\"].x"#, ["\"\\", "x"]),
      (#"["a\u{a}b c"]"#, ["a\nb c"]),
    ] as [(String, GraphPath)])
  func textAndStepsAreTheSame(text: String, path: GraphPath) {
    #expect(path.description == text)
    #expect(GraphPath(text as String) == path)
  }

  @Test(
    arguments: [
      ".", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[1", "a[1]b", "a[1].", "a[+1]", "a[01]", "a[-0]", "a b",
      "a]",
      "a[99999999999999999999]", #"["a"#, #"["a""#, #"["a\x"]"#, #"["\u{D800}"]"#, #"["\u{}"]"#,
      #"["\u{41"]"#, "a\"",
    ])
  func whatIsNoPathIsRefused(text: String) {
    #expect(GraphPath(text as String) == nil)
  }

  @Test func aLiteralThatIsNoPathSaysSo() throws {
    let path: GraphPath = "a[5..10]"
    #expect(path.steps.isEmpty && path != [] && "\(path)" == "a[5..10]")
    let bytes = try GraphEncoder().encode(["a": 1]) as Bytes
    let error = #expect(throws: GCodableError.self) {
      try GraphArchive(bytes).decode(Int.self, at: path)
    }
    #expect(error?.code == .invalidPath && error?.description.contains("\"a[5..10]\"") == true)
  }

  @Test func randomPathsComeBackFromTheirText() {
    var random = SplitMix64(seed: 7)
    let scalars: [Unicode.Scalar] = [
      "a", "b", ".", "[", "]", "\"", "\\", " ", "\n", "\u{0}", "\u{7F}", "é", "\u{301}", "𝄞", "0", "-", "u",
      "{",
    ]
    for _ in 0..<5_000 {
      let path = GraphPath(
        (0..<random.below(5)).map { _ -> GraphPath.Step in
          guard random.once(in: 2) else { return .index(Int(truncatingIfNeeded: random.next())) }
          var key = ""
          for _ in 0..<random.below(6) { key.unicodeScalars.append(scalars[random.below(scalars.count)]) }
          return .key(key)
        })
      let again = GraphPath(path.description)
      #expect(again == path)
      // Strings that are canonically equivalent are equal: the bytes have to be the same.
      #expect(again.map { Array($0.description.utf8) } == Array(path.description.utf8))
    }
  }

  @Test func thePathOfAnErrorIsAPath() throws {
    let bytes = try encoded([[1, 2], [3]])
    let error = try #require(throws: GCodableError.self) { try decoded([[String]].self, from: bytes) }
    #expect(GraphPath(error.keyPathDescription) == [0])
  }
}
