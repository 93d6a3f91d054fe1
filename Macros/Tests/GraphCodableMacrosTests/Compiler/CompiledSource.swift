import Foundation
import Testing

/// A source that the compiler has checked as a user's: what it says, and where.
struct CompiledSource {
  /// `LINE: severity: message`, each of the source's own file, in the order of its lines.
  let messages: [String]
  /// Messages that point to something else than the source.
  let elsewhere: [String]

  var errors: [String] { messages.filter { $0.contains(": error: ") } }
  var warnings: [String] { messages.filter { $0.contains(": warning: ") } }

  /// - Parameter hasTrait: whether the package's trait `Macros` is enabled.
  init(_ source: String, hasTrait: Bool = true, _ arguments: String...) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("source-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Model.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    var common = try Self.imports()
    if hasTrait {
      common += [
        "-load-plugin-executable",
        "\(Self.products.path)/GraphCodableMacroPlugin-tool#GraphCodableMacroPlugin",
      ]
    } else {
      let sources = Self.root.appendingPathComponent("Sources/GraphCodableMacros")
      let files = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
        .map { sources.appendingPathComponent($0).path }
      let module = folder.appendingPathComponent("GraphCodableMacros.swiftmodule").path
      let said = try Self.swiftc(
        ["-emit-module", "-module-name", "GraphCodableMacros", "-emit-module-path", module] + common + files,
        folder)
      #expect(!said.contains("warning:") && !said.contains("error:"), "\(said)")
      common = ["-I", folder.path] + common
    }
    let output = try Self.swiftc(
      ["-typecheck", "-diagnostic-style", "llvm"] + common + arguments + [file.path], folder)
    var (own, others): ([(Int, String)], [String]) = ([], [])
    for line in output.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^(.+):(\d+):\d+: ((?:error|warning): .*)$/) else { continue }
      let (path, number, text) = (match.output.1, Int(match.output.2) ?? 0, String(match.output.3))
      if path.hasSuffix("/Model.swift") { own.append((number, text)) } else { others.append(String(line)) }
    }
    messages = own.sorted { $0.0 < $1.0 }.map { "\($0): \($1)" }
    elsewhere = others
  }

  private static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The folder of the running tests' build.
  private static let products: URL = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    while folder.path != "/" {
      let module = folder.appendingPathComponent("Modules/GraphCodable.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { break }
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  private static func imports() throws -> [String] {
    var arguments = [
      "-swift-version", "6", "-parse-as-library", "-I", products.appendingPathComponent("Modules").path,
    ]
    arguments += ["-module-cache-path", products.appendingPathComponent("ModuleCache").path]
    let sources = root.appendingPathComponent("Sources")
    for target in ["CCallStack", "CGraphArchive"] {
      let own = sources.appendingPathComponent("\(target)/include/module.modulemap").path
      let made = products.appendingPathComponent("\(target).build/module.modulemap").path
      let map = FileManager.default.fileExists(atPath: own) ? own : made
      arguments += [
        "-Xcc", "-fmodule-map-file=\(map)", "-Xcc", "-I", "-Xcc", "\(sources.path)/\(target)/include",
      ]
    }
    for target in ["CLZ4", "CXXHash"] {
      arguments += ["-Xcc", "-fmodule-map-file=\(sources.path)/\(target)/module.modulemap"]
    }
    return arguments
  }

  /// What the compiler prints.
  private static func swiftc(_ arguments: [String], _ folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    let log = folder.appendingPathComponent("log.txt")
    try Data().write(to: log)
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return try String(contentsOf: log, encoding: .utf8)
  }
}
