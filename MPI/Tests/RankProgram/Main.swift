import Foundation
import GraphCodable
import GraphCodableMPI

/// What the tests start with `mpirun`, as `rank-program VERB FOLDER NUMBERS`.
///
/// Each rank prints a line, and leaves 3 when it has thrown an error.
@main
enum Main {
  static func main() {
    let texts = CommandLine.arguments
    let numbers = texts.dropFirst(3).compactMap { Int($0) }
    do {
      try MPICommunicator.withWorld(patience: .seconds(2)) { world in
        let run = Run(
          world: world, folder: URL(fileURLWithPath: texts[2], isDirectory: true), numbers: numbers)
        do { try run.run(texts[1]) } catch let error as GCodableError {
          run.say("error \(error.code.name): \(error.context.debugDescription)")
          throw error
        }
      }
    } catch { exit(3) }
  }
}

private struct Run {
  let world: MPICommunicator
  let folder: URL
  let numbers: [Int]

  func run(_ verb: String) throws {
    switch verb {
    case "save": try save()
    case "saveLittle": try saveLittle()
    case "append": try append()
    case "appendLittle": try appendLittle()
    case "load": try load()
    case "disagree": try disagree()
    case "fail": try fail()
    case "wait": try wait()
    case "manifest": try writeManifest()
    case "leave":
      if world.rank == numbers[0] { throw LocalError() }
      try world.agree {}
    case "goOn": try goOn()
    // One rank is content with the error, and the others leave with it.
    case "content":
      do { try world.agree { throw LocalError() } } catch {
        if world.rank != numbers[0] { throw error }
      }
    case "node": try world.splitByNode().agree { throw LocalError() }
    default: throw GCodableError(.invalidValue, "no verb \(verb)")
    }
  }

  private struct LocalError: Error {}

  /// All throw an error, with which one rank leaves; the others go on.
  private func goOn() throws {
    do { try world.agree { throw LocalError() } } catch {
      if world.rank == numbers[0] { throw error }
    }
    try world.agree {}
  }

  /// In one piece, so that the lines of ranks do not mix.
  func say(_ text: String) {
    FileHandle.standardOutput.write(Data("rank \(world.rank): \(text)\n".utf8))
  }

  /// Saves a step, as many ranks together as the second number says: 0 for those of a node.
  private func save() throws {
    let group = numbers.count > 1 ? numbers[1] : 1
    let groupSize = group == 0 ? world.size : group
    try save(Domain(on: world, step: numbers[0], groupSize: groupSize), step: numbers[0], group)
    say("saved")
  }

  /// Appends as many sets to a series as the first number says, which keeps as many as the second one says.
  private func append() throws {
    let total = 1003
    for step in 0..<numbers[0] {
      try world.appendTogether(
        Domain(on: world, total: total), to: folder, step: step, time: Double(step),
        arrays: Domain.arrays(on: world, total: total), keepingLast: numbers[1])
    }
    say("appended")
  }

  /// Saves few elements, with calls that count; as many ranks together as the second number says.
  private func saveLittle() throws {
    let (total, step, group) = (1003, numbers[0], numbers[1])
    let domain = Domain(on: world, total: total)
    let arrays = Domain.arrays(on: world, total: total)
    calls("begin")
    if group == 1 {
      try world.saveTogether(domain, to: folder, step: step, time: 0, arrays: arrays)
    } else {
      try world.saveTogether(
        domain, to: folder, step: step, time: 0, arrays: arrays, aggregation: .groups(of: group))
    }
    calls("end")
    say("saved")
  }

  /// Appends few elements to a series, which keeps the last one, with calls that count.
  private func appendLittle() throws {
    let total = 1003
    calls("begin")
    try world.appendTogether(
      Domain(on: world, total: total), to: folder, step: numbers[0], time: 0,
      arrays: Domain.arrays(on: world, total: total), keepingLast: 1)
    calls("end")
    say("saved")
  }

  private func save(
    _ domain: Domain, step: Int, _ group: Int = 1, heartbeat: MPIHeartbeat? = nil
  ) throws {
    let arrays = Domain.arrays(on: world)
    if group == 1 {
      try world.saveTogether(
        domain, to: folder, step: step, time: Double(step), metadata: ["kind": "test"], arrays: arrays,
        heartbeat: heartbeat)
    } else {
      try world.saveTogether(
        domain, to: folder, step: step, time: Double(step), metadata: ["kind": "test"], arrays: arrays,
        aggregation: group == 0 ? .perNode : .groups(of: group), heartbeat: heartbeat)
    }
  }

  /// Tells the library that counts calls, if it is there, that what counts begins or ends.
  private func calls(_ name: String) {
    guard let symbol = dlsym(nil, "test_calls_\(name)") else { return }
    unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
  }

