// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
]
/// Of what a user links: each use of memory that Swift does not check is marked.
///
/// A release build on Linux has names of functions, as Debian's libraries do, and no debug information, which took 25 MB of
/// the 35 that a user's first build made: see Documentation/Decisions/0042. GRAPHCODABLE_DEBUG_INFO=1 keeps it.
let library =
  strict + [.strictMemorySafety()]
  + (Context.environment["GRAPHCODABLE_DEBUG_INFO"] == "1"
    ? [] : [.unsafeFlags(["-Xfrontend", "-gnone"], .when(platforms: [.linux], configuration: .release))])

/// A plugin that expands the macros and has been built already, which takes minutes: `scripts/perf-check.sh` names it.
let builtPlugin = Context.environment["GRAPHCODABLE_MACRO_PLUGIN"]
let usingBuiltPlugin: [SwiftSetting] =
  builtPlugin.map {
    [.define("Macros"), .unsafeFlags(["-load-plugin-executable", "\($0)#GraphCodableMacroPlugin"])]
  } ?? []

let package = Package(
  name: "GraphCodable",
  platforms: [.macOS(.v13)],  // System libraries by pkg-config do not exist on iOS: see Decision 0067.
  products: [
    .library(name: "GraphCodable", targets: ["GraphCodable"]),
    .library(name: "CyclicCoding", targets: ["CyclicCoding"]),
    .library(name: "PolyCodable", targets: ["PolyCodable"]),
    .library(name: "GraphCodableMacros", targets: ["GraphCodableMacros"]),
  ],
  traits: [
    .trait(
      name: "Macros", description: "The product GraphCodableMacros with @GCodable, which needs swift-syntax."),
    .trait(name: "Peers", description: "The benchmark suite measures swift-protobuf, too."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
    // Those of the benchmark suite: no product needs them, so a package that uses this one does not fetch them.
    .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLZ4", pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    // Where a thread's stack stands and ends, and how to go on on another one.
    .target(name: "CCallStack"),
    .target(name: "GraphCallStack", dependencies: ["CCallStack"], swiftSettings: library),
    .target(name: "CGraphArchive", dependencies: ["CCallStack", "CLZ4", "CXXHash"]),
    // What coders agree on: how cycle breakers call them, and which classes inherit their coding.
    .target(name: "CycleBreaking", dependencies: ["CCallStack"], swiftSettings: library),
    // The library in modules, each on those before it alone. Users import the last one: see Architecture.md.
    .target(
      name: "_GraphSupport", dependencies: ["CGraphArchive", "GraphCallStack"], swiftSettings: library),
    .target(name: "_GraphFiles", dependencies: ["_GraphSupport"], swiftSettings: library),
    .target(
      name: "_GraphCoding", dependencies: ["CycleBreaking", "GraphCallStack", "_GraphFiles"],
      swiftSettings: library),
    .target(name: "_GraphReading", dependencies: ["_GraphCoding"], swiftSettings: library),
    .target(name: "_GraphStorage", dependencies: ["_GraphReading"], swiftSettings: library),
    .target(name: "_GraphMaintenance", dependencies: ["_GraphReading"], swiftSettings: library),
    .target(
      name: "_GraphRepair", dependencies: ["_GraphMaintenance", "_GraphStorage"], swiftSettings: library),
    .target(name: "GraphCodable", dependencies: ["_GraphRepair"], swiftSettings: library),
    .target(name: "CyclicCoding", dependencies: ["CycleBreaking", "GraphCallStack"], swiftSettings: library),
    .target(name: "PolyCodable", dependencies: ["CycleBreaking"], swiftSettings: library),
    // The attributes, and what expands them, all in one target: with helpers that use swift-syntax SwiftPM would build
    // it from source everywhere. Both are empty without the trait. `Macros/` has the tests.
    .target(
      name: "GraphCodableMacros",
      dependencies: ["GraphCodable"] + (builtPlugin == nil ? ["GraphCodableMacroPlugin"] : []),
      swiftSettings: library + usingBuiltPlugin),
    .macro(
      name: "GraphCodableMacroPlugin",
      dependencies: ["SwiftSyntaxMacros", "SwiftCompilerPlugin"].map {
        Target.Dependency.product(
          name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
      },
      swiftSettings: strict),
    .target(
      name: "GraphCodableTestSupport", dependencies: ["GraphCodable"],
      path: "Tests/GraphCodableTestSupport", swiftSettings: strict),
    // The modules up to reading, whose tests share their models; then one target for each that builds on these.
    .testTarget(
      name: "GraphCodableTests",
      dependencies: ["GraphCodable", "GraphCodableTestSupport", "CyclicCoding", "PolyCodable"],
      swiftSettings: strict),
    .testTarget(
      name: "GraphStorageTests", dependencies: ["GraphCodable", "GraphCodableTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GraphMaintenanceTests", dependencies: ["GraphCodable", "GraphCodableTestSupport"],
      swiftSettings: strict),
    // Encoders and decoders that insist on what `Codable` promises.
    .target(
      name: "CodableTestSupport", path: "Tests/CodableTestSupport", swiftSettings: strict),
    .testTarget(
      name: "CyclicCodingTests", dependencies: ["CyclicCoding", "PolyCodable", "CodableTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PolyCodableTests", dependencies: ["PolyCodable", "CodableTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CodableConformanceTests",
      dependencies: [
        "GraphCodable", "CyclicCoding", "PolyCodable", "CodableTestSupport", "DocumentTestSupport",
      ],
      swiftSettings: strict),
    // Tests in C, which also run without Swift.
    .target(
      name: "CGraphArchiveCases", dependencies: ["CGraphArchive"], path: "Tests/CGraphArchiveCases",
      exclude: ["main.c"]),
    .testTarget(
      name: "CGraphArchiveTests", dependencies: ["CGraphArchiveCases", "GraphCodableTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "GraphCodableTypesTests",
      dependencies: ["GraphCodable", "CGraphArchive", "GraphCodableTestSupport", "DocumentTestSupport"],
      swiftSettings: strict),
    // Reads documents, and compiles and runs the programs in them.
    .target(
      name: "DocumentTestSupport", dependencies: ["GraphCodable", "CyclicCoding", "PolyCodable"],
      path: "Tests/DocumentTestSupport", swiftSettings: strict),
    .testTarget(
      name: "GuideExamplesTests", dependencies: ["GraphCodable", "DocumentTestSupport"],
      swiftSettings: strict),
    // Makes and reads the archives in Tests/Corpus.
    .testTarget(
      name: "CorpusTests",
      dependencies: ["GraphCodable", "CGraphArchive", "GraphCodableTestSupport", "DocumentTestSupport"],
      swiftSettings: strict),
    // What is fuzzed, and the inputs that were kept.
    .testTarget(
      name: "FuzzTests",
      dependencies: ["GraphCodable", "CyclicCoding", "PolyCodable", "GraphCodableTestSupport"], path: "Fuzz",
      exclude: ["C", "CFuzzer", "Cases", "Dictionary.txt", "Fuzzer", "Package.swift", "README.md"],
      sources: ["Targets", "Tests"], swiftSettings: strict),
    // Compiles a program and ends it in the middle of its work.
    .testTarget(
      name: "CrashTests", dependencies: ["GraphCodable", "DocumentTestSupport"],
      exclude: ["Interposer"], swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["GraphCodable", "CGraphArchive", "DocumentTestSupport"], swiftSettings: strict),

    // The benchmark suite. It is not among the products, and must not be: SwiftPM makes a product of an executable target in the
    // root package by itself, so that `swift run` finds it, and fetches for other packages what declared products need.
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "GraphCodable", "CyclicCoding", "CGraphArchive", "CLZ4", "MacroModels", "MoleculeBenchmarkModel",
        .product(name: "Benchmark", package: "swift-benchmark"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf", condition: .when(traits: ["Peers"])),
      ],
      path: "Benchmarks",
      exclude: [
        "MacroModels", "Peers/Protobuf/peers.proto", "Peers/Protobuf/generate.sh", "budget.txt",
        "compare_blosc2.py", "compare_files.py", "compare_numbers.py", "compare_parallel.py",
        "compare_trajectory.py", "results",
      ],
      swiftSettings: strict + usingBuiltPlugin),
    // The model of the molecule example, for the suite's W8. Its name is another than in Examples/Package.swift,
    // because target names are unique across the two packages.
    .target(
      name: "MoleculeBenchmarkModel", dependencies: ["GraphCodable"],
      path: "Examples/Molecule/Model", swiftSettings: strict),
    .target(
      name: "MacroModels", dependencies: ["GraphCodable", "GraphCodableMacros"],
      path: "Benchmarks/MacroModels", swiftSettings: strict + usingBuiltPlugin),
  ]
)
