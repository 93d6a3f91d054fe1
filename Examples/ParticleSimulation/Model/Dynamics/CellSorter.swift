/// Keeps the particles in the order of their cells, and inside a cell in the order of their species.
///
/// The order is part of the physics down to the last bit, because sums depend on the order of their terms. It
/// follows from the order before and the positions alone (the sort is stable), so a run that goes on from an
/// archive has the same order as one that was never interrupted.
struct CellSorter {
  /// The group of cell `c` and species `s` starts at element `c * speciesCount + s`; one more element ends the last.
  private(set) var groupStarts: [Int32]
  /// The group of each particle, or −1 where its position makes no sense.
  var groups: [Int32]
  /// For each place in the new order, the place in the old one.
  private var order: [Int32]
  private var spare: Particles

  init(groupCount: Int, particleCount: Int) {
    groupStarts = Array(repeating: 0, count: groupCount + 1)
    groups = Array(repeating: 0, count: particleCount)
    order = Array(repeating: 0, count: particleCount)
    spare = Particles(count: particleCount)
  }

  /// Finds the new order from `groups`.
  ///
  /// - Returns: Whether all groups are valid; if not, nothing can be sorted.
  mutating func findOrder() -> Bool {
    for group in groupStarts.indices { groupStarts[group] = 0 }
    for group in groups {
      guard group >= 0 else { return false }
      groupStarts[Int(group) + 1] += 1
    }
    for group in 1..<groupStarts.count { groupStarts[group] += groupStarts[group - 1] }
    var cursors = groupStarts
    for (particle, group) in groups.enumerated() {
      order[Int(cursors[Int(group)])] = Int32(particle)
      cursors[Int(group)] += 1
    }
    return true
  }

  /// Whether the order found is the one that the particles already have.
  var isSorted: Bool {
    order.enumerated().allSatisfy { $0.offset == Int($0.element) }
  }

  /// Brings the particles into the order found.
  ///
  /// The forces stay where they are: they are computed anew after each sort.
  mutating func sort(_ particles: inout Particles, workers: Workers) {
    let count = particles.count
    order.withUnsafeBufferPointer { order in
      let gather = Gather(order: order.baseAddress!, count: count)
      spare.withPointers { new in
        particles.withPointers { old in
          workers.run(7) { piece in
            switch piece {
            case 0: gather.move(old.position.x, to: new.position.x)
            case 1: gather.move(old.position.y, to: new.position.y)
            case 2: gather.move(old.position.z, to: new.position.z)
            case 3: gather.move(old.velocity.x, to: new.velocity.x)
            case 4: gather.move(old.velocity.y, to: new.velocity.y)
            case 5: gather.move(old.velocity.z, to: new.velocity.z)
            default:
              gather.move(old.species, to: new.species)
              gather.move(old.identifiers, to: new.identifiers)
            }
          }
        }
      }
    }
    swap(&particles.positions, &spare.positions)
    swap(&particles.velocities, &spare.velocities)
    swap(&particles.species, &spare.species)
    swap(&particles.identifiers, &spare.identifiers)
  }
}

/// Copies elements in a new order.
///
/// Safe to share because it only reads `order`, which outlives it.
private struct Gather: @unchecked Sendable {
  let order: UnsafePointer<Int32>
  let count: Int

  func move<Element>(_ old: UnsafeMutablePointer<Element>, to new: UnsafeMutablePointer<Element>) {
    for index in 0..<count { new[index] = old[Int(order[index])] }
  }
}
