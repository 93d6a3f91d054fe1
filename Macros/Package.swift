// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

func swiftSyntax(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-syntax") }
}

let package = Package(
  name: "GraphCodableMacrosTests",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "GraphCodable", path: "..", traits: ["Macros"]),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
  ],
  targets: [
    .target(
      name: "MacroExpansion", dependencies: swiftSyntax("SwiftSyntaxMacros"),
      path: "Expansion/GraphCodableMacroPlugin", exclude: ["Plugin.swift"],
      swiftSettings: strict + [.define("Macros")]),
    .testTarget(
      name: "GraphCodableMacrosTests",
      dependencies: [
        .product(name: "GraphCodableMacros", package: "GraphCodable"), "MacroExpansion",
      ]
        + swiftSyntax("SwiftDiagnostics", "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacrosGenericTestSupport"),
      path: "Tests/GraphCodableMacrosTests",
      swiftSettings: strict),
    // A module whose types belong to the main actor unless they say otherwise.
    .testTarget(
      name: "MainActorMacrosTests",
      dependencies: [.product(name: "GraphCodableMacros", package: "GraphCodable")],
      path: "Tests/MainActorMacrosTests", swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    // Macros of somebody else's that change where properties are stored.
    .macro(
      name: "StandInMacros", dependencies: swiftSyntax("SwiftSyntaxMacros", "SwiftCompilerPlugin"),
      path: "Tests/StandInMacros", swiftSettings: strict),
    // Tests that depend on macros themselves would be built for the host, all of them, and the library once more.
    .target(
      name: "StandIns", dependencies: ["StandInMacros"], path: "Tests/StandIns", swiftSettings: strict),
    .testTarget(
      name: "StandInMacrosTests",
      dependencies: [.product(name: "GraphCodableMacros", package: "GraphCodable"), "StandIns"],
      path: "Tests/StandInMacrosTests", swiftSettings: strict),
  ]
)
