import Foundation
import GraphCodable
import Testing

@testable import ParticleModel

@Suite struct RoundTripTests {
  enum Way: CaseIterable {
    case bytes, uncompressedBytes, data, file, uncompressedFile
  }

  /// What comes back from an archive.
  func copy(_ simulation: Simulation, by way: Way = .bytes) throws -> Simulation {
    let encoder = GraphEncoder()
    switch way {
    case .bytes, .uncompressedBytes:
      encoder.compression = way == .bytes ? .lz4 : .none
      let bytes = try encoder.encode(simulation) as Bytes
      return try GraphDecoder().decode(Simulation.self, from: bytes)
    case .data:
      let data = try encoder.encode(simulation) as Data
      return try GraphDecoder().decode(Simulation.self, from: data)
    case .file, .uncompressedFile:
      encoder.compression = way == .file ? .lz4 : .none
      let folder = try TemporaryFolder()
      let url = folder.url.appendingPathComponent("state.gcodable")
      try encoder.write(simulation, to: url)
      return try GraphDecoder().read(Simulation.self, from: url)
    }
  }

  @Test(arguments: Way.allCases)
  func everyBitComesBack(way: Way) throws {
    let simulation = try smallSimulation()
    let loaded = try copy(simulation, by: way)
    #expect(loaded.differences(from: simulation) == [])
    #expect(loaded.fingerprint == simulation.fingerprint)
    #expect(loaded.particles == simulation.particles)
    #expect(loaded.parameters == simulation.parameters)
  }

  @Test func neighboursAreTheCellsThemselves() throws {
    let simulation = try smallSimulation()
    let loaded = try copy(simulation)
    #expect(loaded.domains.count == simulation.domains.count)
    for (cell, original) in zip(
      loaded.domains.flatMap(\.cells), simulation.domains.flatMap(\.cells))
    {
      #expect(cell.neighbours.count == 26)
      #expect(cell.neighbours.map(\.index) == original.neighbours.map(\.index))
      #expect(cell.neighbours.allSatisfy { $0 === loaded.cell($0.index) })
      // One step there and one back: the cycle is closed.
      #expect(cell.neighbours.allSatisfy { $0.neighbours.contains { $0 === cell } })
    }
  }

  @Test func parentsAreTheOwnersThemselves() throws {
    let loaded = try copy(try smallSimulation())
    for domain in loaded.domains {
      #expect(domain.simulation === loaded)
      #expect(domain.cells.allSatisfy { $0.domain === domain })
    }
  }

  @Test func speciesComeBackAsTheirSubclasses() throws {
    let loaded = try copy(try smallSimulation())
    let classes: [Species.Type] = [Argon.self, Krypton.self, Bead.self]
    #expect(loaded.species.map { ObjectIdentifier(type(of: $0)) } == classes.map { ObjectIdentifier($0) })
    #expect((loaded.species[1] as? Krypton)?.unlikeWeakening == 0.011)
  }

  @Test func materialsAreSharedAsBefore() throws {
    let loaded = try copy(try smallSimulation())
    #expect(loaded.species[0].material === loaded.species[1].material)
    #expect(loaded.species[0].material !== loaded.species[2].material)
    #expect(loaded.species[2].material.name == "polymer")
  }

  @Test func cellsFindTheirParticlesAfterLoading() throws {
    let simulation = try smallSimulation()
    let loaded = try copy(simulation)
    #expect(loaded.cell(0).particles.isEmpty)
    try loaded.prepare()
    for index in 0..<27 {
      #expect(loaded.cell(index).particles == simulation.cell(index).particles)
    }
  }

  @Test func loadedGraphIsFreedWithItsRoot() throws {
    weak var cell: Cell?
    do {
      let loaded = try copy(try smallSimulation())
      cell = loaded.cell(13)
      #expect(cell != nil)
    }
    #expect(cell == nil)
  }

  @Test func damagedSnapshotThrows() throws {
    let folder = try TemporaryFolder()
    let stored = try Snapshots(folder: folder.url).save(try smallSimulation())
    var bytes = try Data(contentsOf: stored.url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: stored.url)
    #expect(throws: (any Error).self) { try Snapshots.load(stored.url) }
    try bytes.prefix(bytes.count - 7).write(to: stored.url)
    #expect(throws: (any Error).self) { try Snapshots.load(stored.url) }
  }
}
