import CGraphArchive
import _GraphFiles
import _GraphSupport

/// Structs of numbers alone, which are written as messages without a call for each.
///
/// One message of the type has been encoded before: its bytes in front of the fields are those of all others.
struct NumberRun {
  let type: Pinned<EncoderType>
  /// What precedes the fields: the kind of the root, and the number of the shape.
  let head: gca_message_head
  /// As the kernel knows them, with the end behind them.
  let fields: [gca_number_field]
  /// The most bytes of a message, with its length.
  let maximumByteCount: Int

  /// nil for other types, and before the first message of the type.
  ///
  /// - Parameter isFlagged: whether messages say how many objects they have.
  init?(_ type: Pinned<EncoderType>, isFlagged: Bool) {
    guard type.pointee.plan == .record, let list = type.pointee.fieldList?.pointee, let end = list.end,
      end == type.pointee.predictedEnd, type.pointee.predictedShape != 0
    else { return nil }
    var fields: [gca_number_field] = []
    var byteCount = 0
    for index in 0..<list.fields.count {
      let field = list.fields.pinned(index)
      guard let (kind, most) = field.pointee.operation.number,
        let offset = UInt32(exactly: field.pointee.offset)
      else { return nil }
      fields.append(gca_number_field(kind: kind.rawValue, offset: offset))
      byteCount += most
    }
    fields.append(gca_number_field(kind: GCA_NUMBER_END.rawValue, offset: 0))
    var head = ByteBuilder()
    if isFlagged { head.varint(0) }
    head.bytes.append(type.pointee.kind.rawValue)
    head.varint(UInt64(type.pointee.predictedShape))
    byteCount += head.bytes.count
    var bytes = gca_message_head()
    guard head.bytes.count < 8, byteCount <= GCA_SHORT_MESSAGE else { return nil }
    unsafe withUnsafeMutableBytes(of: &bytes.bytes) { unsafe $0.copyBytes(from: head.bytes) }
    bytes.byteCount = head.bytes.count
    (self.type, self.head, self.fields, maximumByteCount) = (type, bytes, fields, 1 + byteCount)
  }
}

extension ListedField.Operation {
  /// How a number goes into a message, and how many bytes it takes there at most; nil for what is no number.
  fileprivate var number: (gca_number_kind, Int)? {
    switch self {
    case .int: (GCA_NUMBER_INT64, 9)
    case .uint: (GCA_NUMBER_UINT64, 9)
    case .int32: (GCA_NUMBER_INT32, 5)
    case .uint32: (GCA_NUMBER_UINT32, 5)
    case .byte, .bool: (GCA_NUMBER_1, 1)
    case .float: (GCA_NUMBER_4, 4)
    case .double: (GCA_NUMBER_8, 8)
    case .string, .other: nil
    }
  }
}

extension MessageEncoder {
  /// Encodes the first ones of some messages, up to the end of the frame, without a call for each.
  ///
  /// - Returns: how many; none where they are no structs of numbers, or where `encode` has to write one before.
  /// - Throws: `noMemory`.
  @_semantics("optimize.sil.specialize.generic.never")
  package func encodeRun<Message: GEncodable>(_ messages: UnsafeBufferPointer<Message>) throws -> Int {
    guard Message._graphIsFieldwise, let run = try run(of: encoder.encoderType(Message.self)) else {
      return 0
    }
    if frameStart == nil { try beginFrame() }
    guard let start = frameStart else { return 0 }
    let open = byteCount - start
    let end = min(max(intervals.frameByteCount - open, 1), messages.count * run.maximumByteCount)
    try encoder.reserve(byteCount: end + run.maximumByteCount)
    let count = unsafe encoder.state.pointee.out.putMessages(
      UnsafeRawBufferPointer(messages), stride: MemoryLayout<Message>.stride, fields: run.fields,
      head: run.head, reaching: end)
    messageCount += UInt32(count)
    nextNumber += UInt64(count)
    if byteCount - start >= intervals.frameByteCount { try endFrame() }
    return count
  }

  /// How messages of a type are written in a run; nil where they are not.
  private func run(of type: Pinned<EncoderType>) throws -> NumberRun? {
    try checkIsIdle()
    // What a message has added to the tables was sent with it: these are complete.
    if beginsTables { return nil }
    if let numberRun, numberRun.type == type { return numberRun }
    numberRun = NumberRun(type, isFlagged: !flags.isEmpty)
    return numberRun
  }
}
