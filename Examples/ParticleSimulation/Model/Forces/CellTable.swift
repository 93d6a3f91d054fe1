/// The graph of cells, flattened for the inner loop.
///
/// Following 26 references for each cell would count references up and down from all cores at once. The
/// table is made from the graph when a simulation starts or is loaded, and is not part of an archive.
struct CellTable {
  /// How many cells meet in one neighbourhood: a cell and the 26 around it.
  static let neighbourhood = 27

  /// How many cells there are along a side of the box.
  let cellsPerSide: Int
  /// The neighbourhood of cell `c` starts at `27 * c`, with the cell itself first.
  let neighbours: [Int32]
  /// Beside each entry of `neighbours`, the number of its shift in `shifts`.
  let shiftNumbers: [UInt8]
  /// What to add to the positions in a neighbour to see them from the cell, across the periodic boundary.
  let shifts: [SIMD3<Double>]

  /// Flattens the graph of `simulation`.
  ///
  /// - Throws: `SimulationError.invalidState` if the graph is not that of a periodic grid.
  init(_ simulation: Simulation) throws {
    let count = simulation.cellsPerSide
    let cells = simulation.domains.flatMap(\.cells)
    guard count >= 3, count <= 1000, cells.count == count * count * count else {
      throw SimulationError.invalidState("\(cells.count) cells in a grid of \(count) along each side")
    }
    var neighbours: [Int32] = []
    var shiftNumbers: [UInt8] = []
    neighbours.reserveCapacity(cells.count * Self.neighbourhood)
    shiftNumbers.reserveCapacity(cells.count * Self.neighbourhood)
    for (index, cell) in cells.enumerated() {
      guard cell.index == index, cell.place == Self.place(of: index, cellsPerSide: count) else {
        throw SimulationError.invalidState("cell \(cell.index) stands where cell \(index) belongs")
      }
      let expected = Self.places(around: cell.place, cellsPerSide: count)
      guard cell.neighbours.map(\.place) == expected else {
        throw SimulationError.invalidState("cell \(index) has other neighbours than the grid says")
      }
      neighbours.append(Int32(index))
      shiftNumbers.append(Self.shiftNumber(from: cell.place, to: cell.place))
      for neighbour in cell.neighbours {
        // The grid and the places have been compared, so what matters is that it is the same object.
        guard neighbour === cells[neighbour.index] else {
          throw SimulationError.invalidState("cell \(index) points at a copy of cell \(neighbour.index)")
        }
        neighbours.append(Int32(neighbour.index))
        shiftNumbers.append(Self.shiftNumber(from: cell.place, to: neighbour.place))
      }
    }
    cellsPerSide = count
    self.neighbours = neighbours
    self.shiftNumbers = shiftNumbers
    shifts = (0..<Self.neighbourhood).map { number in
      let periods = Self.place(of: number, cellsPerSide: 3) &- SIMD3(repeating: 1)
      return SIMD3<Double>(periods) * simulation.side
    }
  }

  /// How many cells there are.
  var cellCount: Int { cellsPerSide * cellsPerSide * cellsPerSide }

  /// The place in the grid of the cell with number `index`.
  static func place(of index: Int, cellsPerSide count: Int) -> SIMD3<Int> {
    SIMD3(index % count, index / count % count, index / (count * count))
  }

  /// The places of the 26 cells around `place`, in the order in which a cell keeps its neighbours.
  static func places(around place: SIMD3<Int>, cellsPerSide count: Int) -> [SIMD3<Int>] {
    var places: [SIMD3<Int>] = []
    places.reserveCapacity(26)
    for z in -1...1 {
      for y in -1...1 {
        for x in -1...1 where (x, y, z) != (0, 0, 0) {
          let moved = place &+ SIMD3(x, y, z) &+ SIMD3(repeating: count)
          places.append(SIMD3(moved.x % count, moved.y % count, moved.z % count))
        }
      }
    }
    return places
  }

  /// The shift for a neighbour: cells that are next to each other but far apart in the grid touch across
  /// the boundary.
  private static func shiftNumber(from place: SIMD3<Int>, to neighbour: SIMD3<Int>) -> UInt8 {
    func digit(_ difference: Int) -> Int {
      difference > 1 ? 0 : difference < -1 ? 2 : 1
    }
    let difference = neighbour &- place
    return UInt8(digit(difference.x) + 3 * digit(difference.y) + 9 * digit(difference.z))
  }
}
