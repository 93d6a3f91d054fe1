import ParticleModel
import Foundation
let n = Int(CommandLine.arguments.dropFirst().first ?? "200000")!
let steps = Int(CommandLine.arguments.dropFirst(2).first ?? "20")!
let clock = ContinuousClock()
var s: Simulation!
print(try clock.measure { s = try Simulation(Parameters(particleCount: n)) }, s.cellsPerSide)
if CommandLine.arguments.count > 3 { s.threadCount = Int(CommandLine.arguments[3])! ; try s.prepare() }
@MainActor func show() { print(s.stepCount, s.temperature, s.potentialEnergy / Double(n), s.energies.relativeDrift, s.momentum, s.fingerprint) }
show()
print(try clock.measure { try s.run(steps: steps) } / steps)
show()
