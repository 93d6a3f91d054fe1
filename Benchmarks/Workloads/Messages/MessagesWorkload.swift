import Foundation
import GraphCodable

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
    graphMessages(.none) + graphMessages(.lz4) + reusedCoderMessages + streamedMessages
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

  /// All messages in a stream, and back.
  private var streamedMessages: [MeasuredCase] {
    [
      MeasuredCase(label(.encode, .graphStream), prepare: generate, work: Self.stream(of:)) {
        messages, bytes in
        try require(Self.messages(of: bytes) == messages)
        return bytes.count
      },
      MeasuredCase(label(.decode, .graphStream)) {
        try Self.stream(of: generate())
      } work: {
        try Self.messages(of: $0)
      } check: { bytes, messages in
        try require(messages == generate())
        return bytes.count
      },
    ]
  }

  private static func stream(of messages: [Sample]) throws -> [UInt8] {
    let writer = try GraphMessageWriter()
    for message in messages { try writer.write(message) }
    try writer.close()
    return try Array(writer.takeBytes())
  }

  private static func messages(of bytes: [UInt8]) throws -> [Sample] {
    let reader = GraphMessageReader(bytes)
    var messages: [Sample] = []
    while let message = try reader.next(Sample.self) { messages.append(message) }
    return messages
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
