import CGraphArchive
import Foundation
import GraphCodable
import GraphCodableTestSupport

/// Graphs that every process makes and encodes, each in circumstances of its own.
struct ProcessSamples {
  /// Which process it is: objects have other addresses in each, and odd ones run on one core.
  let process: Int
  private let ballast: [Bytes]
  private let arrays = LargeArrays()

  init(process: Int) {
    self.process = process
    if !process.isMultiple(of: 2) { Self.useOneCore() }
    // Objects that come later go where every second of these was.
    var random = SplitMix64(seed: UInt64(process))
    let all = (0..<5000).map { _ in Bytes(repeating: 0, count: random.below(300)) }
    ballast = all.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
  }

  /// Sizes and hashes of all archives, for each compression, from memory, from several threads and from a
  /// file.
  func digest() throws -> String {
    try withExtendedLifetime(ballast) {
      try [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 5)].map { compression in
        var count = 0
        var all: Bytes = []
        try forEachArchive(compression) { bytes in
          count += bytes.count
          let hash = bytes.withUnsafeBytes { gca_hash128_bytes($0.baseAddress, $0.count) }
          all += withUnsafeBytes(of: (hash.low, hash.high)) { Bytes($0) }
        }
        let hash = all.withUnsafeBytes { gca_hash128_bytes($0.baseAddress, $0.count) }
        return "\(count) \(hash.low) \(hash.high)"
      }.joined(separator: ", ")
    }
  }

  private func forEachArchive(_ compression: GraphEncoder.Compression, _ body: (Bytes) throws -> Void) throws
  {
    for seed in 0..<10 as Range<UInt64> {
      let depth = seed == 0 ? 200 : 0
      // Without the option, sets and dictionaries of more than one element are in another order in each process.
      let isCanonical = seed.isMultiple(of: 2)
      let graph = ModelGraph(seed: seed, maximumCount: 40, hashedCount: isCanonical ? 4 : 1, depth: depth)
      defer { graph.breakUp() }
      try body(archive(graph.root, compression, isCanonical ? .canonicalOrder : []))
    }
    try body(archive(arrays, compression, alsoInFile: true))
    SecretNote.register()
    try body(archive([SecretNote("a"), SecretNote("b")], compression))
  }

  /// Encodes with one to five threads at work, also from several at once and, if wanted, into a file.
  private func archive<Root: GEncodable>(
    _ root: Root, _ compression: GraphEncoder.Compression, _ options: GraphEncoder.Options = [],
    alsoInFile: Bool = false
  ) throws -> Bytes {
    func encoder(threadCount: Int) -> GraphEncoder {
      let encoder = GraphEncoder(options)
      (encoder.compression, encoder.threadCount) = (compression, threadCount)
      return encoder
    }
    let bytes = try encoder(threadCount: process % 5 + 1).encode(root) as Bytes
    if alsoInFile {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).graph")
      defer { try? FileManager.default.removeItem(at: file) }
      try encoder(threadCount: process % 3 + 1).write(root, to: file)
      guard try Bytes(Data(contentsOf: file)) == bytes else { throw Difference.inAFile }
    }
    // The threads only read the graph.
    nonisolated(unsafe) let again = { try? encoder(threadCount: $0).encode(root) as Bytes }
    let areSame = (0...(process % 4)).map { _ in SameFlag() }
    DispatchQueue.concurrentPerform(iterations: areSame.count) { thread in
      areSame[thread].value = again(thread + 1) == bytes
    }
    guard areSame.allSatisfy(\.value) else { throw Difference.onAThread }
    return bytes
  }

  /// Each thread sets its own.
  private final class SameFlag: @unchecked Sendable { var value = false }

  private enum Difference: Error {
    case inAFile, onAThread
  }

  /// Keeps this process on one core: pools of threads that are made later have one thread.
  private static func useOneCore() {
    #if os(Linux)
      // Not in the headers that Swift imports.
      typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer) -> Int32
      guard let symbol = dlsym(nil, "sched_setaffinity") else { return }
      var cores = [UInt8](repeating: 0, count: 128)
      cores[0] = 1
      _ = unsafeBitCast(symbol, to: SetAffinity.self)(0, cores.count, cores)
    #endif
  }
}

/// Arrays that have segments of their own, with several blocks each.
private struct LargeArrays: GCodable {
  var numbers: [Double] = []
  var vectors: [SIMD3<Float>] = []
  var bytes = Data()

  init() {
    var random = SplitMix64(seed: 1)
    numbers = (0..<50_000).map { Double($0) / 3 }
    vectors = (0..<30_000).map { SIMD3(Float($0), 0, -1) }
    bytes = Data((0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }
  init(from decoder: GDecoder) throws {
    (numbers, vectors, bytes) = (try decoder.decode(), try decoder.decode(), try decoder.decode())
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(numbers)
    try encoder.encode(vectors)
    try encoder.encode(bytes)
  }
}

/// A private class: in its Swift name is an address.
private final class SecretNote: GCodable {
  let text: String
  init(_ text: String) { self.text = text }
  init(from decoder: GDecoder) throws { text = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text) }
}
