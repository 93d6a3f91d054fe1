import _GraphFiles
import _GraphSupport

/// Which object first refers to each object and each bulk segment, as far as the graph can be read.
///
/// Found level by level from the root, so that the way to an object is the shortest, and leads through no object twice.
package struct GraphOwners {
  private let decoder: GDecoder
  /// By number; `none` for unreachable ones.
  private var ofObjects: [UInt32]
  private var ofSegments: [Int: UInt32] = [:]
  /// The nested arrays and the optionals that lie in bulk segments, by the numbers of these.
  package private(set) var arrays: [Int: NestedArray] = [:]
  /// The values whose elements lie in bulk segments, by the numbers of these.
  package private(set) var mentions: [Int: Mention] = [:]

  /// An array in the graph stream: its kind, and the bytes behind that.
  package struct Mention {
    package let kind: GraphKind
    package let range: Range<UInt64>
  }

  private static let none = UInt32.max
  private static let root = UInt32.max - 1
  /// Paths of more objects are not useful.
  private static let maximumObjectCount = 256

  /// - Parameters:
  ///   - isReadable: whether the first byte of an object is.
  ///   - checkCancellation: is called now and then.
  /// - Throws: what `checkCancellation` throws.
  package init(
    _ decoder: GDecoder, isReadable: (UInt32) -> Bool, checkCancellation: () throws -> Void
  ) throws {
    self.decoder = decoder
    ofObjects = Array(repeating: Self.none, count: decoder.tables.objectCount)
    var waiting: [UInt32] = []
    note(of: .root, Self.root, &waiting)
    var place = 0
    while place < waiting.count {
      let number = waiting[place]
      place += 1
      if place % 1024 == 0 { try checkCancellation() }
      if isReadable(number) { note(of: .object(number), number, &waiting) }
    }
  }

  /// Notes what an owner refers to, up to the first damage in it.
  private mutating func note(of owner: OwnWalk.Owner, _ ownerNumber: UInt32, _ waiting: inout [UInt32]) {
    var walk = OwnWalk(decoder)
    try? walk.run(through: owner) { event, walk in
      for target in Target.all(event) where self.owner(of: target) == nil && !walk.isInKey {
        switch target {
        case .object(let number):
          guard decoder.isStored(number) else { continue }
          ofObjects[Int(number)] = ownerNumber
          waiting.append(number)
        case .segment(let number):
          ofSegments[number] = ownerNumber
          mentions[number] = Mention(kind: walk.kind, range: walk.start..<decoder.streamOffset)
          if case .nested(let array) = event { arrays[number] = array }
          if case .optionals(let optionals) = event, number == optionals.array.elements.segmentNumber {
            arrays[number] = optionals.array
          }
        }
      }
    }
  }

  /// The target of a requested path.
  package enum Target: Hashable {
    case object(UInt32)
    case segment(Int)

    /// What a value refers to.
    static func all(_ event: GraphCursor.Event) -> [Self] {
      if case .reference(let number, .reference) = event { return [.object(number)] }
      return event.segmentNumbers.map(Self.segment)
    }
  }

  /// The paths of some objects and bulk segments; none for those that nothing leads to, or too many objects.
  ///
  /// - Complexity: O(n) in the bytes of the objects on the way.
  package func paths(to targets: [Target]) -> [Target: GraphPath] {
    // Each owner on the way is walked through once, for all requested targets.
    var (wanted, owners): (Set<Target>, Set<UInt32>) = ([], [])
    for target in targets {
      for step in way(to: target) ?? [] {
        guard wanted.insert(step).inserted, let owner = owner(of: step) else { break }
        owners.insert(owner)
      }
    }
    var steps: [Target: [GraphPath.Step]] = [:]
    for number in owners {
      var walk = OwnWalk(decoder)
      try? walk.run(through: number == Self.root ? .root : .object(number)) { event, walk in
        for target in Target.all(event)
        where wanted.contains(target) && owner(of: target) == number && steps[target] == nil && !walk.isInKey
        {
          steps[target] = walk.steps
        }
      }
    }
    var paths: [Target: GraphPath] = [:]
    for target in targets {
      guard let way = way(to: target) else { continue }
      paths[target] = GraphPath(way.reversed().flatMap { steps[$0] ?? [] })
    }
    return paths
  }

  private func owner(of target: Target) -> UInt32? {
    switch target {
    case .object(let number): ofObjects[Int(number)] == Self.none ? nil : ofObjects[Int(number)]
    case .segment(let number): ofSegments[number]
    }
  }

  /// The target and the objects on the way to it, back to the root.
  private func way(to target: Target) -> [Target]? {
    var way = [target]
    while let last = way.last, let owner = owner(of: last) {
      if owner == Self.root { return way }
      guard way.count < Self.maximumObjectCount else { return nil }
      way.append(.object(owner))
    }
    return nil
  }
}

extension GraphCursor.Event {
  /// The bulk segments that have what an array consists of.
  package var segmentNumbers: [Int] {
    switch self {
    case .packed(let array): [array.segmentNumber].compactMap(\.self)
    case .nested(let array): [array.elements.segmentNumber].compactMap(\.self)
    case .optionals(let optionals):
      [optionals.presence.segmentNumber, optionals.array.elements.segmentNumber].compactMap(\.self)
    default: []
    }
  }
}

extension PackedElements {
  /// The bulk segment that has the elements.
  package var segmentNumber: Int? {
    if case .segment(let number) = place { number } else { nil }
  }
}
