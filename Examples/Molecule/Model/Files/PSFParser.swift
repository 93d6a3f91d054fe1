/// Reads a CHARMM, XPLOR or NAMD topology (PSF).
///
/// The file is a line with `PSF` and flags, then sections. Each starts with a line like `3365 !NBOND: bonds`;
/// those that this example does not need are skipped.
struct PSFParser {
  private var lines: PSFLines
  private var topology = PSFTopology()
  private var layout = PSFAtomLayout(isExtended: false, isFree: false)
  private var seen: Set<String> = []

  /// Parses a whole file.
  ///
  /// - Throws: `MoleculeError.text` with the line that is wrong.
  static func parse(_ bytes: [UInt8]) throws -> PSFTopology {
    var parser = PSFParser(lines: PSFLines(bytes))
    return try parser.parse()
  }

  private init(lines: PSFLines) {
    self.lines = lines
  }

  private mutating func parse() throws -> PSFTopology {
    try parseFirstLine()
    while let line = lines.next() {
      if let header = SectionHeader(line) { try parseSection(header) }
    }
    guard seen.contains("NATOM") else {
      throw lines.failure("the file ends without a list of atoms (!NATOM)")
    }
    return topology
  }

  private mutating func parseFirstLine() throws {
    let words = (lines.next() ?? "").split(separator: " ")
    guard words.first == "PSF" else {
      throw lines.failure("a PSF file starts with the word PSF")
    }
    layout = PSFAtomLayout(isExtended: words.contains("EXT"), isFree: words.contains("NAMD"))
  }

  private mutating func parseSection(_ header: SectionHeader) throws {
    let known: Set<String> = ["NTITLE", "NATOM", "NBOND", "NTHETA", "NPHI", "NIMPHI"]
    guard known.contains(header.name) else { return }
    guard seen.insert(header.name).inserted else {
      throw lines.failure("there is a second section !\(header.name)")
    }
    guard let count = header.counts.first, count >= 0 else {
      throw lines.failure("!\(header.name) needs a number in front of it that is not negative")
    }
    switch header.name {
    case "NTITLE": topology.titles = try parseTitles(count)
    case "NATOM": topology.atoms = try parseAtoms(count)
    case "NBOND": topology.bonds = try parseTuples(count, of: 2, header.name)
    case "NTHETA": topology.angles = try parseTuples(count, of: 3, header.name)
    case "NPHI": topology.dihedrals = try parseTuples(count, of: 4, header.name)
    default: topology.impropers = try parseTuples(count, of: 4, header.name)
    }
  }

  private mutating func parseTitles(_ count: Int) throws -> [String] {
    var titles: [String] = []
    while titles.count < count {
      guard let line = lines.next() else {
        throw lines.failure("the file ends after \(titles.count) of \(count) titles")
      }
      titles.append(line.trimmed)
    }
    return titles
  }

  private mutating func parseAtoms(_ count: Int) throws -> [PSFTopology.AtomRecord] {
    var atoms: [PSFTopology.AtomRecord] = []
    while atoms.count < count {
      guard let line = lines.next(), !line.trimmed.isEmpty else {
        throw lines.failure("the list of atoms ends after \(atoms.count) of \(count)")
      }
      guard let (number, atom) = layout.parse(line) else {
        throw lines.failure("this is no atom: \(line.trimmed.prefix(80))")
      }
      guard number == atoms.count + 1 else {
        throw lines.failure("atom \(number) stands where atom \(atoms.count + 1) belongs")
      }
      atoms.append(atom)
    }
    return atoms
  }

  private mutating func parseTuples(_ count: Int, of size: Int, _ name: String) throws -> [[Int]] {
    guard seen.contains("NATOM") else {
      throw lines.failure("!\(name) comes before the list of atoms")
    }
    // Nothing is reserved for a count that only the file vouches for.
    var tuples: [[Int]] = []
    var tuple: [Int] = []
    while tuples.count < count {
      guard let line = lines.next(), !line.trimmed.isEmpty else {
        throw lines.failure("!\(name) ends after \(tuples.count) of \(count) entries")
      }
      guard let numbers = layout.parseNumbers(line) else {
        throw lines.failure("these are no numbers of atoms: \(line.trimmed.prefix(80))")
      }
      for number in numbers {
        guard tuples.count < count else {
          throw lines.failure("!\(name) has more than \(count) entries")
        }
        guard number >= 1, number <= topology.atoms.count else {
          throw lines.failure("there is no atom \(number), only \(topology.atoms.count) of them")
        }
        tuple.append(number - 1)
        if tuple.count == size {
          guard Set(tuple).count == size else {
            throw lines.failure("!\(name) connects atom \(number) with itself")
          }
          tuples.append(tuple)
          tuple.removeAll(keepingCapacity: true)
        }
      }
    }
    return tuples
  }
}

/// A line like `982 0 !NGRP NST2`: numbers, then an exclamation mark and a name.
private struct SectionHeader {
  let counts: [Int]
  let name: String

  init?(_ line: String) {
    let parts = line.split(separator: "!", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let counts = parts[0].split(separator: " ").map { Int($0) }
    guard !counts.contains(nil) else { return nil }
    self.counts = counts.compactMap { $0 }
    name = String(parts[1].prefix { $0.isLetter || $0.isNumber })
  }
}

/// The lines of a text file, with the number of the one read last.
struct PSFLines {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next line without its end, or `nil` after the last one.
  mutating func next() -> String? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    var line = bytes[position..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    position = end + 1
    number += 1
    // Tabs count as blanks; bytes that are no text become question marks rather than an error in a title.
    return String(decoding: line, as: UTF8.self).replacingTabs
  }

  /// An error at the line read last.
  func failure(_ text: String) -> MoleculeError {
    .text(line: max(number, 1), text)
  }
}

extension StringProtocol {
  /// The text without blanks at either end.
  var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }

  fileprivate var replacingTabs: String {
    utf8.contains(UInt8(ascii: "\t")) ? String(map { $0 == "\t" ? " " : $0 }) : String(self)
  }
}
