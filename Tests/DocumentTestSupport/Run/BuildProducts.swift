import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The built libraries, as a program outside the package needs them: modules, objects and flags.
///
/// A test knows a library only as something linked into itself. What an example's program must be
/// compiled against lies in the build folder around the running test binary.
struct BuildProducts: Sendable {
  /// Arguments that let `swiftc` find the modules.
  let importArguments: [String]
  /// The libraries' objects, and what they must be linked with.
  private(set) var linkArguments: [String]

  /// The products around the running test binary.
  static let located = Result { try locate() }

  private static func locate() throws -> BuildProducts {
    let folder = try buildFolder()
    let sources = PackageFolder.root.appendingPathComponent("Sources")
    var importArguments = ["-I", folder.appendingPathComponent("Modules").path]
    for target in cTargets {
      importArguments += ["-Xcc", "-I", "-Xcc", sources.appendingPathComponent("\(target)/include").path]
    }
    // The modules of the system as the package was built with them: programs have a home folder of their own,
    // in which the compiler would make them anew.
    importArguments += ["-module-cache-path", folder.appendingPathComponent("ModuleCache").path]
    for map in try moduleMaps(buildFolder: folder, sources: sources) {
      importArguments += ["-Xcc", "-fmodule-map-file=\(map.path)"]
    }
    let swiftObjects = try swiftModules.flatMap {
      try objects(of: $0, endings: ["swift"], buildFolder: folder, sources: sources)
    }
    let cObjects = try cTargets.flatMap {
      try objects(of: $0, endings: ["c"], buildFolder: folder, sources: sources)
    }
    return BuildProducts(
      importArguments: importArguments,
      linkArguments: (swiftObjects + cObjects).map(\.path) + ["-llz4", "-lxxhash"] + instrumentationArguments)
  }

  /// The same products, of which the objects have been linked to one library in a folder.
  ///
  /// Linking hundreds of objects takes longer than compiling the program of a page, so many programs share this.
  func linked(in folder: URL) async throws -> BuildProducts {
    let name = "GraphCodableOfPrograms"
    #if canImport(Darwin)
      let file = folder.appendingPathComponent("lib\(name).dylib")
    #else
      let file = folder.appendingPathComponent("lib\(name).so")
    #endif
    let linking = try await ChildProcess.run(
      ["swiftc", "-emit-library", "-o", file.path] + linkArguments, in: folder, timeLimit: 300)
    guard linking.exitStatus == 0 else {
      throw DocumentProblem("the library does not link:\n\(linking.diagnostics)")
    }
    var products = self
    products.linkArguments =
      ["-L", folder.path, "-l\(name)", "-Xlinker", "-rpath", "-Xlinker", folder.path]
      + Self.instrumentationArguments
    return products
  }

  /// What programs may import, and what that needs.
  ///
  /// `DocumentTestSupport` depends on all of them, so that they are built.
  private static let swiftModules = [
    "GraphCodable", "_GraphMaintenance", "_GraphStorage", "_GraphReading", "_GraphCoding", "_GraphFiles",
    "_GraphSupport", "CyclicCoding", "PolyCodable", "CycleBreaking", "GraphCallStack",
  ]
  private static let cTargets = ["CGraphArchive", "CCallStack"]

  private final class Marker {}

  /// The nearest folder above the running test binary that holds the library's module.
  private static func buildFolder() throws -> URL {
    #if canImport(Darwin)
      // The tests are a bundle that a helper of the toolchain loads.
      let binary = Bundle(for: Marker.self).bundleURL
    #else
      let binary = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    #endif
    var folder = binary.deletingLastPathComponent()
    while folder.path != "/" {
      let module = folder.appendingPathComponent("Modules/GraphCodable.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return folder }
      folder.deleteLastPathComponent()
    }
    throw DocumentProblem("no folder above \(binary.path) holds Modules/GraphCodable.swiftmodule")
  }

  private static func moduleMaps(buildFolder: URL, sources: URL) throws -> [URL] {
    let systemLibraries = ["CLZ4", "CXXHash"].map { sources.appendingPathComponent("\($0)/module.modulemap") }
    return try systemLibraries
      + cTargets.map { target in
        let own = sources.appendingPathComponent("\(target)/include/module.modulemap")
        let generated = buildFolder.appendingPathComponent("\(target).build/module.modulemap")
        guard let map = [own, generated].first(where: { FileManager.default.fileExists(atPath: $0.path) })
        else { throw DocumentProblem("\(target) has no module map in its build folder") }
        return map
      }
  }

  /// The objects of the sources that are there now: a build folder may also hold those of deleted ones.
  private static func objects(
    of target: String, endings: Set<String>, buildFolder: URL, sources: URL
  ) throws -> [URL] {
    let root = sources.appendingPathComponent(target)
    let build = buildFolder.appendingPathComponent("\(target).build")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    return try paths.filter { endings.contains(($0 as NSString).pathExtension) }.map { path in
      // SwiftPM keeps the folders of C sources and drops those of Swift sources.
      let candidates = ["\(path).o", "\((path as NSString).lastPathComponent).o"]
      let found = candidates.map { build.appendingPathComponent($0) }
        .first { FileManager.default.fileExists(atPath: $0.path) }
      guard let found else { throw DocumentProblem("no object for \(target)/\(path) in \(build.path)") }
      return found
    }
  }

  /// Objects built for coverage or a sanitizer need its run-time library in the program, too.
  private static var instrumentationArguments: [String] {
    var arguments: [String] = []
    if ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil {
      arguments.append("-profile-generate")
    }
    for (symbol, sanitizer) in [("__asan_init", "address"), ("__tsan_init", "thread")]
    where dlsym(dlopen(nil, RTLD_NOW), symbol) != nil {
      arguments.append("-sanitize=\(sanitizer)")
    }
    return arguments
  }
}
