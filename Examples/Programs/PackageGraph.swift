// Debian's packages and what they depend on: a graph of tens of thousands of references, with cycles.
//
//   swift run --package-path Examples PackageGraph [STATUS]
//
// reads /var/lib/dpkg/status, saves the graph, loads it, and prints the shortest cycle.

import Foundation
import GraphCodable

/// A package and the packages that it needs.
final class Package: GCodable {
  let name: String
  let version: String
  /// Packages lead back to each other, so these are decoded when all packages have been made.
  private(set) var dependencies: [Package] = []

  init(name: String, version: String) { (self.name, self.version) = (name, version) }

  private enum Key: String { case name, version, dependencies }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(version, for: Key.version)
    try encoder.encode(dependencies, for: Key.dependencies)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    version = try decoder.decode(for: Key.version)
    try decoder.deferDecode(for: Key.dependencies) { self.dependencies = $0 }
  }

  /// The packages of a file like `/var/lib/dpkg/status`, in its order; names that it does not have are left out.
  static func packages(status text: String) -> [Package] {
    var found: [(package: Package, needs: [Substring])] = []
    for paragraph in text.split(separator: "\n\n") {
      var fields: [Substring: Substring] = [:]
      for line in paragraph.split(separator: "\n") where !line.hasPrefix(" ") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[parts[0]] = parts[1].dropFirst() }
      }
      guard let name = fields["Package"] else { continue }
      let package = Package(name: String(name), version: String(fields["Version"] ?? ""))
      // "libc6 (>= 2.36), debconf | debconf-2.0, python3:any": the first of each choice, without versions.
      let needs =
        (fields["Pre-Depends"] ?? "").split(separator: ",") + (fields["Depends"] ?? "").split(separator: ",")
      found.append((package, needs.compactMap { $0.split { " (|:".contains($0) }.first }))
    }
    let byName = Dictionary(found.map { ($0.package.name[...], $0.package) }, uniquingKeysWith: { $1 })
    for (package, needs) in found { package.dependencies = needs.compactMap { byName[$0] } }
    return found.map(\.package)
  }

  /// The shortest way from a package back to itself.
  static func shortestCycle(in packages: [Package]) -> [Package] {
    var shortest: [Package] = []
    for start in packages {
      var previous: [ObjectIdentifier: Package] = [:]
      var waiting = [start]
      search: while !waiting.isEmpty {
        var next: [Package] = []
        for package in waiting {
          for needed in package.dependencies {
            if needed === start {
              var way = [package]
              while let last = way.last, last !== start, let before = previous[ObjectIdentifier(last)] {
                way.append(before)
              }
              if shortest.isEmpty || way.count < shortest.count { shortest = way.reversed() }
              break search
            }
            if previous.updateValue(package, forKey: ObjectIdentifier(needed)) == nil { next.append(needed) }
          }
        }
        waiting = next
      }
      if shortest.count == 1 { break }
    }
    return shortest
  }

  /// Cycles keep each other alive; this lets go of them.
  static func release(_ packages: [Package]) {
    for package in packages { package.dependencies = [] }
  }
}

@main enum PackageGraph {
  static func main() throws {
    let status = CommandLine.arguments.dropFirst().first ?? "/var/lib/dpkg/status"
    guard let text = try? String(contentsOfFile: status, encoding: .utf8) else {
      print("\(status) is not here: this is not Debian, or name such a file.")
      return
    }
    let packages = Package.packages(status: text)
    defer { Package.release(packages) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "packages-\(UUID().uuidString).gcodable")
    defer { try? FileManager.default.removeItem(at: file) }
    try GraphEncoder().write(packages, to: file)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] ?? 0

    let loaded = try GraphDecoder().read([Package].self, from: file)
    defer { Package.release(loaded) }
    let references = loaded.reduce(0) { $0 + $1.dependencies.count }
    print("\(loaded.count) packages with \(references) dependencies, in \(size) bytes")
    let cycle = Package.shortestCycle(in: loaded)
    print(cycle.isEmpty ? "no cycle" : (cycle + cycle.prefix(1)).map(\.name).joined(separator: " → "))
  }
}
