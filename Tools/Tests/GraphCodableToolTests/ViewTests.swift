import Foundation
import GraphCodable
import Simulation
import Testing

@Suite("view")
struct ViewTests {
  /// The page of files, and what its report says.
  private func page(_ files: String..., in folder: Folder) async throws -> (
    html: String, files: [[String: Any]]
  ) {
    let result = try await Tool.run(["view"] + files + ["-o", "page.html"], in: folder)
    #expect(result.status == 0, "\(result.diagnostics)")
    let html = try String(contentsOf: folder.file("page.html"), encoding: .utf8)
    let report = try #require(
      html.firstMatch(of: /<script type="application\/json" id="report">(.*?)<\/script>/)
    ).1
    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    return (html, try #require(object?["files"] as? [[String: Any]]))
  }

  private func archive(_ file: [String: Any]) throws -> [String: Any] {
    try #require((file["archives"] as? [[String: Any]])?.first)
  }

  private func values(_ file: [String: Any]) throws -> [[String: Any]] {
    let tree = try #require(archive(file)["tree"] as? [String: Any])
    return try #require(tree["values"] as? [[String: Any]])
  }

  private func previews(_ file: [String: Any]) throws -> [[String: Any]] {
    try #require(archive(file)["previews"] as? [[String: Any]])
  }

  @Test func thePageNeedsNothingElse() async throws {
    let folder = try Folder()
    try folder.archive()
    let (html, _) = try await page("state.gcodable", in: folder)
    #expect(!html.contains("{{"))
    #expect(html.contains("default-src 'none'"))
    let nonce = try #require(html.firstMatch(of: /script-src 'nonce-(\w+)'/)).1
    #expect(html.components(separatedBy: "nonce=\"\(nonce)\"").count == 3)
    #expect(!html.contains(/(?m)^(import|export)\s/))
    // The namespace of drawings is a name.
    #expect(Set(html.matches(of: /https?:[^"'` ]*/).map { String($0.0) }) == ["http://www.w3.org/2000/svg"])
  }

