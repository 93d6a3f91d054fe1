import Foundation
import GraphCodable

/// Kinds of data, the same in each run.
enum ChoiceData {
  static func field(_ count: Int) -> [Double] {
    var noise = SplitMix64(seed: 1)
    return (0..<count).map { sin(Double($0) / 5_000) * 100 + noise.unit() * 1e-4 }
  }

  static func positions(_ count: Int) -> [SIMD3<Float>] {
    var noise = SplitMix64(seed: 2)
    return (0..<count * 2 / 3).map { atom in
      let place = SIMD3<Float>(Float(atom % 90), Float(atom / 90 % 90), Float(atom / 8_100 % 90)) * 1.6
      return place + SIMD3<Float>(Float(noise.unit()), Float(noise.unit()), Float(noise.unit()))
    }
  }

  static func measurements(_ count: Int) -> [Double] {
    var noise = SplitMix64(seed: 3)
    return (0..<count).map { _ in pow(10, 12 * noise.unit() - 6) * (noise.unit() - 0.5) }
  }

  static func identifiers(_ count: Int) -> [Int] {
    var (noise, last) = (SplitMix64(seed: 4), 0)
    return (0..<count).map { _ in
      last += 1 + noise.below(20)
      return last
    }
  }

  static func nodes(_ count: Int) -> [ChoiceNode] {
    var noise = SplitMix64(seed: 5)
    var nodes: [ChoiceNode] = []
    for number in 0..<max(1, count / 4) {
      let earlier = number == 0 ? [] : (0..<2).map { _ in nodes[noise.below(number)] }
      nodes.append(ChoiceNode(number: number, name: "node \(noise.below(1_000))", neighbours: earlier))
    }
    return nodes
  }
}

/// An object with a name and references to two earlier ones.
final class ChoiceNode: GCodable {
  let number: Int
  let name: String
  let neighbours: [ChoiceNode]

  init(number: Int, name: String, neighbours: [ChoiceNode]) {
    (self.number, self.name, self.neighbours) = (number, name, neighbours)
  }

  private enum Key: String { case number, name, neighbours }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.number)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(neighbours, for: Key.neighbours)
  }

  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.number)
    name = try decoder.decode(for: Key.name)
    neighbours = try decoder.decode(for: Key.neighbours)
  }
}
