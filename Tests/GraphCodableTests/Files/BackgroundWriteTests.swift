import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Writing in the background")
final class BackgroundWriteTests {
  let folder: TemporaryFolder
  let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.file("a.graph")
  }

  final class Model: GCodable {
    var step: Int
    var name: String
    var positions: [SIMD3<Double>]
    var bytes: Data
    var links: [Model] = []

    init(step: Int) {
      self.step = step
      name = "model \(step)"
      positions = (0..<100_000).map { SIMD3(Double($0), Double(step), 0) }
      bytes = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &* step) })
      while bytes.count < 3_000_000 { bytes.append(bytes) }
    }

    enum Key: String { case step, name, positions, bytes, links }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(step, for: Key.step)
      try encoder.encode(name, for: Key.name)
      try encoder.encode(positions, for: Key.positions)
      try encoder.encode(bytes, for: Key.bytes)
      try encoder.encode(links, for: Key.links)
    }

    init(from decoder: GDecoder) throws {
      step = try decoder.decode(for: Key.step)
      name = try decoder.decode(for: Key.name)
      positions = try decoder.decode(for: Key.positions)
      bytes = try decoder.decode(for: Key.bytes)
      links = try decoder.decode(for: Key.links)
    }

    /// Changes all in place, as far as Swift lets it.
    func advance() {
      step += 1
      name = "changed"
      for index in positions.indices { positions[index].y = -1 }
      for index in stride(from: 0, to: bytes.count, by: 1000) { bytes[index] = 0xff }
      links.removeAll()
    }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4], [1, 4])
  func theFileIsThatOfTheModelWhenItWasWalked(compression: GraphEncoder.Compression, threadCount: Int)
    async throws
  {
    for attempt in 0..<3 {
      let model = Model(step: attempt + 2)
      model.links = [Model(step: 1)]
      let encoder = GraphEncoder()
      encoder.compression = compression
      encoder.threadCount = threadCount
      let expected = try encoder.encode(model) as Bytes
      let saving = try encoder.writeInBackground(model, to: url)
      encoder.compression = .lz4hc(level: 1)
      model.advance()
      try await saving.finish()
      #expect(saving.progress.isFinished)
      try #expect(Bytes(Data(contentsOf: url)) == expected)
      try #expect(folder.names() == ["a.graph"])
    }
  }

  @Test func aSmallGraphIsWrittenToo() async throws {
    try await GraphEncoder().writeInBackground("small", to: url).finish()
    try #expect(GraphDecoder().read(String.self, from: url) == "small")
  }

  final class Released: GCodable {
    nonisolated(unsafe) static var onThread: Thread?
    init() {}
    init(from decoder: GDecoder) throws {}
    func encode(to encoder: GEncoder) throws {}
    deinit { Self.onThread = .current }
  }

  @Test func objectsOfTheModelAreReleasedByTheCaller() throws {
    let saving = try GraphEncoder().writeInBackground([Released()], to: url)
    #expect(Released.onThread == .current)
    saving.cancel()
  }

  @Test func anErrorOfTheWalkIsThrownAtOnce() throws {
    struct Own: Error {}
    #expect(throws: Own.self) {
      try GraphEncoder().writeInBackground(Script { _ in throw Own() }, to: self.url)
    }
    try #expect(folder.names() == [])
  }

  @Test func anErrorOfTheFileIsThrownAtTheEnd() async throws {
    let nowhere = folder.file("none/a.graph")
    let saving = try GraphEncoder().writeInBackground(1, to: nowhere)
    let error = await #expect(throws: GCodableError.self) { try await saving.finish() }
    #expect(error?.code == .file)
    // Asking again gives the same answer.
    await #expect(throws: GCodableError.self) { try await saving.finish() }
  }

  @Test func cancellingTheTaskThatWaitsCancelsWriting() async throws {
    try GraphEncoder().write("old", to: url)
    let model = (0..<4).map { _ in Model(step: 3) }
    let saving = try GraphEncoder().writeInBackground(model, to: url)
    let waiting = Task {
      // Begun after the cancellation below or not, it is the same.
      try await saving.finish()
    }
    waiting.cancel()
    let result = await waiting.result
    #expect(saving.progress.isCancelled)
    // It may have been done already; what counts is that the file is what was said.
    switch result {
    case .success: try #expect(GraphDecoder().read([Model].self, from: url).count == 4)
    case .failure(let error):
      #expect(error is CancellationError)
      try #expect(GraphDecoder().read(String.self, from: url) == "old")
    }
    try #expect(folder.names() == ["a.graph"])
  }

  @Test func manyAtOnceToOneFileLeaveOneOfThem() async throws {
    let savings = try (0..<8).map { try GraphEncoder().writeInBackground(Model(step: $0), to: url) }
    for saving in savings { try await saving.finish() }
    let model = try GraphDecoder().read(Model.self, from: url)
    #expect(model.name == "model \(model.step)")
    try #expect(folder.names() == ["a.graph"])
  }

  @Test func writesToDifferentFilesOverlap() async throws {
    let urls = (0..<6).map { folder.file("\($0).graph") }
    // One encoder walks while what it walked before is still being written.
    let encoder = GraphEncoder()
    let model = Model(step: 0)
    var savings: [GraphEncoder.BackgroundWrite] = []
    for url in urls {
      encoder.compression = savings.count.isMultiple(of: 2) ? .lz4 : .none
      savings.append(try encoder.writeInBackground(model, to: url))
      model.step += 1
      model.positions[model.step].x = -1
    }
    for saving in savings.reversed() { try await saving.finish() }
    for (step, url) in urls.enumerated() {
      let copy = try GraphDecoder().read(Model.self, from: url)
      #expect(copy.step == step)
      #expect(copy.positions.prefix(7).map(\.x) == (0..<7).map { $0 > 0 && $0 <= step ? -1 : Double($0) })
    }
  }
}
