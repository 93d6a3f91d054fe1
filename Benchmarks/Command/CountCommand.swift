import ArgumentParser
import Foundation
import GraphCodable
import MacroModels

/// Does a small fixed part of the suite once, to be run by a tool that counts instructions and calls.
///
/// `scripts/perf-check.sh` runs it by valgrind.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Do a small fixed part of the suite once, for tools that count instructions.",
    discussion: """
      Prints a line for every second call of countedRegion: what it did, and on how many units of the \
      workload. The first of two calls is for what happens once per program; the second does the same.
      """)

  @Option(
    help:
      "Pieces of 64 KB to allocate first: objects are then at other addresses, by which tables are filled.")
  var heapShift = 0

  func run() throws {
    try withExtendedLifetime((0..<heapShift).map { _ in [UInt8](repeating: 0, count: 64_000) }, count)
  }

  private func count() throws {
    // Each by its name: a loop over types would run code that is not specialised for them.
    let regions =
      try macroRegions()
      + [
        regions(RecordsWorkload.self), regions(NodesWorkload.self), regions(TreeWorkload.self),
        regions(TextsWorkload.self), regions(ParentsWorkload.self), messageRegions(),
        codableRegions(RecordsWorkload.self) { $0.generate().map(PlainRecord.init) },
        codableRegions(EventsWorkload.self) { Event.generate(count: $0.unitCount / 2) },
      ].flatMap(\.self)
    for region in regions {
      try countedRegion(region.work)
      region.clear()
      try countedRegion(region.work)
      print(region.description)
      try region.check()
    }
  }

  /// The counted work, done twice: the first time covers what happens once per program.
  private struct Region {
    var description: String
    var work: () throws -> Void
    var check: () throws -> Void
    /// Frees the result, which is not counted.
    var clear: () -> Void
  }

  private func regions<Workload: GraphWorkload>(_ type: Workload.Type) throws -> [Region] {
    let workload = type.init(options)
    let model = try workload.generate()
    let archive = try GraphVariant.none.encode(model)
    let result = Output<[UInt8], Workload.Model>()
    let encoding = Region(description: description(workload, .encode)) {
      result.encoded = try GraphVariant.none.encode(model)
    } check: {
      try require(result.encoded == archive)
    } clear: {
      result.encoded = nil
    }
    let decoding = Region(description: description(workload, .decode)) {
      result.decoded = try GraphVariant.none.decode(Workload.Model.self, from: archive)
    } check: {
      try require(result.decoded.map { Workload.isSame(model, $0) } ?? false)
    } clear: {
      result.decoded = nil
    }
    return [encoding, decoding]
  }

  /// A workload as a model that is `Codable` alone.
  private func codableRegions<Counted: Workload, Model: Codable & Equatable>(
    _ type: Counted.Type, _ generate: (Counted) -> Model
  ) throws -> [Region] {
    let workload = type.init(options)
    let model = generate(workload)
    let archive: [UInt8] = try GraphVariant.none.makeEncoder().encode(codable: model)
    let result = Output<[UInt8], Model>()
    let encoding = Region(description: "Codable." + description(workload, .encode)) {
      result.encoded = try GraphVariant.none.makeEncoder().encode(codable: model)
    } check: {
      try require(result.encoded == archive)
    } clear: {
      result.encoded = nil
    }
    let decoding = Region(description: "Codable." + description(workload, .decode)) {
      result.decoded = try GraphDecoder().decode(codable: Model.self, from: archive)
    } check: {
      try require(result.decoded == model)
    } clear: {
      result.decoded = nil
    }
    return [encoding, decoding]
  }

  /// The models of W1, W2, W3 and W6 as the macro codes them; none where the package is built without it.
  private func macroRegions() throws -> [Region] {
    #if Macros
      return try [
        macroRegions(RecordsWorkload.self, { $0.map(MacroRecord.init) }, MacroRecord.coding, isSame: ==),
        macroRegions(NodesWorkload.self, MacroNode.list, MacroNode.coding, isSame: MacroNode.isSameGraph),
        macroRegions(TreeWorkload.self, MacroBranch.make, MacroBranch.coding) { $0.isSame($1) },
        macroRegions(
          ParentsWorkload.self, MacroMember.init, MacroMember.coding, isSame: MacroMember.isSameTree),
      ].flatMap(\.self)
    #else
      return []
    #endif
  }

  #if Macros
    /// A workload's model made of other types.
    private func macroRegions<Counted: GraphWorkload, Model>(
      _ type: Counted.Type, _ convert: (Counted.Model) -> Model, _ coding: MacroCoding<Model>,
      isSame: @escaping (Model, Model) -> Bool
    ) throws -> [Region] {
      let workload = type.init(options)
      let model = try convert(workload.generate())
      let archive = try coding.encode(model)
      let result = Output<[UInt8], Model>()
      let encoding = Region(description: "Macro." + description(workload, .encode)) {
        result.encoded = try coding.encode(model)
      } check: {
        try require(result.encoded == archive)
      } clear: {
        result.encoded = nil
      }
      let decoding = Region(description: "Macro." + description(workload, .decode)) {
        result.decoded = try coding.decode(archive)
      } check: {
        try require(result.decoded.map { isSame(model, $0) } ?? false)
      } clear: {
        result.decoded = nil
      }
      return [encoding, decoding]
    }
  #endif

  private func messageRegions() throws -> [Region] {
    var regions = try messageRegions("", { $0 }) {
      try $0.map(GraphVariant.none.encode)
    } decode: {
      try $0.map { try GraphVariant.none.decode(Sample.self, from: $0) }
    }
    regions += try streamRegions("Stream.", { $0 }) { samples in
      let writer = try GraphMessageWriter(options: streamOptions)
      for sample in samples { try writer.write(sample) }
      try writer.close()
      return try Array(writer.takeBytes())
    } decode: { bytes, list in
      let reader = GraphMessageReader(bytes)
      var count = 0
      while let sample = try reader.next(Sample.self) {
        list?(sample)
        count += 1
      }
      return count
    }
    #if Macros
      let stream = MacroSample.streamCoding
      regions += try streamRegions(
        "Macro.Stream.", MacroSample.init, encode: stream.encode, decode: stream.decode)
      let run = MacroSample.runCoding
      regions += try streamRegions(
        "Macro.Run.", MacroSample.init, encode: run.encode, decode: run.decode)
      let (samples, notices) = (MacroSample.reusedCoding, MacroNotice.reusedCoding)
      regions += try messageRegions("Macro.", MacroSample.init) {
        try $0.map(samples.encode)
      } decode: {
        try $0.map(samples.decode)
      }
      regions += try messageRegions("Macro.Notice.", MacroNotice.init) {
        try $0.map(notices.encode)
      } decode: {
        try $0.map(notices.decode)
      }
    #endif
    return regions
  }

  /// Ten times the messages of W9, or made of these, as one stream.
  private func streamRegions<Message: Equatable>(
    _ prefix: String, _ convert: (Sample) -> Message, encode: @escaping ([Message]) throws -> [UInt8],
    decode: @escaping ([UInt8], ((Message) -> Void)?) throws -> Int
  ) throws -> [Region] {
    let count = 10 * MessagesWorkload(options).unitCount
    let messages = Sample.generate(count: count).map(convert)
    let stream = try encode(messages)
    let result = Output<[UInt8], Int>()
    func description(_ operation: Operation) -> String {
      "\(prefix)W9.\(operation.rawValue) \(count) message"
    }
    let encoding = Region(description: description(.encode)) {
      result.encoded = try encode(messages)
    } check: {
      // Tables and frames take less than two bytes of each.
      try require(result.encoded?.count == stream.count && stream.count <= 80 * messages.count)
    } clear: {
      result.encoded = nil
    }
    let decoding = Region(description: description(.decode)) {
      result.decoded = try decode(stream, nil)
    } check: {
      var decoded: [Message] = []
      _ = try decode(stream) { decoded.append($0) }
      try require(result.decoded == count && decoded == messages)
    } clear: {
      result.decoded = nil
    }
    return [encoding, decoding]
  }

  private var streamOptions: GraphMessageWriter.Options {
    var options = GraphMessageWriter.Options()
    options.identifier = 9
    return options
  }

  /// Messages of W9, or made of these; the closures encode and decode each by itself.
  private func messageRegions<Message: Equatable>(
    _ prefix: String, _ convert: (Sample) -> Message, encode: @escaping ([Message]) throws -> [[UInt8]],
    decode: @escaping ([[UInt8]]) throws -> [Message]
  ) throws -> [Region] {
    let workload = MessagesWorkload(options)
    let messages = Sample.generate(count: workload.unitCount).map(convert)
    let archives = try encode(messages)
    let result = Output<[[UInt8]], [Message]>()
    let encoding = Region(description: prefix + description(workload, .encode)) {
      result.encoded = try encode(messages)
    } check: {
      try require(result.encoded == archives)
    } clear: {
      result.encoded = nil
    }
    let decoding = Region(description: prefix + description(workload, .decode)) {
      result.decoded = try decode(archives)
    } check: {
      try require(result.decoded == messages)
    } clear: {
      result.decoded = nil
    }
    return [encoding, decoding]
  }

  /// About 4,000 elements of most workloads; their archives are smaller than a block, so only one thread works.
  private var options: WorkloadOptions {
    WorkloadOptions(
      size: WorkloadSize(factor: 0.04), isDetailed: true, peerShare: 1,
      scratchFolder: FileManager.default.temporaryDirectory)
  }

  private func description(_ workload: some Workload, _ operation: Operation) -> String {
    "\(type(of: workload).id).\(operation.rawValue) \(workload.unitCount) \(workload.unit)"
  }

  /// What the work has made.
  private final class Output<Encoded, Decoded> {
    var encoded: Encoded?
    var decoded: Decoded?
  }
}
