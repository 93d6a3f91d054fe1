#if Peers
  extension RecordsWorkload {
    func protobufCases(_ fixture: GraphFixture<[Record]>) -> [MeasuredCase] {
      ProtobufCases(workload: name) { RecordList(try fixture.model()) }.cases
    }
  }

  extension GraphWorkload where Model: ProtobufForm {
    func protobufCases(_ fixture: GraphFixture<Model>) -> [MeasuredCase] {
      ProtobufCases(workload: name, form: fixture.model).cases
    }
  }

  extension MessagesWorkload {
    func protobufCases(_ generate: @escaping () -> [Sample]) -> [MeasuredCase] {
      let plain = MessageCases(workload: name, subject: .protobuf, messages: { generate().map(\.message) }) {
        try $0.serializedBytes() as [UInt8]
      } decode: {
        try ProtoSample(serializedBytes: $0)
      }
      let converted = MessageCases(workload: name, subject: .protobufConverted, messages: generate) {
        try $0.protobufBytes()
      } decode: {
        try Sample(protobufBytes: $0)
      }
      return plain.cases + converted.cases
    }
  }
#else
  extension Workload {
    /// The measurements of swift-protobuf: none, because the suite is built without it.
    func protobufCases<Input>(_ input: Input) -> [MeasuredCase] { [] }
  }
#endif

/// What the suite is built without, and how to build it with that; `nil` where everything is measured.
var missingPeers: String? {
  #if Peers
    nil
  #else
    "swift-protobuf is not measured: 'swift run -c release --traits Peers' (or 'make bench') measures it, too."
  #endif
}
