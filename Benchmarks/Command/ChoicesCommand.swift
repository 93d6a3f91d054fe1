import ArgumentParser
import Foundation
import GraphCodable

/// Measures what compression and precision do to five kinds of data: the tables of Documentation/Compression.md.
struct ChoicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choices",
    abstract: "Print tables of ratio and speed for kinds of data, by compression and precision.",
    discussion:
      "In memory, on one core: MB before compression for each second of the processor, the median of five.")

  @Option(help: "The size of each kind of data in MB.") var size = 64

  func run() throws {
    print("| data | choice | ratio | encode, MB/s | decode, MB/s |")
    print("| --- | --- | --- | --- | --- |")
    let count = size * 1_000_000 / 8
    try report(
      "a smooth field of `Double`, with noise", ChoiceData.field(count),
      Self.exact + [.absolute(1e-3), .small(.absolute(1e-3))])
    try report(
      "positions, `SIMD3<Float>` in Å", ChoiceData.positions(count),
      Self.exact + [.absolute(5e-3), .small(.absolute(5e-3))])
    try report(
      "measurements, `Double`, of all magnitudes", ChoiceData.measurements(count),
      Self.exact + [.relative(1e-4), .small(.relative(1e-4))])
    try report("sorted identifiers, `Int`", ChoiceData.identifiers(count), Self.exact)
    try report("objects with names and references", ChoiceData.nodes(count / 5), Self.exact)
  }

  /// What is done to the data.
  private struct Choice: Sendable {
    let name: String
    let set: @Sendable (GraphEncoder) -> Void

    static func absolute(_ bound: Double) -> Choice {
      Choice(name: "LZ4, `.absolute(\(bound))`") { $0.precision = .absolute(bound) }
    }

    /// The codec for numbers as well.
    static func small(_ precision: GPrecision) -> Choice {
      Choice(name: "`.small`, `.\(precision)`") { ($0.compression, $0.precision) = (.small, precision) }
    }

    static func relative(_ bound: Double) -> Choice {
      Choice(name: "LZ4, `.relative(\(bound))`") { $0.precision = .relative(bound) }
    }
  }

  private static let exact = [
    Choice(name: "`.none`") { $0.compression = .none },
    Choice(name: "`.lz4`, the default") { $0.compression = .lz4 },
    Choice(name: "`.lz4hc(level: 9)`") { $0.compression = .lz4hc(level: 9) },
    Choice(name: "`.small`") { $0.compression = .small },
  ]

  private func report<Model: GCodable>(_ name: String, _ model: Model, _ choices: [Choice]) throws {
    let plain = GraphEncoder()
    plain.compression = .none
    let byteCount = Double((try plain.encode(model) as Bytes).count)
    for choice in choices {
      let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
      (encoder.threadCount, decoder.threadCount) = (1, 1)
      choice.set(encoder)
      let archive = try encoder.encode(model) as Bytes
      let encoding = try median { _ = try encoder.encode(model) as Bytes }
      let decoding = try median { _ = try decoder.decode(Model.self, from: archive) }
      let ratio = String(format: "%.2f", byteCount / Double(archive.count))
      print(
        "| \(name) | \(choice.name) | \(ratio) | \(speed(byteCount, encoding)) | \(speed(byteCount, decoding)) |"
      )
    }
  }

  private func speed(_ byteCount: Double, _ seconds: Double) -> String {
    threeDigits(byteCount / 1e6 / seconds)
  }

  /// Seconds of the processor: other programs that run meanwhile do not count.
  private func median(of body: () throws -> Void) throws -> Double {
    try body()
    return try (0..<5).map { _ in
      let start = spentProcessorSeconds()
      try body()
      return spentProcessorSeconds() - start
    }.sorted()[2]
  }
}