  @Test func valuesArraysAndBytesAreThere() async throws {
    let folder = try Folder()
    try folder.archive()
    let (_, files) = try await page("state.gcodable", in: folder)
    #expect(files[0]["kind"] as? String == "archive")
    let values = try values(files[0])
    #expect(values[0]["kind"] as? String == "record")
    let species = values.firstIndex { $0["step"] as? String == "species" }.map { place in
      values.filter { $0["parent"] as? Int == place }
    }
    #expect(
      species?.map { $0["class"] as? String } == [
        "Simulation.Species", "Simulation.Ion", "Simulation.Species",
      ])
    // The first and the third are one object.
    #expect(
      species?[2]["same"] as? Int == values.firstIndex { $0["class"] as? String == "Simulation.Species" })
    let previews = try previews(files[0])
    #expect(previews.map { $0["path"] as? String } == ["positions", "velocities"])
    #expect(previews[0]["sampledElements"] == nil)
    let archive = try archive(files[0])
    #expect((archive["blocks"] as? [[String: Any]])?.count == 2)
    #expect((archive["statistics"] as? [String: Any])?["bytes"] as? Int == 80_956)
    #expect((files[0]["finding"] as? [String: Any])?["ok"] as? Bool == true)
  }

  @Test func namesCanNeitherEndTheReportNorHide() async throws {
    let folder = try Folder()
    let names = [
      "</script><script>alert(1)</script>", "<!--", "]]>", "\u{202E}desrever", "\u{0}", "{{script}}",
      "\u{2028}",
      String(repeating: "long", count: 100_000), "\u{1F600}", "'\"`&amp;",
    ]
    let values = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
    try GraphEncoder().write(values, to: folder.file("<b>.gcodable"))
    let (html, files) = try await page("<b>.gcodable", in: folder)
    #expect(!html.contains("alert(1)</script>"))
    #expect(!html.contains("\u{202E}") && !html.contains("\u{0}") && !html.contains("\u{2028}"))
    #expect(html.contains("<title>&lt;b>.gcodable</title>"))
    #expect(html.components(separatedBy: "</script>").count == 4)
    // All are told as they are.
    let texts = try self.values(files[0]).dropFirst().compactMap { $0["text"] as? String }
    #expect(texts.count == names.count && texts.contains("\"{{script}}\""))
  }

  @Test func arraysAreShownAsTheyAre() async throws {
    let folder = try Folder()
    func preview(_ value: some GEncodable) async throws -> [String: Any] {
      try GraphEncoder().write(value, to: folder.file("value.gcodable"))
      let file = try await page("value.gcodable", in: folder).files[0]
      return try #require(try previews(file).first)
    }
    let matrix: [[Double]] = (0..<200).map { row in (0..<300).map { Double(row * $0) } }
    let heat = try await preview(matrix)
    let grid = try #require(heat["grid"] as? [String: Any])
    #expect((grid["rows"] as? Int, grid["columns"] as? Int, grid["channels"] as? Int) == (96, 96, 1))
    #expect((grid["values"] as? [Any])?.count == 96 * 96)
    let image = GArray((0..<(20 * 30 * 3)).map { UInt8(truncatingIfNeeded: $0) }, shape: [20, 30, 3])
    let colours = try await preview(image)
    let picture = try #require(colours["grid"] as? [String: Any])
    #expect((picture["rows"] as? Int, picture["columns"] as? Int, picture["channels"] as? Int) == (20, 30, 3))
    let rows = try #require(
      try await preview((0..<50).map { [Float($0), 1, .nan] })["points"] as? [String: Any])
    #expect((rows["count"] as? Int, (rows["values"] as? [Any])?.count) == (50, 150))
    let vectors = try await preview((0..<9_000).map { SIMD3<Float>(Float($0), 0, 1) })
    #expect(((vectors["points"] as? [String: Any])?["values"] as? [Any])?.count ?? 0 <= 3 * 4_000)
    #expect((vectors["columns"] as? [Any])?.count == 3)
    #expect(try await preview([UUID(), UUID()])["rows"] != nil)
    let ragged: [[Double]] = [[1], [2, 3]]
    try GraphEncoder().write(ragged, to: folder.file("value.gcodable"))
    let file = try await page("value.gcodable", in: folder).files[0]
    #expect(try previews(file).isEmpty)
  }

  private struct Vectors: GCodable {
    var x: [Double]
    var y: [Double]
    var z: [Double]

    private enum Key: String { case x, y, z }

    init(_ count: Int) { (x, y, z) = ((0..<count).map(Double.init), Array(repeating: 1, count: count), []) }

    init(from decoder: GDecoder) throws {
      (x, y) = (try decoder.decode(for: Key.x), try decoder.decode(for: Key.y))
      z = try decoder.decode(for: Key.z)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(x, for: Key.x)
      try encoder.encode(y, for: Key.y)
      try encoder.encode(z, for: Key.z)
    }
  }

  @Test func threeArraysOfOneLengthAreVectors() async throws {
    let folder = try Folder()
    func previews(_ vectors: Vectors) async throws -> [String: [String: Any]] {
      try GraphEncoder().write(["a": vectors], to: folder.file("vectors.gcodable"))
      let all = try await self.previews(page("vectors.gcodable", in: folder).files[0])
      return Dictionary(uniqueKeysWithValues: all.map { ($0["path"] as? String ?? "", $0) })
    }
    var vectors = Vectors(5_000)
    #expect(try await previews(vectors).keys.sorted() == ["a.x", "a.y"])
    vectors.z = vectors.x.map { -$0 }
    let found = try await previews(vectors)
    #expect(found.keys.sorted() == ["a", "a.x", "a.y", "a.z"])
    let points = try #require(found["a"]?["points"] as? [String: Any])
    #expect(points["count"] as? Int == 5_000)
    let numbers = try #require(points["values"] as? [Double])
    #expect(!numbers.isEmpty && numbers.count <= 12_000)
    for place in stride(from: 0, to: numbers.count, by: 3) {
      #expect(numbers[place + 1] == 1 && numbers[place + 2] == -numbers[place])
    }
    #expect((found["a"]?["columns"] as? [Any])?.count == 3)
  }

  @Test func eachNumberOfFewHasItsPlace() async throws {
    let folder = try Folder()
    for count in [1, 2, 49, 50, 100, 239, 240] {
      try GraphEncoder().write((0..<count).map { 1 + Double($0) * 1e-15 }, to: folder.file("few.gcodable"))
      let preview = try await previews(page("few.gcodable", in: folder).files[0])[0]
      let column = try #require((preview["columns"] as? [[String: Any]])?.first)
      let lows = try #require(column["lows"] as? [Double], "\(count)")
      #expect(Set(lows).count == count && lows == column["highs"] as? [Double])
    }
  }

  @Test func colourBytesAreImages() async throws {
    let folder = try Folder()
    let lanes = GArray((0..<600).map { SIMD4<UInt8>(repeating: UInt8($0 % 256)) }, shape: [20, 30])
    try GraphEncoder().write(lanes, to: folder.file("image.gcodable"))
    let preview = try await previews(page("image.gcodable", in: folder).files[0])[0]
    let grid = try #require(preview["grid"] as? [String: Any])
    #expect((grid["rows"] as? Int, grid["columns"] as? Int, grid["channels"] as? Int) == (20, 30, 4))
    #expect((grid["values"] as? [Double])?.prefix(8) == [0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test func whatHasNoFiniteNumbersHasNoPicture() async throws {
    let folder = try Folder()
    func preview(_ value: some GEncodable) async throws -> [String: Any] {
      try GraphEncoder().write(value, to: folder.file("value.gcodable"))
      return try await previews(page("value.gcodable", in: folder).files[0])[0]
    }
    #expect(try await preview(GArray([Double](repeating: .nan, count: 12), shape: [3, 4]))["grid"] == nil)
    #expect(
      try await preview(GArray([Float](repeating: .infinity, count: 12), shape: [4, 3]))["points"] == nil)
    // Numbers that binary32 does not have are drawn.
    let huge = try await preview(GArray([1e300, -1e300, 2e300, 0], shape: [2, 2]))
    #expect((huge["grid"] as? [String: Any])?["values"] as? [Double] == [1e300, -1e300, 2e300, 0])
  }

  @Test func largeArraysAreSampled() async throws {
    let folder = try Folder()
    let encoder = GraphEncoder()
    encoder.compression = .none
    try encoder.write((0..<1_000_000).map { Double($0) }, to: folder.file("large.gcodable"))
    let file = try await page("large.gcodable", in: folder).files[0]
    let preview = try #require(try previews(file).first)
    #expect(preview["sampledPlaces"] as? Int == 32)
    #expect(preview["sampledElements"] as? Int == 32 * 256)
    let column = try #require((preview["columns"] as? [[String: Any]])?.first)
    let numbers = try #require(column["numbers"] as? [String: Any])
    // The first and the last place are among them.
    #expect((numbers["minimum"] as? String, numbers["maximum"] as? String) == ("0", "999999"))
    #expect((column["lows"] as? [Any])?.count == 32)
  }

  @Test func aChainOfManyObjectsHasItsBeginning() async throws {
    let folder = try Folder()
    let nodes = (0..<20_000).map { RingNode("\($0)") }
    for (node, next) in zip(nodes, nodes.dropFirst()) { (node.next, next.back) = (next, node) }
    try GraphEncoder().write(nodes[0], to: folder.file("chain.gcodable"))
    let file = try await page("chain.gcodable", in: folder).files[0]
    for node in nodes { node.next = nil }
    let values = try values(file)
    #expect((100..<4_000).contains(values.count))
    #expect(values.contains { $0["weak"] as? Bool == true && $0["same"] != nil })
    #expect(values.last { $0["leftOut"] != nil } != nil)
    try GraphEncoder().write((0..<5_000).map { "\($0)" }, to: folder.file("list.gcodable"))
    let list = try await self.values(page("list.gcodable", in: folder).files[0])
    #expect(list.count == 101 && list[0]["leftOut"] as? Int == 4_900)
  }

  @Test func seriesHaveTheirStepsAndSets() async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let (_, files) = try await page("run.gcodable", "checkpoint", "checkpoints", in: folder)
    #expect(files.map { $0["kind"] as? String } == ["series", "set", "setSeries"])
    #expect((files[0]["entries"] as? [Any])?.count == 3)
    let steps = try #require(files[0]["steps"] as? [String: Any])
    #expect(steps["paths"] as? [String] == ["positions", "velocities"])
    #expect((steps["steps"] as? [[String: Any]])?.map { $0["step"] as? Int } == [0, 100, 200])
    #expect((files[1]["archives"] as? [Any])?.count == 3)
    #expect((files[2]["entries"] as? [Any])?.count == 3)
    let first = try await Tool.run(["view", "run.gcodable", "--entry", "0", "-o", "page.html"], in: folder)
    #expect(first.status == 0)
    #expect(try String(contentsOf: folder.file("page.html"), encoding: .utf8).contains("Entry 0"))
  }

  @Test func withoutFilesThePageIsAReader() async throws {
    let folder = try Folder()
    let (html, files) = try await page(in: folder)
    #expect(files.isEmpty && html.contains("<title>GraphCodable</title>"))
    #expect(html.contains("worker-src blob:") && !html.contains("connect-src"))
    let reader = try #require(
      html.firstMatch(of: /(?s)<script type="text\/plain" id="reader">(.*?)<\/script>/)
    ).1
    #expect(reader.utf8.count < 200_000 && reader.contains("class OpenFile"))
    let result = try await Tool.run(["view"], in: folder)
    #expect(result.status == 0 && result.output.hasPrefix("reader.html: a page of "))
  }

  @Test func damageIsListed() async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let (_, files) = try await page("damaged.gcodable", in: folder)
    let finding = try #require(files[0]["finding"] as? [String: Any])
    #expect(finding["ok"] as? Bool == false)
    let problem = try #require((finding["problems"] as? [[String: Any]])?.first)
    #expect((problem["damage"] as? [Any])?.count == 1)
    // A root that is damaged has no parts, and a page all the same.
    try folder.texts("texts.gcodable")
    _ = try folder.damagedBlock(of: "texts.gcodable")
    let texts = try await page("texts.gcodable", in: folder)
    #expect(try !values(texts.files[0]).isEmpty)
  }

  @Test func whatIsWrongIsSaid() async throws {
    let folder = try Folder()
    try folder.archive()
    for (arguments, status) in [
      (["missing"], 66), (["state.gcodable", "--entry", "1"], 64),
      (["state.gcodable", "-o", "no/page.html"], 74),
      (["state.gcodable", "-o", "https://example.org/page.html"], 64), (["-"], 64), (["--entry", "1"], 64),
    ] as [([String], Int32)] {
      #expect(try await Tool.run(["view"] + arguments, in: folder).status == status, "\(arguments)")
    }
    let result = try await Tool.run(["view", "state.gcodable"], in: folder)
    #expect(result.output.hasPrefix("state.gcodable.html: a page of "))
    #expect(FileManager.default.fileExists(atPath: folder.file("state.gcodable.html").path))
  }

  /// The reader in JavaScript over the corpus, and the modules of the page.
  @Test func theBrowsersReaderReadsTheCorpus() async throws {
    let folder = try Folder()
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Page/tests").path
    guard try await Tool.shell("command -v node", in: folder).status == 0 else {
      print("skipped: Node is not installed, which runs the tests of the page")
      return
    }
    let result = try await Tool.shell("node --test --test-reporter=dot '\(tests)'", in: folder)
    #expect(result.status == 0, "\(result.output.suffix(4_000))\(result.diagnostics)")
  }
}
