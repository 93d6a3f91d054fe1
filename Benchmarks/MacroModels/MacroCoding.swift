#if Macros
  import GraphCodable

  /// How the roots of a model are encoded and decoded, by code of this module.
  ///
  /// The models have a module of their own, as a user's have: within one module the compiler makes one function of what
  /// is written by hand and by the macro, with a parameter for what differs, and both take longer.
  package struct MacroCoding<Root> {
    package let encode: (Root) throws -> [UInt8]
    package let decode: ([UInt8]) throws -> Root
  }

  private func encoder() -> GraphEncoder {
    let encoder = GraphEncoder()
    encoder.compression = .none
    return encoder
  }

  // Not one generic function: it would not be specialised for its types.

  extension MacroRecord {
    package static var coding: MacroCoding<[MacroRecord]> {
      MacroCoding(
        encode: { try encoder().encode($0) },
        decode: { try GraphDecoder().decode([MacroRecord].self, from: $0) })
    }
  }

  extension MacroNode {
    package static var coding: MacroCoding<[MacroNode]> {
      MacroCoding(
        encode: { try encoder().encode($0) },
        decode: { try GraphDecoder().decode([MacroNode].self, from: $0) })
    }
  }

  extension MacroBranch {
    package static var coding: MacroCoding<MacroBranch> {
      MacroCoding(
        encode: { try encoder().encode($0) },
        decode: { try GraphDecoder().decode(MacroBranch.self, from: $0) })
    }
  }

  extension MacroSample {
    /// By one encoder and one decoder for all messages.
    package static var reusedCoding: MacroCoding<MacroSample> {
      let (encoder, decoder) = (encoder(), GraphDecoder())
      return MacroCoding(
        encode: { try encoder.encode($0) }, decode: { try decoder.decode(MacroSample.self, from: $0) })
    }
  }

  /// How messages are coded as a stream.
  package struct MacroStreamCoding<Message> {
    package let encode: ([Message]) throws -> [UInt8]
    /// Calls a closure with each message, if there is one, and returns how many there are.
    package let decode: ([UInt8], ((Message) -> Void)?) throws -> Int

    package func decodeAll(_ bytes: [UInt8]) throws -> [Message] {
      var messages: [Message] = []
      _ = try decode(bytes) { messages.append($0) }
      return messages
    }
  }

  extension MacroSample {
    /// As a stream, by a call for each message.
    package static var streamCoding: MacroStreamCoding<MacroSample> {
      MacroStreamCoding(
        encode: { samples in
          let writer = try GraphMessageWriter()
          for sample in samples { try writer.write(sample) }
          try writer.close()
          return try Array(writer.takeBytes())
        }, decode: decodeStream)
    }

    /// As a stream, by one call for all messages.
    package static var runCoding: MacroStreamCoding<MacroSample> {
      MacroStreamCoding(
        encode: { samples in
          let writer = try GraphMessageWriter()
          try writer.write(contentsOf: samples)
          try writer.close()
          return try Array(writer.takeBytes())
        }, decode: decodeStream)
    }

    private static func decodeStream(_ bytes: [UInt8], _ list: ((MacroSample) -> Void)?) throws -> Int {
      let reader = GraphMessageReader(bytes)
      var count = 0
      while let sample = try reader.next(MacroSample.self) {
        list?(sample)
        count += 1
      }
      return count
    }
  }

  extension MacroNotice {
    /// By one encoder and one decoder for all messages.
    package static var reusedCoding: MacroCoding<MacroNotice> {
      let (encoder, decoder) = (encoder(), GraphDecoder())
      return MacroCoding(
        encode: { try encoder.encode($0) }, decode: { try decoder.decode(MacroNotice.self, from: $0) })
    }
  }

  extension MacroMember {
    package static var coding: MacroCoding<MacroMember> {
      MacroCoding(
        encode: { try encoder().encode($0) },
        decode: { try GraphDecoder().decode(MacroMember.self, from: $0) })
    }
  }
#endif
