import ArgumentParser
import Foundation
import GraphCodable

/// Measures arrays of `.npy` files by the codec for numbers and by LZ4.
struct NumbersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "numbers",
    abstract: "Measure what `.small` and LZ4 make of arrays in .npy files.",
    discussion: """
      In memory, with one thread: MB before compression for each second of the processor, the fastest of several \
      repetitions. Files have numbers in little-endian and C order. Fails where an array does not come back bit for bit.
      """)

  @Argument(help: "The files.", completion: .file(extensions: ["npy"])) var files: [String]
  @Option(help: "The processor time in seconds that repetitions take at least, each way.")
  var seconds = 0.3
  @Flag(help: "Print JSON, for scripts.") var json = false

  mutating func validate() throws {
    guard seconds >= 0 else { throw ValidationError("--seconds may not be negative.") }
  }

  func run() throws {
    let costs = try files.flatMap { path in try measure(URL(fileURLWithPath: path)) }
    if json {
      print(String(decoding: try JSONEncoder().encode(costs), as: UTF8.self))
    } else {
      for cost in costs { print(cost.description) }
    }
  }

  // MARK: Types

  private func measure(_ url: URL) throws -> [NumbersCost] {
    let file = try NumPyFile(url)
    func costs<Element: Number>(of type: Element.Type) throws -> [NumbersCost] {
      let array = GArray(file.elements(as: type), shape: file.shape)
      return try [measure(url, array, "small", .small), measure(url, array, "lz4", .lz4)]
    }
    switch file.type {
    case "<f8": return try costs(of: Double.self)
    case "<f4": return try costs(of: Float.self)
    #if !(os(macOS) && arch(x86_64))
      case "<f2": return try costs(of: Float16.self)
    #endif
    case "<i8": return try costs(of: Int64.self)
    case "<i4": return try costs(of: Int32.self)
    case "<i2": return try costs(of: Int16.self)
    case "|i1": return try costs(of: Int8.self)
    case "<u8": return try costs(of: UInt64.self)
    case "<u4": return try costs(of: UInt32.self)
    case "<u2": return try costs(of: UInt16.self)
    case "|u1": return try costs(of: UInt8.self)
    default:
      throw NumPyFile.Refusal(name: url.lastPathComponent, reason: "has elements of the type \(file.type)")
    }
  }

  private typealias Number = GCodable & _GraphPackable & BitwiseCopyable

  // MARK: Cost

  private func measure<Element: Number>(
    _ url: URL, _ array: GArray<Element>, _ choice: String, _ compression: GraphEncoder.Compression
  ) throws -> NumbersCost {
    let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
    (encoder.threadCount, decoder.threadCount) = (1, 1)
    encoder.compression = compression
    let archive = try encoder.encode(array) as Bytes
    let back = try decoder.decode(GArray<Element>.self, from: archive)
    try require(back.shape == array.shape && Self.haveSameBits(back.elements, array.elements))
    return NumbersCost(
      file: url.lastPathComponent, choice: choice, byteCount: array.count * MemoryLayout<Element>.stride,
      storedByteCount: archive.count,
      writeSeconds: try fastest { _ = try encoder.encode(array) as Bytes },
      readSeconds: try fastest { _ = try decoder.decode(GArray<Element>.self, from: archive) })
  }

  private static func haveSameBits<Element>(_ one: [Element], _ other: [Element]) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { other in one.elementsEqual(other) } }
  }

  /// Seconds of the processor: other programs that run meanwhile do not count.
  private func fastest(_ body: () throws -> Void) throws -> Double {
    var (spent, least, count) = (0.0, Double.infinity, 0)
    while spent < seconds || count < 5 {
      let start = spentProcessorSeconds()
      try body()
      let time = spentProcessorSeconds() - start
      // The clock of a virtual machine may stand still for a moment.
      if time > 0 { least = min(least, time) }
      (spent, count) = (spent + time, count + 1)
    }
    return least
  }
}

/// What an array took.
private struct NumbersCost: Encodable, CustomStringConvertible {
  var file: String
  var choice: String
  var byteCount: Int
  /// Of the whole archive.
  var storedByteCount: Int
  var writeSeconds: Double
  var readSeconds: Double

  var description: String {
    let ratio = String(format: "%.3f", Double(byteCount) / Double(storedByteCount))
    func speed(_ seconds: Double) -> String { threeDigits(Double(byteCount) / 1e6 / seconds) }
    return "\(file), \(choice): ratio \(ratio), write \(speed(writeSeconds)), read \(speed(readSeconds)) MB/s"
  }
}
