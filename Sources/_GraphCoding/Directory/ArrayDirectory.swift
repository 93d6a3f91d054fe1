import _GraphFiles
import _GraphSupport

/// Where arrays in segments of their own are, by their paths: they are found without the graph stream.
package struct ArrayDirectory: Sendable {
  package struct Entry: Sendable {
    package let steps: [GraphPath.Step]
    /// Where the value begins in the graph stream, behind its kind.
    package let offset: UInt64
    /// Its kind, and what follows it in the stream.
    package let value: [UInt8]
  }

  package private(set) var entries: [Entry] = []
  private var numbers: [[GraphPath.Step]: Int] = [:]
  /// Where the bytes lie in the archive.
  package private(set) var origin: UInt64 = 0

  /// Longer values, such as those with the lengths of many rows, are left out.
  private static let maximumValueByteCount = 64

  /// The entry of a path, or of one that leads to it.
  package func entry(leadingTo path: GraphPath) -> Entry? {
    var steps = path.steps[...]
    while true {
      if let number = numbers[Array(steps)] { return entries[number] }
      guard steps.popLast() != nil else { return nil }
    }
  }

  /// Adds an entry, unless there is one of this path.
  private mutating func add(_ entry: Entry) -> Bool {
    guard numbers[entry.steps] == nil else { return false }
    numbers[entry.steps] = entries.count
    entries.append(entry)
    return true
  }
}

// MARK: - Making

extension ArrayDirectory {
  /// Lists the arrays of a graph, each by the shortest path.
  ///
  /// - Complexity: O(n) in the graph stream, twice at most.
  package init(of decoder: GDecoder) throws {
    let segments = decoder.tables.reader.contents.bulk.indices.map { GraphOwners.Target.segment($0) }
    let owners = try GraphOwners(decoder, isReadable: { _ in true }, checkCancellation: {})
    let paths = owners.paths(to: segments)
    var listed: Set<UInt64> = []
    for (number, segment) in segments.enumerated() {
      guard let path = paths[segment], let mention = owners.mentions[number],
        path.steps.allSatisfy(\.isListed), mention.range.count < Self.maximumValueByteCount,
        listed.insert(mention.range.lowerBound).inserted
      else { continue }
      let bytes = try mention.range.map { try decoder.streamByte(at: $0) }
      _ = add(
        Entry(
          steps: path.steps, offset: mention.range.lowerBound, value: [mention.kind.rawValue] + bytes))
    }
  }

  /// The bytes of the extension; nil without entries.
  package var bytes: [UInt8]? {
    if entries.isEmpty { return nil }
    var builder = ByteBuilder()
    builder.varint(UInt64(entries.count))
    for entry in entries {
      builder.varint(UInt64(entry.steps.count))
      for step in entry.steps { builder.step(step) }
      builder.varint(entry.offset)
      builder.varint(UInt64(entry.value.count))
      builder.append(entry.value)
    }
    return builder.bytes
  }
}

extension GraphPath.Step {
  /// Whether a directory can have it.
  fileprivate var isListed: Bool {
    switch self {
    case .key: true
    case .index(let index): index >= 0
    case .range: false
    }
  }
}

extension ByteBuilder {
  fileprivate mutating func step(_ step: GraphPath.Step) {
    switch step {
    case .key(let key):
      varint(0)
      varint(UInt64(key.utf8.count))
      append(Array(key.utf8))
    case .index(let index): varint(UInt64(index) + 1)
    case .range: break  // See `isListed`.
    }
  }
}

// MARK: - Reading

extension ArrayDirectory {
  /// Reads the bytes of the extension.
  ///
  /// - Throws: `malformed`.
  package init(parsing part: ContentsExtensions.Part) throws {
    origin = part.origin
    try unsafe part.bytes.withUnsafeBytes { bytes in
      var parser = unsafe ByteParser(bytes, origin: part.origin, subject: "the directory")
      for _ in 0..<(try parser.count(of: "entries", atLeast: 4)) {
        let steps = try (0..<(try parser.count(of: "steps"))).map { _ in try parser.step() }
        let offset = try parser.varint()
        let value = try unsafe Array(parser.bytes(parser.count(of: "bytes of a value")))
        guard value.count > 1, GraphKind(rawValue: value[0]).isListed else {
          throw parser.malformed("has an entry that is no array")
        }
        guard add(Entry(steps: steps, offset: offset, value: value)) else {
          throw parser.malformed("has the path \"\(GraphPath(steps))\" twice")
        }
      }
      guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
    }
  }
}

extension GraphKind {
  /// Whether a directory may have arrays of the kind.
  fileprivate var isListed: Bool {
    [.packed, .packedStructs, .nestedPacked, .packedOptionals].contains(self)
  }
}

extension ByteParser {
  fileprivate mutating func step() throws -> GraphPath.Step {
    let number = try varint()
    if number == 0 { return .key(try name("key")) }
    guard let index = Int(exactly: number - 1) else { throw malformed("has an index of \(number - 1)") }
    return .index(index)
  }
}
