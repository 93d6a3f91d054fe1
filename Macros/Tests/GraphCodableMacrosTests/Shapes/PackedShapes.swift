import GraphCodableMacros
import Testing

@GPacked struct Sample: Equatable {
  var time: Double
  var energy: Float
  @GKey("number") var step: UInt32
  var total: Double { time + Double(energy) }
  static let zero = Sample(time: 0, energy: 0, step: 0)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@GPacked public struct PublicSample: Equatable { public var x, y: Double }

struct SampleByHand: GPackedStruct, Equatable {
  var time: Double
  var energy: Float
  var step: UInt32
  static let packedLayout = PackedLayout<Self>(\.time, \.energy, \.step).named("time", "energy", "number")
}

@Suite("@GPacked")
struct PackedShapeTests {
  @Test func arraysAreWrittenAsByHand() throws {
    let samples = (0..<100).map { Sample(time: Double($0), energy: 1, step: UInt32($0)) }
    let byHand = samples.map { SampleByHand(time: $0.time, energy: $0.energy, step: $0.step) }
    try expectTwins(samples, byHand)
    try expectTwins(samples[1], byHand[1])
  }

  @Test func publicStructsRoundTrip() throws {
    let samples = [PublicSample(x: 1, y: 2), PublicSample(x: 3, y: 4)]
    #expect(try copy(samples) == samples)
  }
}
