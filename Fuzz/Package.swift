// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

// A package of its own, so that the library's needs no sanitizer. `make fuzz` builds it.
let package = Package(
  name: "GraphCodableFuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "GraphCodable", path: "..")],
  targets: [
    // What is fuzzed. The root package compiles it, too, for the tests that replay the kept inputs.
    .target(
      name: "FuzzTargets",
      dependencies: ["GraphCodable", "CyclicCoding", "PolyCodable"].map {
        .product(name: $0, package: "GraphCodable")
      },
      path: "Targets", swiftSettings: strict),
    .target(name: "CFuzzer", path: "CFuzzer"),
    .executableTarget(
      name: "fuzzer", dependencies: ["FuzzTargets", "CFuzzer"], path: "Fuzzer", swiftSettings: strict),
  ]
)
