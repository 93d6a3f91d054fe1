import Foundation

/// W1's record as NSKeyedArchiver takes it.
final class ArchivedRecord: NSObject, NSCoding {
  let record: Record

  init(_ record: Record) {
    self.record = record
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
    record = Record(
      id: coder.decodeInteger(forKey: "id"), name: name, x: coder.decodeDouble(forKey: "x"),
      y: coder.decodeDouble(forKey: "y"), z: coder.decodeDouble(forKey: "z"),
      flag: coder.decodeBool(forKey: "flag"))
  }

  func encode(with coder: NSCoder) {
    coder.encode(record.id, forKey: "id")
    coder.encode(record.name, forKey: "name")
    coder.encode(record.x, forKey: "x")
    coder.encode(record.y, forKey: "y")
    coder.encode(record.z, forKey: "z")
    coder.encode(record.flag, forKey: "flag")
  }
}

/// W9's message as NSKeyedArchiver takes it.
final class ArchivedSample: NSObject, NSCoding {
  let sample: Sample

  init(_ sample: Sample) {
    self.sample = sample
  }

  init?(coder: NSCoder) {
    sample = Sample(
      step: coder.decodeInteger(forKey: "step"), particle: coder.decodeInt32(forKey: "particle"),
      x: coder.decodeDouble(forKey: "x"), y: coder.decodeDouble(forKey: "y"),
      z: coder.decodeDouble(forKey: "z"), velocityX: coder.decodeDouble(forKey: "velocityX"),
      velocityY: coder.decodeDouble(forKey: "velocityY"), velocityZ: coder.decodeDouble(forKey: "velocityZ"),
      mass: coder.decodeDouble(forKey: "mass"), charge: coder.decodeDouble(forKey: "charge"),
      temperature: coder.decodeFloat(forKey: "temperature"),
      flags: UInt32(truncatingIfNeeded: coder.decodeInt64(forKey: "flags")))
  }

  func encode(with coder: NSCoder) {
    coder.encode(sample.step, forKey: "step")
    coder.encode(sample.particle, forKey: "particle")
    coder.encode(sample.x, forKey: "x")
    coder.encode(sample.y, forKey: "y")
    coder.encode(sample.z, forKey: "z")
    coder.encode(sample.velocityX, forKey: "velocityX")
    coder.encode(sample.velocityY, forKey: "velocityY")
    coder.encode(sample.velocityZ, forKey: "velocityZ")
    coder.encode(sample.mass, forKey: "mass")
    coder.encode(sample.charge, forKey: "charge")
    coder.encode(sample.temperature, forKey: "temperature")
    coder.encode(Int64(sample.flags), forKey: "flags")
  }
}
