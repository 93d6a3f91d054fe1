#if Peers
  import SwiftProtobuf

  /// The measurements of swift-protobuf on a workload: of messages that are there already, and with the
  /// conversion from and to the types of the model.
  struct ProtobufCases<Form: ProtobufForm> {
    let workload: String
    let form: () throws -> Form

    var cases: [MeasuredCase] {
      [encoding, decoding, convertedEncoding, convertedDecoding]
    }

    private func label(_ operation: Operation, _ subject: Subject) -> CaseLabel {
      CaseLabel(workload: workload, operation: operation, subject: subject)
    }

    private var encoding: MeasuredCase {
      MeasuredCase(label(.encode, .protobuf)) {
        try form().message
      } work: { message in
        try message.serializedBytes() as [UInt8]
      } check: { message, bytes in
        try require(Form.Message(serializedBytes: bytes) == message)
        return bytes.count
      }
    }

    private var decoding: MeasuredCase {
      MeasuredCase(label(.decode, .protobuf)) {
        try form().protobufBytes()
      } work: { bytes in
        try Form.Message(serializedBytes: bytes)
      } check: { bytes, message in
        try require(message == form().message)
        return bytes.count
      }
    }

    private var convertedEncoding: MeasuredCase {
      MeasuredCase(label(.encode, .protobufConverted), prepare: form) { form in
        try form.protobufBytes()
      } check: { form, bytes in
        try require(Form(protobufBytes: bytes) == form)
        return bytes.count
      }
    }

    private var convertedDecoding: MeasuredCase {
      MeasuredCase(label(.decode, .protobufConverted)) {
        try form().protobufBytes()
      } work: { bytes in
        try Form(protobufBytes: bytes)
      } check: { bytes, decoded in
        try require(decoded == form())
        return bytes.count
      }
    }
  }
#endif
