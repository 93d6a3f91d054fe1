import Foundation
import ParticleModel

/// The arrays of particles end to end, as they are in memory: what a program writes that has no format.
enum NumberDump {
  private static var numbers: [WritableKeyPath<Particles, [Double]>] {
    [
      \.positions.x, \.positions.y, \.positions.z, \.velocities.x, \.velocities.y, \.velocities.z, \.forces.x,
      \.forces.y, \.forces.z,
    ]
  }

  static func write(_ particles: Particles) -> [UInt8] {
    var bytes: [UInt8] = []
    for path in numbers { append(particles[keyPath: path], to: &bytes) }
    append(particles.identifiers, to: &bytes)
    append(particles.species, to: &bytes)
    return bytes
  }

  static func read(_ bytes: [UInt8], count: Int) -> Particles {
    var particles = Particles(count: 0)
    var offset = 0
    for path in numbers { particles[keyPath: path] = take(count, from: bytes, at: &offset) }
    particles.identifiers = take(count, from: bytes, at: &offset)
    particles.species = take(count, from: bytes, at: &offset)
    return particles
  }

  private static func append<Number: BitwiseCopyable>(_ numbers: [Number], to bytes: inout [UInt8]) {
    numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  private static func take<Number: BitwiseCopyable>(_ count: Int, from bytes: [UInt8], at offset: inout Int)
    -> [Number]
  {
    let range = offset..<offset + count * MemoryLayout<Number>.stride
    offset = range.upperBound
    return [Number](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      // Safe because the slice has exactly the bytes of so many numbers, or traps.
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[range]))
      }
      initializedCount = count
    }
  }
}
