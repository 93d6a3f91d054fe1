import Foundation

/// What the programs that are killed save, and what was there before.
enum CrashModels {
  /// Saves the new model over a file, or appends it to a series.
  ///
  /// The arguments are `save` or `append`, the file, compression and number of threads. For `insist`, it appends again
  /// after an error.
  static let source = """
    import Foundation
    import GraphCodable

    let model: [[UInt64]] = (1...2).map { part in
      [UInt64](unsafeUninitializedCapacity: 200_000) { buffer, count in
        for index in 0..<200_000 { buffer[index] = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(part) }
        count = 200_000
      }
    }
    let arguments = CommandLine.arguments
    let url = URL(fileURLWithPath: arguments[2])
    let encoder = GraphEncoder()
    encoder.compression = arguments[3] == "none" ? .none : .lz4
    encoder.threadCount = Int(arguments[4])!
    do {
      if arguments[1] != "save" {
        let writer = try GraphArchiveSeries.Writer(url)
        let step = writer.series.count
        func append() throws {
          try encoder.append(model, to: writer, step: step, time: Double(step), metadata: ["kind": "new"])
        }
        do { try append() } catch where arguments[1] == "insist" { try append() }
      } else {
        try encoder.write(model, to: url)
      }
    } catch let error as GCodableError where error.code == .file {
      FileHandle.standardError.write(Data("\\(error)".utf8))
      exit(3)
    }
    """

  /// Its first block is that of the new one, so that an entry of a series shares it.
  static let old = [Array(new[0].prefix(150_000))]
  static let new: [[UInt64]] = (1...2).map { part in
    (0..<200_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(part) }
  }

  /// Compression and number of threads.
  static let variants = [["none", "1"], ["lz4", "3"]]

  /// How many times a process is killed at a random time; `make crash` takes 500.
  static let randomCount = Int(ProcessInfo.processInfo.environment["GRAPHCODABLE_CRASHES"] ?? "") ?? 25
}
