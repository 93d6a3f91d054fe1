// swift-tools-version: 6.1

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

let graphCodable: Target.Dependency = .product(name: "GraphCodable", package: "GraphCodable")

let package = Package(
  name: "GraphCodableTools",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "graphcodable", targets: ["GraphCodableTool"])
  ],
  dependencies: [
    .package(name: "GraphCodable", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0"),
  ],
  targets: [
    // Another name than the product's: where file names have no case, it would be that of the library's module.
    .executableTarget(
      name: "GraphCodableTool",
      dependencies: [
        graphCodable, "CGraphPage", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Command", swiftSettings: strict),
    // The page of `graphcodable view`: the files are put into the program when it is built.
    .target(
      name: "CGraphPage", path: "Page",
      exclude: ["README.md", "Reader", "Report", "View", "tests", "page.html", "page.css"],
      sources: ["page.c"]),
    // What the archives of the tests and of the documents hold.
    .target(
      name: "Simulation", dependencies: [graphCodable], path: "Tests/Simulation", swiftSettings: strict),
    .target(name: "PlainSimulation", path: "Tests/PlainSimulation", swiftSettings: strict),
    // Writes files as scenarios say that Python's tests run against both languages.
    .executableTarget(
      name: "ScenarioWriter", dependencies: [graphCodable], path: "Tests/ScenarioWriter",
      swiftSettings: strict),
    .testTarget(
      name: "GraphCodableToolTests",
      dependencies: ["GraphCodableTool", "Simulation", "PlainSimulation", graphCodable],
      path: "Tests/GraphCodableToolTests", swiftSettings: strict),
  ],
  // Has #embed.
  cLanguageStandard: .c2x
)