  /// Loads this rank's share of the arrays, and its share of the parts' objects.
  private func load() throws {
    let counts = try world.loadTogether(from: folder) { set in
      let positions = try set.array(Double.self, "positions")
      let range = world.share(of: Domain.total)
      let before = Self.readByteCount
      let own = try positions[range]
      let byteCount = Self.readByteCount - before
      guard own == range.map(Domain.position) else { throw wrong("positions") }
      let columns = world.share(of: Domain.fieldShape[1])
      let field = try set.array(Double.self, "field").slice(0..<Domain.fieldShape[0], columns)
      guard field.shape == [Domain.fieldShape[0], columns.count],
        field.elements == (0..<Domain.fieldShape[0]).flatMap({ row in columns.map { Domain.field(row, $0) } })
      else { throw wrong("field") }
      for part in stride(from: world.rank, to: set.partCount, by: world.size) {
        let archive = try set.part(part)
        let domains = try (try? [archive.decode(Domain.self)]) ?? archive.decode([Domain].self)
        guard try domains.allSatisfy({ try $0.isWhole(in: set) }) else { throw wrong("objects") }
      }
      return try (
        positions.blockCount(of: range), positions.blockCount(), positions.parts(of: range).count, byteCount
      )
    }
    say("loaded \(counts.0) of \(counts.1) blocks from \(counts.2) parts, \(counts.3) bytes read")
  }

  /// Bytes that the process has read by calls of the system.
  private static var readByteCount: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
  }

  /// Commits as many small parts with as many arrays each as the numbers say, and tells the size of the manifest.
  ///
  /// For `Documentation/Scaling.md`.
  private func writeManifest() throws {
    let (partCount, arrayCount) = (numbers[0], numbers[1])
    let clock = ContinuousClock()
    let writer = try GraphArchiveSet.Writer(folder)
    var receipts: [GraphArchiveSet.Receipt] = []
    for part in 0..<partCount {
      // Three dimensions, of which the first is cut in shares of different lengths.
      let start = part * 1000 + part % 7
      let length = (part + 1) * 1000 + (part + 1) % 7 - start
      let shape = [partCount * 1000 + partCount % 7, 2, 1]
      let piece = GArray([UInt8](repeating: 0, count: 2 * length), shape: [length, 2, 1])
      let arrays = (0..<arrayCount).map { number in
        GraphArchiveSet.ArrayPart("array \(number)", at: "", globalShape: shape, offset: [start, 0, 0])
      }
      receipts.append(try writer.part(part, of: partCount).write(piece, arrays: arrays))
    }
    let receiptBytes = try JSONEncoder().encode(receipts[partCount / 2]).count
    let commit = try clock.measure { try writer.commit(receipts, step: 1, time: 1) }
    let manifest = folder.appendingPathComponent("set.gcodable")
    let size = try FileManager.default.attributesOfItem(atPath: manifest.path)[.size] as? Int ?? 0
    let opening = try clock.measure { _ = try GraphArchiveSet(folder) }
    say(
      "\(partCount) parts, \(arrayCount) arrays: manifest \(size) bytes, receipt \(receiptBytes) bytes as JSON, "
        + "commit \(commit), open \(opening)")
  }

  private func wrong(_ what: String) -> GCodableError { GCodableError(.damaged, "\(what) are other ones") }

  /// Lets the last rank save another step, or with another number of parts.
  private func disagree() throws {
    let isOther = world.rank == world.size - 1
    let domain = Domain(on: world)
    let (step, group) = (isOther ? numbers[0] : 5, isOther ? numbers[1] : 2)
    try world.saveTogether(
      domain, to: folder, step: step, time: 0, arrays: Domain.arrays(on: world),
      aggregation: .groups(of: group))
  }

  /// Saves on all ranks, on one of which the domain cannot be encoded; then, without a new start, as it should be.
  private func fail() throws {
    let domain = Domain(on: world)
    domain.isBroken = world.rank == numbers[0]
    let group = numbers.count > 1 ? numbers[1] : 1
    do { try save(domain, step: 6, group) } catch let error as GCodableError {
      say("error \(error.code.name): \(error.context.debugDescription)")
    }
    domain.isBroken = false
    try save(domain, step: 7, group)
    say("saved")
  }

  /// Saves while one rank takes its time, which rank 0 sees.
  private func wait() throws {
    let domain = Domain(on: world)
    domain.delay = world.rank == numbers[0] ? 1 : 0
    let heartbeat = MPIHeartbeat(every: .milliseconds(200)) { beat in
      say("\(beat.writtenCount) of \(beat.partCount), missing \(beat.missingRanks)")
    }
    try save(domain, step: 8, heartbeat: heartbeat)
    say("saved")
  }
}
