import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Damage in a stream of messages costs its frame alone, and is always reported.
@Suite("Damage in streams of messages") struct MessageDamageTests {
  private let events = (0..<40).map { LogEvent($0) }

  /// Where each frame begins, and where the last one ends; the first has all tables.
  private func frameOffsets(_ bytes: [UInt8]) -> [Int] {
    var offsets = [32]
    while let last = offsets.last, last < bytes.count {
      let count = (0..<4).reduce(0) { $0 | Int(bytes[last + 8 + $1]) << (8 * $1) }
      offsets.append(last + 40 + count)
    }
    return offsets
  }

  @Test func aChangedByteLosesItsFrameAlone() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    #expect(offsets.count == events.count + 2 && offsets.last == bytes.count)
    // Each frame behind the tables has one event.
    for frame in [1, 2, 20, 39, 40] {
      for place in offsets[frame]..<offsets[frame + 1] {
        var damaged = bytes
        damaged[place] ^= 0x40
        let (found, damage) = try LogStream.read(GraphMessageReader(damaged), LogEvent.self)
        let isLast = frame == 40
        #expect(found == events.filter { $0.step != frame - 1 })
        if isLast, damage.isEmpty { continue }  // A longer frame than the stream has.
        #expect(damage.count == 1)
        #expect(damage.first?.range == UInt64(offsets[frame])..<UInt64(offsets[frame + 1]))
        if !isLast { #expect(damage.first?.lostMessages == UInt64(frame - 1)..<UInt64(frame)) }
      }
    }
  }

  @Test func changesOfTablesLoseNothingWhereTheyAreRepeated() throws {
    let messages = (0..<40).map(AnyLogMessage.number)
    let bytes = try LogStream.bytes(messages, tablesByteCount: 300)
    let offsets = frameOffsets(bytes).dropLast()
    let tables = offsets.filter { [1, 2].contains(bytes[$0 + 4]) }
    #expect(tables.count > 6)
    for place in tables.dropLast() {
      var damaged = bytes
      damaged[place + 36] ^= 1
      let (found, damage) = try LogStream.read(GraphMessageReader(damaged), AnyLogMessage.self)
      #expect(found == messages)
      #expect(damage.count == 1 && damage[0].lostMessages.isEmpty)
    }
  }

