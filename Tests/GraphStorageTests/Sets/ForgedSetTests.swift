import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Each number of a set's manifest, of a receipt and of a path in them is made one that arithmetic does not expect.
@Suite("Sets: forged numbers")
struct ForgedSetTests {
  /// The fields of a manifest, as `Format.md` says, with numbers by their names.
  private struct Manifest: GEncodable {
    var numbers: [String: [UInt64]]
    var partNames: [String]
    var path = "positions"
    var token: String

    init(_ manifest: SetManifest) {
      let array = manifest.arrays[0]
      numbers = [
        "formatVersion": [1], "step": [3], "time": [0], "byteCounts": manifest.parts.map(\.byteCount),
        "headerHashes": manifest.parts.map(\.hash), "shape": array.shape.map { UInt64($0) },
        "parts": array.pieces.map { UInt64($0.part) },
        "offsets": array.pieces.flatMap { $0.box.ranges.map { UInt64($0.lowerBound) } },
        "lengths": array.pieces.flatMap { $0.box.shape.map { UInt64($0) } },
        "pathNumbers": array.pieces.map { _ in 0 },
      ]
      (partNames, token) = (manifest.parts.map(\.name), manifest.token)
    }

    func ints(_ name: String) -> [Int] { (numbers[name] ?? []).map { Int(bitPattern: UInt($0)) } }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(ints("formatVersion")[0], for: NameKey("formatVersion"))
      try encoder.encode(token, for: NameKey("token"))
      try encoder.encode(ints("step")[0], for: NameKey("step"))
      try encoder.encode(Double(bitPattern: numbers["time"]?[0] ?? 0), for: NameKey("time"))
      try encoder.encode([] as [String], for: NameKey("metadata"))
      try encoder.encode(partNames, for: NameKey("partNames"))
      try encoder.encode(numbers["byteCounts"] ?? [], for: NameKey("byteCounts"))
      try encoder.encode(numbers["headerHashes"] ?? [], for: NameKey("headerHashes"))
      try encoder.encode(
        [
          Script { encoder in
            try encoder.encode("positions", for: NameKey("name"))
            for name in ["shape", "parts", "offsets", "lengths", "pathNumbers"] {
              try encoder.encode(ints(name), for: NameKey(name))
            }
            try encoder.encode([path], for: NameKey("paths"))
          }
        ], for: NameKey("arrays"))
    }
  }

  private static func exercise(_ url: URL) throws {
    try Forgeries.attempt {
      let set = try GraphArchiveSet(url)
      _ = (set.byteCount, set.arrays, set.step)
      try Forgeries.attempt { try set.check() }
      try Forgeries.attempt { try set.verify(progress: .discreteProgress(totalUnitCount: 0)) }
      try Forgeries.attempt {
        let array = try set.array(Double.self, "positions")
        _ = array.count
        try Forgeries.attempt { _ = try array.slice() }
        try Forgeries.attempt { _ = try array.blockCount(of: 1..<3) }
        try Forgeries.attempt { _ = try array[0..<2] }
      }
    }
  }

  @Test func aPieceThatIsNotInItsPartIsFound() throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSet.Writer(folder.url)
    let receipts = try (0..<2).map { part in
      try writer.part(part, of: 2).write(
        ["x": Array(repeating: 1.5, count: 5)],
        arrays: [.init("x", at: ["x"], globalShape: [10], offset: [5 * part])])
    }
    try writer.commit(receipts, step: 0, time: 0)
    try GraphArchiveSet(folder.url).verify()
    let url = folder.file("set.gcodable")
    let sound = try GraphDecoder().read(SetManifest.self, from: url)
    let changes: [(inout SetManifest.Array) -> Void] = [
      { $0.pieces[1].path = "y" }, { $0.pieces[1].path = "x[" },
      { array in
        for place in 0..<2 { array.pieces[place].box = ArrayBox([(4 * place)..<(4 * place + 4 + 2 * place)]) }
      },
    ]
    for change in changes {
      var manifest = sound
      change(&manifest.arrays[0])
      try SetManifest.encoder.write(manifest, to: url)
      let set = try GraphArchiveSet(folder.url)
      #expect(throws: GCodableError.self) { try set.verify() }
    }
  }

  @Test func numbersOfManifests() async {
    await #expect(processExitsWith: .success) { try Self.forgeManifests() }
    #expect(Forgeries.last(in: "manifests") == "done")
  }

  private static func forgeManifests() throws {
    let place = try SetFolder()
    let writer = try GraphArchiveSet.Writer(place.url)
    let receipts = try (0..<2).map { rank in
      try writer.part(rank, of: 2).write(
        Domain(rank, of: 2, (3 * rank)..<(3 * rank + 3), 0..<2),
        arrays: [.init("positions", globalShape: [6], offset: [3 * rank])])
    }
    try writer.commit(receipts, step: 0, time: 0)
    let sound = Manifest(try SetInFolder(url: place.url).manifest().manifest)
    func forge(_ manifest: Manifest) throws {
      Forgeries.say("\(manifest)", in: "manifests")
      try GraphEncoder().write(manifest, to: place.url.appendingPathComponent("set.gcodable"))
      try exercise(place.url)
    }
    let names = sound.numbers.keys.sorted()
    for name in names {
      for index in (sound.numbers[name] ?? []).indices {
        for number in Forgeries.numbers(for: sound.numbers[name]?[index] ?? 0) {
          var manifest = sound
          manifest.numbers[name]?[index] = number
          try forge(manifest)
        }
      }
    }
    var random = SplitMix64(seed: 4)
    for _ in 0..<Effort.of(150, thorough: 20_000) {
      var manifest = sound
      for _ in 0...random.below(3) {
        let name = names[random.below(names.count)]
        let index = random.below(manifest.numbers[name]?.count ?? 1)
        let numbers = Forgeries.numbers(for: sound.numbers[name]?[index] ?? 0)
        manifest.numbers[name]?[index] = numbers[random.below(numbers.count)]
      }
      try forge(manifest)
    }
    // No elements, and other lengths that may be any behind those.
    for length in Forgeries.extremes {
      var manifest = sound
      manifest.numbers["shape"] = [0, length, length]
      for name in ["parts", "offsets", "lengths", "pathNumbers"] { manifest.numbers[name] = [] }
      try forge(manifest)
    }
    for path in [
      "positions[0..<1][9223372036854775807]", "positions[9223372036854775807]",
      "field[0..<0][0..<9223372036854775807]",
      "field[0..<1][9223372036854775806]", "field[9223372036854775806..<9223372036854775807][0]",
      "[-9223372036854775808]",
    ] {
      var manifest = sound
      manifest.path = path
      try forge(manifest)
    }
    Forgeries.say("done", in: "manifests")
  }

  // MARK: Receipts

  @Test func numbersOfReceipts() async {
    await #expect(processExitsWith: .success) { try Self.forgeReceipts() }
    #expect(Forgeries.last(in: "receipts") == "done")
  }

  private static func forgeReceipts() throws {
    let place = try SetFolder()
    let writer = try GraphArchiveSet.Writer(place.url)
    func array(_ shape: [Int], _ offset: [Int], _ own: [Int]) -> GraphArchiveSet.ArrayPart {
      var part = GraphArchiveSet.ArrayPart("x", globalShape: shape, offset: offset)
      part.shape = own
      return part
    }
    let numbers = Forgeries.extremes.map { Int(bitPattern: UInt($0)) }
    func commit(_ receipt: GraphArchiveSet.Receipt) throws {
      Forgeries.say("\(receipt)", in: "receipts")
      let sent = try JSONDecoder().decode(GraphArchiveSet.Receipt.self, from: JSONEncoder().encode(receipt))
      try Forgeries.attempt { try writer.commit([sent], step: 0, time: 0) }
      try Forgeries.attempt { try writer.commit([sent, sent], step: 0, time: 0) }
    }
    func receipt(
      part: Int = 0, count: Int = 1, byteCount: UInt64 = 100, arrays: [GraphArchiveSet.ArrayPart] = []
    ) -> GraphArchiveSet.Receipt {
      GraphArchiveSet.Receipt(
        token: writer.token, part: part, partCount: count, name: SetNames.part(part, of: count, writer.token),
        byteCount: byteCount, headerHash: 1, arrays: arrays)
    }
    for one in numbers {
      try commit(receipt(byteCount: UInt64(bitPattern: Int64(one))))
      for other in numbers {
        try commit(receipt(part: one, count: other))
        try commit(receipt(arrays: [array([one, other], [0, 0], [one, other])]))
        try commit(receipt(arrays: [array([10, 10], [one, 0], [other, 10])]))
        try commit(receipt(arrays: [array([one], [other], [1]), array([one], [0], [other])]))
        try commit(receipt(arrays: [array([one, other], [0], [0, 0, one])]))
      }
    }
    Forgeries.say("done", in: "receipts")
  }
}
