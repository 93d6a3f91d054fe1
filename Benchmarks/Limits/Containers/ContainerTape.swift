/// Which containers a model asks for, in order: what `ContainerDecoder` needs to answer as a real decoder would.
final class ContainerTape {
  /// The names of the keys in each keyed container.
  fileprivate(set) var keys: [[String]] = []
  /// The number of elements of each unkeyed container.
  fileprivate(set) var counts: [Int] = []

  init(of value: some Encodable) throws { try value.encode(to: ContainerEncoder(tape: self)) }

  func noteKeyed() -> Int {
    keys.append([])
    return keys.count - 1
  }

  func noteUnkeyed() -> Int {
    counts.append(0)
    return counts.count - 1
  }

  func note(_ key: String, in container: Int) { keys[container].append(key) }

  func noteElement(of container: Int) { counts[container] += 1 }
}

/// A value that containers take as it is.
protocol ContainerLeaf: Codable {
  /// What is decoded.
  static var leaf: Self { get }
}

extension ContainerLeaf where Self: Numeric { static var leaf: Self { 0 } }
extension Bool: ContainerLeaf { static var leaf: Bool { false } }
extension String: ContainerLeaf { static var leaf: String { "" } }
extension Double: ContainerLeaf {}
extension Float: ContainerLeaf {}
extension Int: ContainerLeaf {}
extension Int8: ContainerLeaf {}
extension Int16: ContainerLeaf {}
extension Int32: ContainerLeaf {}
extension Int64: ContainerLeaf {}
extension UInt: ContainerLeaf {}
extension UInt8: ContainerLeaf {}
extension UInt16: ContainerLeaf {}
extension UInt32: ContainerLeaf {}
extension UInt64: ContainerLeaf {}
