/// How the fields of a PSF line are laid out.
///
/// CHARMM writes columns of fixed width, so a field may be empty (a segment without a name) or touch the next;
/// NAMD writes fields with blanks between them. A line is read by its columns where they are what they should be,
/// and by its blanks otherwise.
struct PSFAtomLayout {
  /// Whether the columns are those of the extended format, for names of up to eight letters.
  let isExtended: Bool
  /// Whether the columns mean nothing.
  let isFree: Bool

  private var numberWidth: Int { isExtended ? 10 : 8 }
  private var nameWidth: Int { isExtended ? 8 : 4 }

  /// The number of an atom, from 1, and the atom; `nil` if the line is none.
  func parse(_ line: String) -> (number: Int, atom: PSFTopology.AtomRecord)? {
    let bytes = Array(line.utf8)
    return (isFree ? nil : parseColumns(bytes)) ?? parseFields(line)
  }

  /// The order is: number, segment, residue number, residue name, name, type, charge, mass, and others.
  private func parseColumns(_ bytes: [UInt8]) -> (number: Int, atom: PSFTopology.AtomRecord)? {
    let typeStart = numberWidth + 1 + 4 * (nameWidth + 1)
    guard bytes.count > typeStart, let number = Int(text(bytes[..<numberWidth])) else { return nil }
    var names: [String] = []
    for index in 0..<4 {
      let start = numberWidth + 1 + index * (nameWidth + 1)
      guard bytes[start - 1] == UInt8(ascii: " ") else { return nil }
      names.append(text(bytes[start..<start + nameWidth]))
    }
    guard bytes[typeStart - 1] == UInt8(ascii: " "), names.allSatisfy({ !$0.contains(" ") }) else {
      return nil
    }
    let rest = String(decoding: bytes[typeStart...], as: UTF8.self).split(separator: " ")
    return atom(number: number, names: names, rest: rest)
  }

  private func parseFields(_ line: String) -> (number: Int, atom: PSFTopology.AtomRecord)? {
    let fields = line.split(separator: " ")
    guard fields.count >= 8, let number = Int(fields[0]) else { return nil }
    return atom(number: number, names: fields[1...4].map { String($0) }, rest: Array(fields[5...]))
  }

  private func atom(
    number: Int, names: [String], rest: [Substring]
  ) -> (number: Int, atom: PSFTopology.AtomRecord)? {
    guard rest.count >= 3, let charge = Double(rest[1]), let mass = Double(rest[2]),
      charge.isFinite, mass.isFinite, mass >= 0, !names[3].isEmpty
    else { return nil }
    let atom = PSFTopology.AtomRecord(
      segment: names[0], residueNumber: names[1], residueName: names[2], name: names[3],
      type: String(rest[0]), charge: charge, mass: mass)
    return (number, atom)
  }

  /// The numbers in a line of bonds, angles or dihedrals; `nil` if there is anything else.
  func parseNumbers(_ line: String) -> [Int]? {
    let fields = line.split(separator: " ")
    // Numbers as wide as their column touch each other.
    if isFree || fields.allSatisfy({ $0.utf8.count <= numberWidth }) {
      let numbers = fields.compactMap { Int($0) }
      return numbers.count == fields.count ? numbers : nil
    }
    let bytes = Array(line.utf8)
    var numbers: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: numberWidth) {
      guard let number = Int(text(bytes[start..<min(start + numberWidth, bytes.count)])) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).trimmed
  }
}
