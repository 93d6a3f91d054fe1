/// The particles around one cell, copied side by side so that the inner loops run over plain memory.
///
/// Each species is a group that starts at a whole vector, filled up with particles infinitely far away: then
/// the distances need no loop for the rest, and all pairs of a group share one interaction.
///
/// Safe because every index comes from groups that `append` and `endGroup` made inside the capacity.
struct Surroundings {
  typealias Lanes = SIMD4<Double>
  static let width = 4

  private let x: UnsafeMutablePointer<Double>
  private let y: UnsafeMutablePointer<Double>
  private let z: UnsafeMutablePointer<Double>
  private let squaredDistances: UnsafeMutablePointer<Double>
  private let hits: UnsafeMutablePointer<Int32>
  /// The elements that each species occupies.
  let groups: UnsafeMutablePointer<Range<Int>>
  private var groupStart = 0
  private var count = 0

  /// Takes memory for `capacity` particles in `groupCount` groups.
  init(capacity: Int, groupCount: Int) {
    let filledCapacity = capacity + Self.width * groupCount
    x = Self.allocate(filledCapacity)
    y = Self.allocate(filledCapacity)
    z = Self.allocate(filledCapacity)
    squaredDistances = Self.allocate(filledCapacity)
    hits = .allocate(capacity: filledCapacity)
    groups = .allocate(capacity: groupCount)
    groups.initialize(repeating: 0..<0, count: groupCount)
  }

  /// Gives the memory back.
  func deallocate() {
    x.deallocate()
    y.deallocate()
    z.deallocate()
    squaredDistances.deallocate()
    hits.deallocate()
    groups.deallocate()
  }

  /// Takes memory for numbers that is aligned for whole vectors of them.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer
      .allocate(byteCount: count * MemoryLayout<Double>.stride, alignment: MemoryLayout<Lanes>.alignment)
      .bindMemory(to: Double.self, capacity: count)
  }

  /// Forgets all particles.
  mutating func removeAll() {
    groupStart = 0
    count = 0
  }

  /// Adds the particles from `first` up to `end`, moved by `shift`.
  mutating func append(
    _ position: VectorPointers, from first: Int, to end: Int, shift: SIMD3<Double>
  ) {
    for particle in first..<end {
      x[count] = position.x[particle] + shift.x
      y[count] = position.y[particle] + shift.y
      z[count] = position.z[particle] + shift.z
      count &+= 1
    }
  }

  /// Makes a group of what was added since the last one.
  mutating func endGroup(_ group: Int) {
    while count % Self.width != 0 {
      x[count] = .infinity
      y[count] = .infinity
      z[count] = .infinity
      count &+= 1
    }
    groups[group] = groupStart..<count
    groupStart = count
  }

  /// Computes the squares of the distances from a point to the particles of a group.
  @inline(__always)
  func measure(_ group: Range<Int>, _ px: Double, _ py: Double, _ pz: Double) {
    var index = group.lowerBound
    while index < group.upperBound {
      let dx = lanes(x, index) - px
      let dy = lanes(y, index) - py
      let dz = lanes(z, index) - pz
      UnsafeMutableRawPointer(squaredDistances + index)
        .storeBytes(of: dx * dx + dy * dy + dz * dz, as: Lanes.self)
      index &+= Self.width
    }
  }

  @inline(__always)
  private func lanes(_ numbers: UnsafeMutablePointer<Double>, _ index: Int) -> Lanes {
    UnsafeRawPointer(numbers + index).load(as: Lanes.self)
  }

  /// Leaves one particle out of the next search for hits.
  @inline(__always)
  func exclude(_ index: Int) {
    squaredDistances[index] = .infinity
  }

  /// Lists the particles of a group closer than the cutoff, and returns how many there are.
  @inline(__always)
  func findHits(_ group: Range<Int>, squaredCutoff: Double) -> Int {
    var hitCount = 0
    var index = group.lowerBound
    let end = group.upperBound
    // One particle in seven is a hit, which no branch predictor foresees: so every index is written, and
    // only the count tells which of them stay.
    while index < end {
      hits[hitCount] = Int32(truncatingIfNeeded: index)
      hitCount &+= squaredDistances[index] < squaredCutoff ? 1 : 0
      index &+= 1
    }
    return hitCount
  }

  /// Adds the forces and potentials of the hits to `sum`.
  @inline(__always)
  func add(
    _ hitCount: Int, _ pair: PairInteraction, _ px: Double, _ py: Double, _ pz: Double,
    to sum: inout PairSum
  ) {
    var hit = 0
    while hit < hitCount {
      let index = Int(hits[hit])
      let squaredDistance = squaredDistances[index]
      let inverse = 1 / squaredDistance
      let inverseSixth = inverse * inverse * inverse
      let repulsion = pair.repulsion * inverseSixth
      let force =
        (12 * repulsion - 6 * pair.attraction) * inverseSixth * inverse - 2 * pair.curvature
      sum.potential +=
        (repulsion - pair.attraction) * inverseSixth + pair.curvature * squaredDistance + pair.offset
      sum.x -= force * (x[index] - px)
      sum.y -= force * (y[index] - py)
      sum.z -= force * (z[index] - pz)
      hit &+= 1
    }
  }
}
