import Foundation
import GraphCodable
import GraphCodableMPI

extension Slab {
  /// Saves the slabs of all ranks as one set.
  func save(
    to folder: URL, on world: MPICommunicator, aggregation: MPIAggregation = .none, progress: Progress? = nil,
    heartbeat: MPIHeartbeat? = nil
  ) throws {
    let (offset, total) = try world.place(of: particles.count)
    let names = ["identifiers", "positions", "velocities", "forces", "energies"]
    let arrays =
      names.map { GraphArchiveSet.ArrayPart($0, globalShape: [total], offset: [offset]) }
      + [.init("layerCounts", globalShape: [box.layerCount], offset: [range.lowerBound])]
    let time = Double(step) * Box.timeStep
    if aggregation == .none {
      try world.saveTogether(
        self, to: folder, step: step, time: time, arrays: arrays, progress: progress, heartbeat: heartbeat)
    } else {
      try world.saveTogether(
        self, to: folder, step: step, time: time, arrays: arrays, aggregation: aggregation,
        progress: progress, heartbeat: heartbeat)
    }
  }

  /// Loads a rank's share of a box that any number of ranks have saved.
  ///
  static func load(from folder: URL, on world: MPICommunicator) throws -> Slab {
    try world.loadTogether(from: folder) { set in
      // A part is a slab, or an array of them.
      let first = try set.part(0)
      let box: Box
      do { box = try first.decode(at: "box") } catch let error as GCodableError
        where error.code == .keyNotFound || error.code == .valueNotFound || error.code == .typeMismatch
      { box = try first.decode(at: "[0].box") }
      let range = try Self.range(of: box, on: world)
      let counts = try set.array(Int.self, "layerCounts").elements()
      let start = counts[..<range.lowerBound].reduce(0, +)
      let rows = start..<(start + counts[range].reduce(0, +))
      func vectors(_ name: String) throws -> [SIMD3<Double>] { try set.array(SIMD3<Double>.self, name)[rows] }
      let particles = try Particle.joined(
        identifiers: set.array(Int.self, "identifiers")[rows], positions: vectors("positions"),
        velocities: vectors("velocities"), forces: vectors("forces"),
        energies: set.array(Double.self, "energies")[rows])
      return Slab(box, step: set.step, range: range, particles: particles)
    }
  }

  /// The first array of which two sets do not have the same bits; nil if there is none.
  static func difference(_ one: GraphArchiveSet, _ other: GraphArchiveSet) throws -> String? {
    func isEqual<Element: GDecodable, Bits: Equatable>(
      _ type: Element.Type, _ name: String, _ bits: (Element) -> Bits
    ) throws -> Bool {
      let elements = try [one, other].map { try $0.array(type, name).elements().map(bits) }
      return elements[0] == elements[1]
    }
    guard one.step == other.step else { return "step" }
    for name in ["layerCounts", "identifiers"] where try !isEqual(Int.self, name, \.self) { return name }
    for name in ["positions", "velocities", "forces"]
    where try !isEqual(SIMD3<Double>.self, name, { [$0.x, $0.y, $0.z].map(\.bitPattern) }) { return name }
    return try isEqual(Double.self, "energies", \.bitPattern) ? nil : "energies"
  }
}
