// Three versions of one program that read each other's files, also newer ones.
//
//   swift run --package-path Examples ThreeVersions
//
// prints a table: who reads whose file, and what they see.

import Foundation
import GraphCodable

/// The first one.
enum Version1 {
  struct Body: GCodable {
    var name: String
    var mass: Int

    private enum Key: String { case name, mass }

    init(name: String, mass: Int) { (self.name, self.mass) = (name, mass) }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(mass, for: Key.mass)
    }

    init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      mass = try decoder.decode(for: Key.mass)
    }
  }
}

/// Adds a radius, which older files lack and older programs skip.
enum Version2 {
  struct Body: GCodable {
    var name: String
    var mass: Int
    var radius: Double?

    private enum Key: String { case name, mass, radius }

    init(name: String, mass: Int, radius: Double?) {
      (self.name, self.mass, self.radius) = (name, mass, radius)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(mass, for: Key.mass)
      try encoder.encodeIfPresent(radius, for: Key.radius)
    }

    init(from decoder: GDecoder) throws {
      name = try decoder.decode(for: Key.name)
      mass = try decoder.decode(for: Key.mass)
      radius = try decoder.decodeIfPresent(for: Key.radius)
    }
  }
}

/// Calls the name a title, and has fractions of a mass under a key of its own.
///
/// It still writes the old key, for older programs.
enum Version3 {
  struct Body: GCodable {
    var title: String
    var mass: Double
    var radius: Double

    private enum Key: String {
      case title = "name"
      case kilograms, mass, radius
    }

    init(title: String, mass: Double, radius: Double) {
      (self.title, self.mass, self.radius) = (title, mass, radius)
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(title, for: Key.title)
      try encoder.encode(Int(mass.rounded()), for: Key.mass)
      try encoder.encode(mass, for: Key.kilograms)
      try encoder.encode(radius, for: Key.radius)
    }

    init(from decoder: GDecoder) throws {
      title = try decoder.decode(for: Key.title)
      if try decoder.contains(Key.kilograms) {
        mass = try decoder.decode(for: Key.kilograms)
      } else {
        mass = Double(try decoder.decode(Int.self, for: Key.mass))
      }
      radius = try decoder.decode(for: Key.radius, default: 1)
    }
  }
}

@main enum ThreeVersions {
  /// What each version sees in the file of each.
  static func table() throws -> [[String]] {
    let files: [Bytes] = [
      try GraphEncoder().encode(Version1.Body(name: "Moon", mass: 7)),
      try GraphEncoder().encode(Version2.Body(name: "Moon", mass: 7, radius: 2.5)),
      try GraphEncoder().encode(Version3.Body(title: "Moon", mass: 7.35, radius: 2.5)),
    ]
    return try files.map { file in
      let one = try GraphDecoder().decode(Version1.Body.self, from: file)
      let two = try GraphDecoder().decode(Version2.Body.self, from: file)
      let three = try GraphDecoder().decode(Version3.Body.self, from: file)
      return [
        "\(one.name) \(one.mass)", "\(two.name) \(two.mass) \(two.radius.map { "\($0)" } ?? "-")",
        "\(three.title) \(three.mass) \(three.radius)",
      ]
    }
  }

  static func main() throws {
    for (number, row) in try table().enumerated() {
      print("file of version \(number + 1):  " + row.joined(separator: "  |  "))
    }
  }
}
