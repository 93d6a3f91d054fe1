// swift-tools-version: 6.2

// The demonstration alone: it is what anybody builds first, so it needs no other package than the library.
// `Examples/Package.swift` has the program with all commands, and the tests.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

let graphCodable: Target.Dependency = .product(name: "GraphCodable", package: "GraphCodable")

let package = Package(
  name: "ParticleDemo",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "particle-demo", targets: ["particle-demo"])
  ],
  dependencies: [
    .package(name: "GraphCodable", path: "../..")
  ],
  targets: [
    // Of a debug build, which has the first results early, the simulation is optimized all the same.
    .target(
      name: "ParticleModel", dependencies: [graphCodable], path: "Model",
      swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .executableTarget(
      name: "particle-demo", dependencies: ["ParticleModel", graphCodable],
      path: "Demo", swiftSettings: strict),
  ]
)
