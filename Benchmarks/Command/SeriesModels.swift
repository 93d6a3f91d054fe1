import GraphCodable
import MoleculeBenchmarkModel

// What the entries of the series hold.

extension FieldSet {
  /// Changes every block of all arrays a little.
  mutating func changeAll(_ step: Int) {
    func change(_ values: inout [Double]) {
      for index in stride(from: 0, to: values.count, by: 1_000) { values[index] += Double(step + 1) * 1e-6 }
    }
    change(&density)
    change(&pressure)
    change(&temperature)
    change(&energy)
    change(&velocityX)
    change(&velocityY)
    change(&velocityZ)
    change(&vorticity)
  }
}

/// A molecule at a time.
struct MoleculeState: GCodable {
  let molecule: Molecule
  var positions: [Float] = []

  private enum Key: String { case molecule, positions }

  init(molecule: Molecule) { self.molecule = molecule }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(molecule, for: Key.molecule)
    try encoder.encode(positions, for: Key.positions)
  }

  init(from decoder: GDecoder) throws {
    molecule = try decoder.decode(for: Key.molecule)
    positions = try decoder.decode(for: Key.positions)
  }
}

/// A graph of many small objects.
final class ObjectField: GCodable {
  var cells: [ObjectCell]

  private enum Key: String { case cells }

  init(count: Int) { cells = (0..<count).map { ObjectCell(number: $0) } }

  func encode(to encoder: GEncoder) throws { try encoder.encode(cells, for: Key.cells) }

  init(from decoder: GDecoder) throws { cells = try decoder.decode(for: Key.cells) }
}

final class ObjectCell: GCodable {
  let number: Int
  let name: String
  var value: Double

  private enum Key: String { case number, name, value }

  init(number: Int) { (self.number, name, value) = (number, "cell \(number % 977)", Double(number) / 7) }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(value, for: Key.value)
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    name = try decoder.decode(for: Key.name)
    value = try decoder.decode(for: Key.value)
  }
}
