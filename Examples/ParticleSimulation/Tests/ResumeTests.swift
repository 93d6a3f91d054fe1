import Foundation
import GraphCodable
import Testing

@testable import ParticleModel

@Suite struct ResumeTests {
  @Test func continuedRunEqualsTheUninterruptedOneBitForBit() throws {
    let folder = try TemporaryFolder()
    let snapshots = try Snapshots(folder: folder.url)
    let uninterrupted = try smallSimulation(steps: 0)
    try uninterrupted.run(steps: 24) { simulation in
      if simulation.stepCount == 8 || simulation.stepCount == 16 { try snapshots.save(simulation) }
    }
    let continued = try Snapshots.load(try #require(try Snapshots.latest(in: folder.url)))
    #expect(continued.stepCount == 16)
    #expect(continued.differences(from: uninterrupted).isEmpty == false)
    try continued.run(steps: 8)
    #expect(continued.differences(from: uninterrupted) == [])
    #expect(continued.energies == uninterrupted.energies)
  }

  @Test func runGoesOnFromAChainOfArchives() throws {
    let uninterrupted = try smallSimulation(steps: 9)
    var continued = try smallSimulation(steps: 0)
    for _ in 0..<3 {
      try continued.run(steps: 3)
      let bytes = try GraphEncoder().encode(continued) as Bytes
      continued = try GraphDecoder().decode(Simulation.self, from: bytes)
    }
    #expect(continued.differences(from: uninterrupted) == [])
  }

  @Test func savingLeavesTheRunAsItIs() throws {
    let quiet = try smallSimulation(steps: 6)
    let saved = try smallSimulation(steps: 0)
    try saved.run(steps: 6) { _ = try GraphEncoder().encode($0) as Bytes }
    #expect(saved.differences(from: quiet) == [])
  }

  @Test func oldSnapshotsMakeRoomForNewOnes() throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("new")
    let snapshots = try Snapshots(folder: place, keepCount: 2)
    let simulation = try smallSimulation(steps: 0)
    try simulation.run(steps: 4) { try snapshots.save($0) }
    let series = try GraphArchiveSeries(folder: place)
    #expect(series.map(\.step) == [3, 4])
    #expect(series.map(\.time) == [3 * 0.004, 4 * 0.004])
    try snapshots.removeAll()
    #expect(try Snapshots.latest(in: place) == nil)
  }
}
