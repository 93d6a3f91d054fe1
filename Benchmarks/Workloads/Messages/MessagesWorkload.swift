import Foundation
import GraphCodable
import MacroModels

/// W9: one small message after the other.
struct MessagesWorkload: Workload {
  static let id = "W9"
  static let subject = "small messages"
  static let quickSizes = [0.1]
  let unit = "message"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(10_000)
  }

  var title: String { "\(grouped(count)) messages of 12 numbers, each encoded and decoded by itself" }

  var unitCount: Int { count }

  var remark: String { "sizes are those of all messages together" }

  func cases() -> [MeasuredCase] {
    graphMessages(.none) + graphMessages(.lz4) + reusedCoderMessages + streamedMessages + macroMessages
      + protobufCases(generate) + foundationMessages(.json) + foundationMessages(.plist)
      + (options.isDetailed ? keyedArchiverMessages : [])
  }

  private func graphMessages(_ variant: GraphVariant) -> [MeasuredCase] {
    MessageCases(workload: name, subject: variant.subject, messages: generate) {
      try variant.encode($0)
    } decode: {
      try variant.decode(Sample.self, from: $0)
    }.cases
  }

  /// One encoder and one decoder for all messages.
  private var reusedCoderMessages: [MeasuredCase] {
    let (encoder, decoder) = (GraphVariant.none.makeEncoder(), GraphDecoder())
    return MessageCases(workload: name, subject: .graphReused, messages: generate) { message -> [UInt8] in
      try encoder.encode(message)
    } decode: {
      try decoder.decode(Sample.self, from: $0)
    }.cases
  }

  private var streamedMessages: [MeasuredCase] {
    StreamCases(workload: name, subject: .graphStream, messages: generate) { messages in
      let writer = try GraphMessageWriter()
      for message in messages { try writer.write(message) }
      try writer.close()
      return try Array(writer.takeBytes())
    } decode: { bytes in
      let reader = GraphMessageReader(bytes)
      var messages: [Sample] = []
      while let message = try reader.next(Sample.self) { messages.append(message) }
      return messages
    }.cases
  }

  /// The same message as the macro codes it; none where the suite is built without it.
  private var macroMessages: [MeasuredCase] {
    #if Macros
      let generate = { self.generate().map(MacroSample.init) }
      let reused = MacroSample.reusedCoding
      return MessageCases(
        workload: name, subject: .graphReusedMacro, messages: generate, encode: reused.encode,
        decode: reused.decode
      ).cases
        + [
          (MacroSample.streamCoding, Subject.graphStreamMacro),
          (MacroSample.runCoding, Subject.graphStreamMacroAll),
        ].flatMap { coding, subject in
          StreamCases(
            workload: name, subject: subject, messages: generate, encode: coding.encode,
            decode: coding.decodeAll
          ).cases
        }
    #else
      return []
    #endif
  }

  private func foundationMessages(_ coder: FoundationCoder) -> [MeasuredCase] {
    let peerCount = options.peerCount(count)
    return MessageCases(
      workload: name, subject: coder.subject, share: Double(peerCount) / Double(count)
    ) {
      Sample.generate(count: peerCount)
    } encode: {
      try coder.encode($0)
    } decode: {
      try coder.decode(Sample.self, from: $0)
    }.cases
  }

  private var keyedArchiverMessages: [MeasuredCase] {
    let peerCount = min(count, 200)
    return MessageCases(
      workload: name, subject: .keyedArchiver, share: Double(peerCount) / Double(count)
    ) {
      Sample.generate(count: peerCount)
    } encode: {
      try KeyedArchiverCases.encode(ArchivedSample($0))
    } decode: { (data: Data) in
      try KeyedArchiverCases<ArchivedSample>.decode(data).sample
    }.cases
  }

  private func generate() -> [Sample] {
    Sample.generate(count: count)
  }
}
