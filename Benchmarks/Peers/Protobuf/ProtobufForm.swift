#if Peers
  import SwiftProtobuf

  /// A model that can be said as a message of Protocol Buffers, and back.
  protocol ProtobufForm: Equatable {
    associatedtype Message: SwiftProtobuf.Message & Equatable

    var message: Message { get }

    init(_ message: Message)
  }

  extension ProtobufForm {
    /// The conversion is part of this, as for a program whose model is not made of generated types.
    func protobufBytes() throws -> [UInt8] {
      try message.serializedBytes()
    }

    init(protobufBytes: [UInt8]) throws {
      self.init(try Message(serializedBytes: protobufBytes))
    }
  }

  /// W1's list, which as a message is one with a list in it.
  struct RecordList: ProtobufForm {
    var records: [Record]

    init(_ records: [Record]) {
      self.records = records
    }

    init(_ message: ProtoRecords) {
      records = message.records.map {
        Record(id: Int($0.id), name: $0.name, x: $0.x, y: $0.y, z: $0.z, flag: $0.flag)
      }
    }

    var message: ProtoRecords {
      .with { list in
        list.records = records.map { record in
          .with {
            $0.id = Int64(record.id)
            $0.name = record.name
            $0.x = record.x
            $0.y = record.y
            $0.z = record.z
            $0.flag = record.flag
          }
        }
      }
    }
  }

  extension FieldSet: ProtobufForm {
    init(_ message: ProtoFieldSet) {
      density = message.density
      pressure = message.pressure
      temperature = message.temperature
      energy = message.energy
      velocityX = message.velocityX
      velocityY = message.velocityY
      velocityZ = message.velocityZ
      vorticity = message.vorticity
    }

    var message: ProtoFieldSet {
      .with {
        $0.density = density
        $0.pressure = pressure
        $0.temperature = temperature
        $0.energy = energy
        $0.velocityX = velocityX
        $0.velocityY = velocityY
        $0.velocityZ = velocityZ
        $0.vorticity = vorticity
      }
    }
  }

  extension Texts: ProtobufForm {
    init(_ message: ProtoTexts) {
      strings = message.strings
      counts = message.counts.mapValues { Int($0) }
    }

    var message: ProtoTexts {
      .with {
        $0.strings = strings
        $0.counts = counts.mapValues { Int64($0) }
      }
    }
  }

  extension Sample: ProtobufForm {
    init(_ message: ProtoSample) {
      step = Int(message.step)
      particle = message.particle
      x = message.x
      y = message.y
      z = message.z
      velocityX = message.velocityX
      velocityY = message.velocityY
      velocityZ = message.velocityZ
      mass = message.mass
      charge = message.charge
      temperature = message.temperature
      flags = message.flags
    }

    var message: ProtoSample {
      .with {
        $0.step = Int64(step)
        $0.particle = particle
        $0.x = x
        $0.y = y
        $0.z = z
        $0.velocityX = velocityX
        $0.velocityY = velocityY
        $0.velocityZ = velocityZ
        $0.mass = mass
        $0.charge = charge
        $0.temperature = temperature
        $0.flags = flags
      }
    }
  }
#endif
