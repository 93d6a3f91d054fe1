// swift-tools-version: 6.2

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
  ]
)
