/// The keys and values of a keyed container, in the order in which they were encoded.
///
/// Values of one type usually have the same keys. So a node starts with the keys of an earlier one with the same first
/// key, and makes a list of its own only if its keys differ.
final class KeyedNode {
  /// The keys; while the node is being filled, there may be more of them than values, as a prediction.
  private(set) var names: [String] = []
  private(set) var values: [Node] = []
  /// Whether the keys differ from the prediction.
  private var hasDeparted = false
  /// The indices of keys, if there are many and they differ from the prediction.
  private var indices: [String: Int]?
  /// A key that was set although Swift considers another one equal to it, despite different bytes.
  private(set) var ambiguousKey: String?

  /// Sets the value of a key; a second one replaces the first.
  ///
  /// - Returns: its index among the values.
  @discardableResult
  func set(_ value: Node, for name: String, predictions: inout KeyPredictions) -> Int {
    let count = values.count
    if count == 0 {
      names = predictions.names(startingWith: name)
      values.reserveCapacity(names.count)
    }
    guard count < names.count, names[count].hasSameBytes(as: name) else {
      return setUnpredicted(value, for: name)
    }
    values.append(value)
    return count
  }

  private func setUnpredicted(_ value: Node, for name: String) -> Int {
    hasDeparted = true
    let count = values.count
    names.removeSubrange(count...)
    if let index = setIndex(of: name) {
      if !names[index].hasSameBytes(as: name) { ambiguousKey = name }
      values[index] = value
      return index
    }
    names.append(name)
    values.append(value)
    indices?[name] = count
    return count
  }

  /// The index of a key among those that are set.
  func index(of name: String) -> Int? {
    let count = values.count
    // A new key is the next one of a prediction, as a rule.
    if count < names.count, names[count].hasSameBytes(as: name) { return nil }
    if count < names.count {
      hasDeparted = true
      names.removeSubrange(count...)
    }
    let index = setIndex(of: name)
    if let index, !names[index].hasSameBytes(as: name) { ambiguousKey = name }
    return index
  }

  /// The index of a key, where none is predicted.
  private func setIndex(of name: String) -> Int? {
    guard values.count > 16 else { return names.firstIndex(of: name) }
    if indices == nil { indices = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
    return indices?[name]
  }

  /// Replaces the value at an index; that of a nested container, which is there when this node has finished.
  func replace(at index: Int, by value: Node) { values[index] = value }

  /// Removes the keys that are only predicted, and learns from those that differ.
  func finish(predictions: inout KeyPredictions) {
    if values.count < names.count {
      hasDeparted = true
      names.removeSubrange(values.count...)
    }
    indices = nil
    if hasDeparted { predictions.learn(names) }
  }
}

/// The keys that keyed nodes are likely to have, by the first of them.
struct KeyPredictions {
  private var lists: [String: [String]] = [:]
  /// The list requested last, to find it again without hashing.
  private var latest: [String] = []

  mutating func names(startingWith first: String) -> [String] {
    if let name = latest.first, name.hasSameBytes(as: first) { return latest }
    guard let list = lists[first], list[0].hasSameBytes(as: first) else { return [] }
    latest = list
    return list
  }

  mutating func learn(_ list: [String]) {
    // A node with this many keys is a dictionary, and the next one will have others.
    guard let first = list.first, list.count <= 64 else { return }
    lists[first] = list
    if latest.first == first { latest = list }
  }
}

extension String {
  /// Whether two strings are equal and written in the same way: canonically equivalent ones, such as a letter with an
  /// accent and the letter followed by the accent, are equal, too.
  fileprivate func hasSameBytes(as other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }
}

extension KeyedNode {
  /// What an error says about an ambiguous key.
  static func ambiguity(of key: String) -> String {
    "The key '\(key)' is canonically equivalent to another key of the same container; most coders keep only one of them."
  }
}
