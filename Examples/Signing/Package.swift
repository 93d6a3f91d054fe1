// swift-tools-version: 6.1

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]

// A package of its own, because swift-crypto takes a minute or two to build.
let package = Package(
  name: "GraphCodableSigning",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "GraphCodable", path: "../.."),
    .package(url: "https://github.com/apple/swift-crypto", from: "3.12.3"),
  ],
  targets: [
    .target(
      name: "Signing", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      path: "Sources", swiftSettings: strict),
    .testTarget(
      name: "SigningTests",
      dependencies: ["Signing", .product(name: "GraphCodable", package: "GraphCodable")],
      path: "Tests", swiftSettings: strict),
  ]
)
