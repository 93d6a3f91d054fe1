import Foundation

/// The measurements of NSKeyedArchiver on a small part of a workload.
///
/// It keeps identity and classes, as GraphCodable does. But on Linux its time grows with the square of the
/// number of objects: 10,000 nodes of W2 take minutes. And cycles, for which it is made, end the program there
/// when they are decoded, by endless recursion; so W6 has no such measurement.
struct KeyedArchiverCases<Root: NSObject> {
  let workload: String
  /// How much of the workload the root holds.
  let share: Double
  let root: () throws -> Root
  /// Whether a decoded root (second) equals the root, structure included.
  let isSame: (Root, Root) -> Bool

  var cases: [MeasuredCase] {
    [encoding, decoding]
  }

  private func label(_ operation: Operation) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: .keyedArchiver)
  }

  private var encoding: MeasuredCase {
    MeasuredCase(label(.encode), share: share, prepare: root) { root in
      try Self.encode(root)
    } check: { root, data in
      try require(isSame(root, Self.decode(data)))
      return data.count
    }
  }

  private var decoding: MeasuredCase {
    MeasuredCase(label(.decode), share: share) {
      try Self.encode(root())
    } work: { data in
      try Self.decode(data)
    } check: { data, decoded in
      try require(isSame(root(), decoded))
      return data.count
    }
  }

  static func encode(_ root: Root) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
  }

  static func decode(_ data: Data) throws -> Root {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    guard let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Root else {
      throw CocoaError(.coderReadCorrupt)
    }
    return root
  }
}

extension Workload {
  /// The measurements of NSKeyedArchiver on a few of `count` elements; in detail only.
  func keyedArchiverCases<Root: NSObject>(
    count: Int, root: @escaping (_ peerCount: Int) throws -> Root, isSame: @escaping (Root, Root) -> Bool
  ) -> [MeasuredCase] {
    guard options.isDetailed else { return [] }
    let peerCount = min(count, 200)
    return KeyedArchiverCases(
      workload: name, share: Double(peerCount) / Double(count), root: { try root(peerCount) }, isSame: isSame
    ).cases
  }
}
