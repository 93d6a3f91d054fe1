import Foundation

/// The models that the killed programs save, and those that were there before.
enum CrashModels {
  /// Saves the new model over a file, or appends it to a series.
  ///
  /// The arguments are `save` or `append`, the file, compression and number of threads. For `insist`, it appends again after an
  /// error; for `folder`, it appends to a series that is a folder, and for `prune` it removes the others there. For `retain`,
  /// `copy` and `compact`, it rewrites a series: with its last three entries, in their place or in that of the file, or with all
  /// of them. For `set`, it writes and commits a set of three parts; for `sets` the next one of a series, and for `prune-sets` it
  /// removes the others there. For `log`, it appends messages to a stream, and hands over each; for `log-run`, as many by
  /// one call, of which some are handed over at once.
  static let source = """
    import Foundation
    import GraphCodable

    /// What `@GCodable` writes, but for the list: this program is built without macros.
    struct Event: GCodable {
      var number: UInt64
      var square: UInt64

      static var _graphIsFieldwise: Bool { true }
      static func _graphAddFields(to list: inout _GraphFieldList) throws {
        list.add("number", \\Self.number)
        list.add("square", \\Self.square)
      }
      init(_ number: UInt64) { (self.number, square) = (number, number * number) }
      init(from decoder: GDecoder) throws { self = try _GraphFieldList.decode(from: decoder) }
      func encode(to encoder: GEncoder) throws { try _GraphFieldList.encode(self, to: encoder) }
      func _graphWrite(_ encoder: GEncoder) throws { try _GraphFieldList.write(self, encoder) }
      func _graphWritePlain(_ encoder: GEncoder) throws { try _GraphFieldList.writePlain(self, encoder) }
    }

    let bytes = try! Data(contentsOf: URL(fileURLWithPath: "model"))
    let model: [[UInt64]] = (0..<2).map { part in
      [UInt64](unsafeUninitializedCapacity: 140_000) { buffer, count in
        count = bytes.dropFirst(part * 8 * 140_000).copyBytes(to: buffer) / 8
      }
    }
    let arguments = CommandLine.arguments
    let url = URL(fileURLWithPath: arguments[2])
    let encoder = GraphEncoder()
    encoder.compression = arguments[3] == "none" ? .none : .lz4
    encoder.threadCount = Int(arguments[4])!
    do {
      if ["retain", "compact"].contains(arguments[1]) {
        let writer = try GraphArchiveSeries.Writer(url)
        if arguments[1] == "retain" { try writer.retain(last: 3) } else { try writer.compact() }
      } else if arguments[1] == "copy" {
        let series = try GraphArchiveSeries(url)
        try series.copy(to: url) { $0.number >= series.count - 3 }
      } else if arguments[1] == "log" {
        var options = GraphMessageWriter.Options()
        options.tablesByteCount = 300
        let log = try GraphMessageWriter(url, encoder: encoder, options: options)
        while log.nextNumber < 14 {
          try log.write(Event(log.nextNumber))
          try log.flush()
        }
        try log.synchronize()
        try log.close()
      } else if arguments[1] == "log-run" {
        var options = GraphMessageWriter.Options()
        (options.tablesByteCount, options.frameByteCount, options.bufferByteCount) = (300, 48, 200)
        let log = try GraphMessageWriter(url, encoder: encoder, options: options)
        try log.write(contentsOf: (log.nextNumber..<40).map { Event($0) })
        try log.synchronize()
        try log.close()
      } else if arguments[1] != "save" && !arguments[1].contains("set") {
        let isFolder = arguments[1] == "folder" || arguments[1] == "prune"
        let writer = try isFolder ? GraphArchiveSeries.Writer(folder: url) : GraphArchiveSeries.Writer(url)
        let step = writer.series.count
        func append() throws {
          try encoder.append(model, to: writer, step: step, time: Double(step), metadata: ["kind": "new"])
        }
        do { try append() } catch where arguments[1] == "insist" { try append() }
        if arguments[1] == "prune" { try writer.retain(last: 1) }
      } else if arguments[1].contains("set") {
        let series = try arguments[1] == "set" ? nil : GraphArchiveSetSeries.Writer(url)
        let writer = try series?.begin() ?? GraphArchiveSet.Writer(url)
        let receipts = try (0..<3).map { part in
          let joined = try GraphArchiveSet.Writer(writer.folder, token: writer.token)
          return try joined.part(part, of: 3).write(model, by: encoder)
        }
        do { try writer.commit(receipts, step: 2, time: 0) } catch {
          if series != nil { try? writer.abort() }
          throw error
        }
        if arguments[1] == "prune-sets" { try series?.retain(last: 1) }
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
    (0..<140_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(part) }
  }

  /// The numbers of the new model, one after the other: the program reads them, which takes less time than making them.
  static let bytes = new.reduce(into: Data()) { data, part in
    part.withUnsafeBytes { data.append(contentsOf: $0) }
  }

  /// Whether a model is another one, byte for byte: comparing numbers takes a build without optimization longer than all else.
  static func isSame(_ model: [[UInt64]], _ other: [[UInt64]]) -> Bool {
    model.count == other.count
      && zip(model, other).allSatisfy { one, other in
        one.withUnsafeBytes { one in
          other.withUnsafeBytes {
            one.count == $0.count && memcmp(one.baseAddress!, $0.baseAddress!, $0.count) == 0
          }
        }
      }
  }

  /// That of a set that was there before.
  static let small: [[UInt64]] = [[1, 2, 3]]

  /// Compression and number of threads.
  static let variants = [["none", "1"], ["lz4", "3"]]

  /// How many times a process is killed at a random time; `make crash` takes 500.
  static let randomCount = Int(ProcessInfo.processInfo.environment["GRAPHCODABLE_CRASHES"] ?? "") ?? 25
}
