// swift-tools-version: 6.1

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

let graphCodable: Target.Dependency = .product(name: "GraphCodable", package: "GraphCodable")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// Programs of one file each: `swift run --package-path Examples NAME`.
let programs = [
  "BackgroundSaving", "HostileFile", "PackageGraph", "RenamedClasses", "ThreeVersions", "UndoHistory",
]

let package = Package(
  name: "GraphCodableExamples",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "particle-simulation", targets: ["particle-simulation"]),
    .executable(name: "molecule", targets: ["molecule"]),
  ],
  dependencies: [
    .package(name: "GraphCodable", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "ParticleModel", dependencies: [graphCodable],
      path: "ParticleSimulation/Model", swiftSettings: strict),
    .executableTarget(
      name: "particle-simulation", dependencies: ["ParticleModel", argumentParser],
      path: "ParticleSimulation/Command", swiftSettings: strict),
    .testTarget(
      name: "ParticleModelTests", dependencies: ["ParticleModel", graphCodable],
      path: "ParticleSimulation/Tests", swiftSettings: strict),

    .target(
      name: "MoleculeModel", dependencies: [graphCodable],
      path: "Molecule/Model", swiftSettings: strict),
    .executableTarget(
      name: "molecule", dependencies: ["MoleculeModel", argumentParser],
      path: "Molecule/Command", swiftSettings: strict),
    .testTarget(
      name: "MoleculeModelTests", dependencies: ["MoleculeModel", graphCodable],
      path: "Molecule/Tests", swiftSettings: strict),

    .testTarget(
      name: "ProgramTests", dependencies: programs.map { .target(name: $0) } + [graphCodable],
      path: "ProgramTests", swiftSettings: strict),
  ]
    + programs.map {
      .executableTarget(
        name: $0, dependencies: [graphCodable], path: "Programs", exclude: others(of: $0),
        sources: ["\($0).swift"], swiftSettings: strict)
    }
)

/// The files in the folder that all programs share, each of which is another one's.
func others(of program: String) -> [String] { programs.filter { $0 != program }.map { "\($0).swift" } }