  @Test func bytesThatAreMissingOrAddedLoseTheirFrames() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    var random = SplitMix64(seed: 49)
    for _ in 0..<200 {
      let start = offsets[1] + Int(random.next() % UInt64(bytes.count - offsets[1] - 300))
      let count = Int(random.next() % 300)
      var damaged = bytes
      if random.next().isMultiple(of: 2) {
        damaged.removeSubrange(start..<(start + count))
      } else {
        damaged.insert(
          contentsOf: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }, at: start)
      }
      let (found, damage) = try LogStream.read(GraphMessageReader(damaged), LogEvent.self)
      #expect(found.allSatisfy { events[$0.step] == $0 } && found.map(\.step) == found.map(\.step).sorted())
      #expect(found.count >= events.count - 8)
      let lost = damage.reduce(0) { $0 + $1.lostMessages.count }
      // What is lost at the end has no frame behind it that tells.
      if found.last == events.last { #expect(found.count + lost == events.count) }
    }
  }

  @Test func wholeFramesThatAreMissingAreReported() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    let cut = Array(bytes[..<offsets[5]] + bytes[offsets[9]...])
    let (found, damage) = try LogStream.read(GraphMessageReader(cut), LogEvent.self)
    #expect(found == events.filter { !(4..<8).contains($0.step) })
    #expect(damage.map(\.lostMessages) == [4..<8])
    #expect(damage.map(\.range) == [UInt64(offsets[5])..<UInt64(offsets[5])])
  }

  @Test func aStreamIsJoinedAtItsTables() throws {
    let messages = (0..<200).map(AnyLogMessage.number)
    let bytes = try LogStream.bytes(messages, frameByteCount: 60, tablesByteCount: 500)
    for start in stride(from: 1, to: bytes.count / 2, by: 13) {
      let reader = GraphMessageReader(Array(bytes[start...]), joining: true)
      let (found, damage) = try LogStream.read(reader, AnyLogMessage.self)
      #expect(found == Array(messages.suffix(found.count)) && found.count > 60)
      #expect(damage.count == 1)
      #expect(damage.first?.lostMessages == 0..<UInt64(messages.count - found.count))
    }
    let error = #expect(throws: GCodableError.self) {
      try GraphMessageReader(bytes[1...]).next(AnyLogMessage.self)
    }
    #expect(error?.code == .notAnArchive)
  }

  @Test func aDamagedHeaderLosesNoMessage() throws {
    let bytes = try LogStream.bytes(events)
    for place in 8..<32 {
      var damaged = bytes
      damaged[place] ^= 1
      let (found, damage) = try LogStream.read(GraphMessageReader(damaged), LogEvent.self)
      #expect(found == events)
      #expect(damage.count == 1)
    }
  }

  @Test func cutAnywhereAllWholeFramesAreRead() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    for end in offsets[1]..<bytes.count {
      let reader = GraphMessageReader(bytes[..<end])
      let (found, damage) = try LogStream.read(reader, LogEvent.self)
      #expect(found.count == offsets.lastIndex { $0 <= end }! - 1)
      #expect(damage.isEmpty)
      #expect(reader.incompleteByteCount == end - offsets.last { $0 <= end }!)
    }
  }

  /// A message that has another stream in it, or its own.
  private struct Inside: GCodable, Equatable {
    var bytes: [UInt8]
    private enum Key: String { case bytes }
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(from decoder: GDecoder) throws { bytes = try decoder.decode(for: Key.bytes) }
    func encode(to encoder: GEncoder) throws { try encoder.encode(bytes, for: Key.bytes) }
  }

  @Test func framesInAMessageAreNoFramesOfTheStream() throws {
    let other = try LogStream.bytes(events, identifier: 8)
    let own = try LogStream.bytes((0..<3).map { Inside([UInt8($0)]) }, identifier: 7)
    let messages = [
      Inside([1]), Inside([2]), Inside([3]), Inside(Array(other.prefix(900))), Inside(own), Inside([4]),
    ]
    let bytes = try LogStream.bytes(messages, identifier: 7)
    let offsets = frameOffsets(bytes)
    for frame in 4...5 {
      for place in [0, 9, 33, offsets[frame + 1] - offsets[frame] - 1] {
        var damaged = bytes
        damaged[offsets[frame] + place] ^= 1
        let (found, damage) = try LogStream.read(GraphMessageReader(damaged), Inside.self)
        #expect(found == messages.enumerated().filter { $0.offset != frame - 1 }.map(\.element))
        #expect(damage.map(\.lostMessages) == [UInt64(frame - 1)..<UInt64(frame)])
      }
    }
  }

  @Test func damageIsFoundInPiecesOfAnySize() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    var damaged = bytes
    for frame in [3, 4, 17] { damaged[offsets[frame] + 10] ^= 0xFF }
    for size in [1, 13, 1000] {
      var rest = damaged[...]
      let reader = GraphMessageReader { _ in
        defer { rest = rest.dropFirst(size) }
        return Data(rest.prefix(size))
      }
      let (found, damage) = try LogStream.read(reader, LogEvent.self)
      #expect(found == events.filter { ![2, 3, 16].contains($0.step) })
      #expect(damage.map(\.lostMessages) == [2..<4, 16..<17])
    }
    let reader = GraphMessageReader()
    var (found, lost): ([LogEvent], [Range<UInt64>]) = ([], [])
    for byte in damaged {
      reader.append(Data([byte]))
      do { while let event = try reader.next(LogEvent.self) { found.append(event) } } catch let damage
        as GraphMessageDamage
      { lost.append(damage.lostMessages) }
    }
    #expect(found == events.filter { ![2, 3, 16].contains($0.step) })
    #expect(lost == [2..<4, 16..<17])
  }

  @Test func whatANewerVersionWritesIsPassedOverOrReported() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    func frame(kind: UInt8, flags: UInt8 = 0, version: UInt8 = 1) -> [UInt8] {
      Forge.messageFrame(
        kind: kind, flags: flags, version: version, number: 4, revision: 1, body: [1, 2, 3], identifier: 7)
    }
    func read(_ added: [UInt8]) throws -> (messages: [LogEvent], damage: [GraphMessageDamage]) {
      try LogStream.read(GraphMessageReader(bytes[..<offsets[5]] + added + bytes[offsets[5]...]))
    }
    for added in [frame(kind: 128), frame(kind: 255, flags: 0xFF), frame(kind: 200, flags: 1)] {
      let (found, damage) = try read(added)
      #expect(found == events && damage.isEmpty)
    }
    for added in [
      frame(kind: 5), frame(kind: 127), frame(kind: 0), frame(kind: 3, flags: 2), frame(kind: 2, flags: 1),
      frame(kind: 128, version: 2), frame(kind: 3, version: 2),
    ] {
      let (found, damage) = try read(added)
      #expect(found == events && damage.count == 1)
    }
  }

  @Test func forgedFramesAreErrors() throws {
    let bytes = try LogStream.bytes(events)
    let offsets = frameOffsets(bytes)
    let bodies: [[UInt8]] = [
      [], [1], [0xFF], [3], [5, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0], [3, 2, 3], [0xFF, 0, 0], [3, 0xFF],
    ]
    for body in bodies {
      for flags in [0, 1] as [UInt8] {
        for count in [0, 1, 2, .max] as [UInt32] {
          let forged = Forge.messageFrame(
            kind: 3, flags: flags, number: 4, messageCount: count, revision: 1, body: body, identifier: 7)
          let reader = GraphMessageReader(bytes[..<offsets[5]] + forged)
          var errorCount = 0
          reading: while true {
            do { if try reader.next(LogEvent.self) == nil { break reading } } catch { errorCount += 1 }
            #expect(errorCount < 100)
          }
          #expect(errorCount > 0 || count == 0)
        }
      }
    }
  }

  @Test func manyFalseFramesEndTheSearch() throws {
    var bytes = try LogStream.bytes(events.prefix(1))
    bytes.append(0)
    let byteCount = 8 << 20
    let false1 = Forge.messageFrame(kind: 128, number: 1, revision: 1, body: [], identifier: 7)
    for _ in 0..<2000 {
      var head = Array(false1.prefix(32))
      for place in 0..<4 { head[8 + place] = UInt8(truncatingIfNeeded: byteCount >> (8 * place)) }
      bytes += Forge.sealedHead(head, identifier: 7)
    }
    bytes += [UInt8](repeating: 0, count: byteCount + 100)
    let reader = GraphMessageReader(bytes)
    #expect(try reader.next(LogEvent.self) == events[0])
    let error = #expect(throws: GCodableError.self) { try reader.next(LogEvent.self) }
    #expect(error?.code == .malformed)
  }
}
