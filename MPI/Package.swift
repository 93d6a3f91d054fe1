// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]
/// Of what a user links: each use of memory that Swift does not check is marked.
let library = strict + [.strictMemorySafety()]

let graphCodable: Target.Dependency = .product(name: "GraphCodable", package: "GraphCodable")

let package = Package(
  name: "GraphCodableMPI",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "GraphCodableMPI", targets: ["GraphCodableMPI"]),
    .executable(name: "mpi-particles", targets: ["mpi-particles"]),
    .executable(name: "mpi-benchmark", targets: ["mpi-benchmark"]),
  ],
  dependencies: [
    .package(name: "GraphCodable", path: "..")
  ],
  targets: [
    .systemLibrary(
      name: "COpenMPI", pkgConfig: "ompi-c",
      providers: [.apt(["libopenmpi-dev"]), .brew(["open-mpi"])]),
    // The macros of MPI that Swift cannot import.
    .target(name: "CGraphCodableMPI", dependencies: ["COpenMPI"]),
    .target(
      name: "GraphCodableMPI", dependencies: ["COpenMPI", "CGraphCodableMPI", graphCodable],
      swiftSettings: library),
    .executableTarget(
      name: "mpi-particles", dependencies: ["GraphCodableMPI", graphCodable], path: "Example",
      swiftSettings: strict),
    // What Benchmarks/compare_parallel.py compares with other ways.
    .executableTarget(
      name: "mpi-benchmark", dependencies: ["GraphCodableMPI", graphCodable], path: "Benchmark",
      swiftSettings: strict),
    // What the tests start as ranks.
    .executableTarget(
      name: "rank-program", dependencies: ["GraphCodableMPI", graphCodable], path: "Tests/RankProgram",
      swiftSettings: strict),
    .testTarget(
      name: "GraphCodableMPITests", dependencies: ["rank-program", "mpi-particles", graphCodable],
      path: "Tests/GraphCodableMPITests", swiftSettings: strict),
  ]
)
