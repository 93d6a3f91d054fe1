import GraphCodable
@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Changes archives where their parsers look, and makes every checksum right again.
///
/// Without it, a fuzzer would not come behind the first checksum. What is no archive is left to the caller.
public struct ArchiveMutator {
  /// Changes bytes, which then have at most as many as it is given.
  public typealias Mutation = (inout Bytes, _ maximumCount: Int) -> Void

  private let mutate: Mutation
  private let maximumCount: Int
  private var state: UInt64

  /// - Parameter mutate: how bytes are changed that have no checksums.
  public init(seed: UInt64, maximumCount: Int, mutate: @escaping Mutation) {
    state = seed &+ 0x9E37_79B9_7F4A_7C15
    self.maximumCount = maximumCount
    self.mutate = mutate
  }

  /// Another archive that matches its checksums; nil for bytes of which none can be made.
  public mutating func next(_ bytes: Bytes) -> Bytes? {
    guard let forge = try? Forge(bytes) else { return nil }
    let next: Bytes?
    switch below(8) {
    case 0, 1, 2, 3: next = try? withStream(forge)
    case 4: next = withContents(forge)
    case 5: next = try? withTables(forge)
    case 6: next = try? withSegment(forge)
    default:
      // Several at once, which no single change makes valid.
      next = (try? withStream(forge)).flatMap { bytes in
        (try? Forge(bytes)).flatMap { forge in try? withTables(forge) }
      }
    }
    return next.flatMap { $0.count <= maximumCount ? $0 : nil }
  }

  /// An archive with the graph stream of another one.
  public func cross(_ one: Bytes, _ other: Bytes) -> Bytes? {
    guard let one = try? Forge(one), let stream = try? Forge(other).stream() else { return nil }
    let crossed = try? one.replacingStream(with: stream)
    return crossed.flatMap { $0.count <= maximumCount ? $0 : nil }
  }

  private func withStream(_ forge: Forge) throws -> Bytes {
    var stream = try forge.stream()
    mutate(&stream, max(16, maximumCount - forge.contentsRange.count))
    return try forge.replacingStream(with: stream)
  }

  private func withContents(_ forge: Forge) -> Bytes {
    var contents = Bytes(forge.bytes[forge.contentsRange])
    mutate(&contents, contents.count + 64)
    return forge.replacingContents(with: contents)
  }

  private mutating func withTables(_ forge: Forge) throws -> Bytes {
    let choices = (0..<4).map { _ in Int(next() >> 33) }
    return try forge.changingContents { contents in
      for choice in choices.prefix(1 + choices[0] % 3) { Self.change(&contents, choice, mutate) }
    }
  }

  private mutating func withSegment(_ forge: Forge) throws -> Bytes? {
    let change = UInt8(1 + below(255))
    return try forge.changingSegmentByte(at: below(forge.bytes.count)) { $0 ^= change }
  }

  private static func change(_ contents: inout Contents, _ choice: Int, _ mutate: Mutation) {
    let place = choice / 16
    switch choice % 15 {
    case 0: swap(&contents.keys, place)
    case 1: swap(&contents.shapes, place)
    case 2: swap(&contents.classes, place)
    case 3: repeatOne(&contents.shapes, place)
    case 4: repeatOne(&contents.classes, place)
    case 5: contents.objectCount &+= [1, .max, 2, 1 << 20][place % 4]
    case 6: contents.objectsAreInOrder.toggle()
    case 7:
      if case .embedded(var index) = contents.objectIndex {
        mutate(&index, index.count + 16)
        contents.objectIndex = .embedded(index)
      }
    case 8:
      guard !contents.shapes.isEmpty else { return }
      let shape = place % contents.shapes.count
      swap(&contents.shapes[shape].fields, place / 7)
    case 9:
      guard !contents.shapes.isEmpty else { return }
      let shape = place % contents.shapes.count
      repeatOne(&contents.shapes[shape].fields, place / 7)
    case 10:
      guard !contents.classes.isEmpty else { return }
      let number = place % contents.classes.count
      var name = Bytes(contents.classes[number].mangledName.utf8)
      mutate(&name, name.count + 32)
      contents.classes[number].mangledName = String(decoding: name, as: UTF8.self)
    case 11: repeatOne(&contents.layouts, place)
    case 13:
      // Records of an array may become instances, of a class or of none.
      guard !contents.shapes.isEmpty else { return }
      let shape = place % contents.shapes.count
      contents.shapes[shape].isClass.toggle()
      if contents.shapes[shape].isClass {
        contents.shapes[shape].classNumber = UInt32(place / 7 % (contents.classes.count + 1))
      }
    case 12: contents.userVersion = UInt16(truncatingIfNeeded: place % 128)
    default: repeatOne(&contents.bulk, place)
    }
  }

  private static func swap<Element>(_ list: inout [Element], _ choice: Int) {
    guard list.count > 1 else { return }
    list.swapAt(choice % list.count, choice / list.count % list.count)
  }

  private static func repeatOne<Element>(_ list: inout [Element], _ choice: Int) {
    guard !list.isEmpty else { return }
    let place = choice / 2 % list.count
    if choice % 2 == 0 { list.remove(at: place) } else { list.append(list[place]) }
  }

  private mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

  private mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
