import Foundation
import GraphCodable

/// W4: a few very large arrays.
struct FieldsWorkload: GraphWorkload {
  static let id = "W4"
  static let subject = "large arrays"
  /// 256 MB are much for a quick look.
  static let quickSizes = [0.1]
  let unit = "Double"
  let options: WorkloadOptions
  private let count: Int
  /// Foundation's coders would take minutes for all of it, and their time grows in proportion.
  private let peerCount: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(4_000_000)
    peerCount = min(count, 25_000)
  }

  var title: String {
    "struct with \(FieldSet.arrayCount) arrays of \(grouped(count)) Double, a smooth field with noise"
  }

  var unitCount: Int { count * FieldSet.arrayCount }

  var remark: String {
    guard peerCount < count else { return "" }
    return "peers do arrays of \(grouped(peerCount)); their ratios are those of the times per Double"
  }

  var obstacle: String? {
    // The model, its archive, what is decoded from it, and as much again for everything else.
    let byteCount = UInt64(unitCount) * UInt64(MemoryLayout<Double>.stride) * 4
    guard byteCount > ProcessInfo.processInfo.physicalMemory else { return nil }
    return "it needs \(byteCount >> 30) GiB of memory, more than there is here"
  }

  func generate() -> FieldSet {
    FieldSet.generate(count: count)
  }

  static func isSame(_ model: FieldSet, _ decoded: FieldSet) -> Bool {
    model == decoded
  }

  func cases() -> [MeasuredCase] {
    let peerCount = peerCount
    let fixture = GraphFixture(generate)
    let peers = FoundationCases(workload: name, share: Double(peerCount) / Double(count)) {
      FieldSet.generate(count: peerCount)
    }
    let graph = graphCases(fixture)
    guard options.isDetailed else { return graph }
    let library = GraphCodableCases(
      workload: name, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Self.isSame)
    return graph + library.codingCases([.lz4OneThread, .lz4TwoThreads])
      + [readingAgain(fixture, .lz4OneThread, 1), readingAgain(fixture, .lz4TwoThreads, 2)]
      + [
        compressing(fixture, .graphLZ4HC, .lz4hc(level: 9)),
        compressing(fixture, .graphLZ4Rounded, .lz4, .bits(30)),
      ]
      + library.unsynchronizedSaving
      + protobufCases(fixture) + peers.cases
  }

  /// Encodes for the sake of the bytes.
  private func compressing(
    _ fixture: GraphFixture<FieldSet>, _ subject: Subject, _ compression: GraphEncoder.Compression,
    _ precision: GPrecision? = nil
  ) -> MeasuredCase {
    let encoder = GraphEncoder()
    (encoder.compression, encoder.precision) = (compression, precision)
    return MeasuredCase(
      CaseLabel(workload: name, operation: .encode, subject: subject), prepare: fixture.model
    ) {
      try encoder.encode($0) as [UInt8]
    } check: { model, bytes in
      let decoded = try GraphDecoder().decode(FieldSet.self, from: bytes)
      let error = precision == nil ? 0 : 0x1p-30
      try require(
        zip(model.arrays.joined(), decoded.arrays.joined()).allSatisfy { abs($0 - $1) <= abs($0) * error })
      return bytes.count
    }
  }

  /// Reads all arrays into those of a model that has been read before.
  private func readingAgain(
    _ fixture: GraphFixture<FieldSet>, _ variant: GraphVariant, _ threadCount: Int
  ) -> MeasuredCase {
    let subject: Subject = threadCount == 1 ? .graphLZ4OneThreadTouched : .graphLZ4TwoThreadsTouched
    return MeasuredCase(CaseLabel(workload: name, operation: .decode, subject: subject)) {
      let bytes = try fixture.archive(variant)
      return (bytes, FieldBox(try variant.decode(FieldSet.self, from: bytes)))
    } work: { bytes, box in
      try box.fields.read(GraphArchive(bytes), threadCount: threadCount)
      return box
    } check: { input, box in
      try require(box.fields == fixture.model())
      return input.0.count
    }
  }
}

/// A model whose memory is used again.
private final class FieldBox {
  var fields: FieldSet

  init(_ fields: FieldSet) { self.fields = fields }
}
