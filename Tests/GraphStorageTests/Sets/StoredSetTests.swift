import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Sets in object stores")
struct StoredSetTests {
  let store = MemoryStore()

  /// Writes the parts of a set, each by a writer that joins it.
  private func write(
    _ set: GraphArchiveSet.Writer, step: Int, count: Int = 2
  ) throws -> [GraphArchiveSet.Receipt] {
    try (0..<count).map { part in
      let joined = try GraphArchiveSet.Writer(in: store, number: #require(set.number), token: set.token)
      return try joined.part(part, of: count).write(
        [step, step + part], arrays: [.init("x", at: [], globalShape: [2 * count], offset: [2 * part])])
    }
  }

  private func append(_ step: Int, to writer: GraphArchiveSetSeries.Writer) throws {
    let set = try writer.begin()
    do {
      try set.commit(write(set, step: step), step: step, time: Double(step), metadata: ["kind": "test"])
    } catch {
      // As a program does that goes on: of what is left, the next writer takes care.
      try? set.abort()
      throw error
    }
  }

  /// Checks each of the sets that readers see, and returns their steps.
  private func steps() throws -> [Int] {
    let series = try GraphArchiveSetSeries(in: store)
    #expect(series.damage.isEmpty)
    for entry in series {
      let set = try GraphArchiveSet(entry)
      try set.check()
      try set.verify()
      let x: [Int] = try set.array("x").elements()
      #expect(x == [entry.step, entry.step, entry.step, entry.step + 1])
    }
    return series.map(\.step)
  }

  /// Expects nothing but sets, their index, and what keeps the highest number taken.
  private func expectNoRemains() throws {
    let series = try GraphArchiveSetSeries(in: store)
    var names: Set = ["index.gcodable"]
    for entry in series {
      let set = try GraphArchiveSet(entry)
      names.insert("\(entry.url.path)/set.gcodable")
      for part in 0..<set.partCount { names.insert(set.partURL(part).relativePath) }
    }
    let others = Set(store.names).subtracting(names)
    #expect(others.count <= 1 && others.allSatisfy { store[$0]?.isEmpty == true }, "\(others)")
  }

  private func error(_ body: () throws -> Void) -> GCodableError? {
    do {
      try body()
      return nil
    } catch { return error as? GCodableError }
  }

  @Test func setsAreCommittedListedAndPruned() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      for step in 0..<6 { try append(step, to: writer) }
      #expect(writer.series.map(\.number) == Array(0..<6))
    }
    try #expect(steps() == Array(0..<6))
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      let set = try writer.begin()
      _ = try write(set, step: 6)
      try #expect(steps() == Array(0..<6))
      try set.abort()
      try append(7, to: writer)
      #expect(writer.series.map(\.number) == [0, 1, 2, 3, 4, 5, 7])
      try writer.retain { !$0.step.isMultiple(of: 2) }
      try writer.retain(last: 2)
      try #expect(steps() == [5, 7])
      try expectNoRemains()
      try writer.retain(last: 0)
      try append(8, to: writer)
      #expect(writer.series.map(\.number) == [8])
    }
    try #expect(steps() == [8])
    try expectNoRemains()
    for (number, token) in [(1, "../a"), (-1, "a")] {
      let found = error { _ = try GraphArchiveSet.Writer(in: store, number: number, token: token) }
      #expect(found?.code == .invalidValue)
    }
  }

  /// Whatever happens to any of the requests, or to the process: old sets stay, the new one is complete or not there.
  @Test(arguments: MemoryStore.Fault.allCases, [false, true])
  func anErrorAtAnyRequestLeavesWholeSets(fault: MemoryStore.Fault, prunes: Bool) throws {
    var (call, failures, isDone) = (0, 0, false)
    while !isDone {
      call += 1
      let test = StoredSetTests()
      do {
        let writer = try GraphArchiveSetSeries.Writer(in: test.store)
        for step in 0..<2 { try test.append(step, to: writer) }
      }
      test.store.fail(at: call, fault)
      let found = test.error {
        let writer = try GraphArchiveSetSeries.Writer(in: test.store)
        try test.append(2, to: writer)
        if prunes { try writer.retain(last: 1) }
      }
      isDone = test.store.callCount < call
      test.store.heal()
      if found != nil { failures += 1 }
      let steps = try test.steps()
      if found == nil {
        #expect(steps == (prunes ? [2] : [0, 1, 2]))
      } else if prunes {
        #expect([[0, 1], [0, 1, 2], [1, 2], [2]].contains(steps))
      } else {
        #expect([[0, 1], [0, 1, 2]].contains(steps))
      }
      do { try test.append(3, to: GraphArchiveSetSeries.Writer(in: test.store)) }
      try #expect(test.steps() == steps + [3])
      try test.expectNoRemains()
    }
    #expect(failures > 3)
  }

  /// A process that catches the error goes on with the same writer.
  @Test(arguments: [MemoryStore.Fault.refused, .lost])
  func aWriterGoesOnAfterAnErrorOfAnyRequest(fault: MemoryStore.Fault) throws {
    var (call, isDone) = (0, false)
    while !isDone {
      call += 1
      let test = StoredSetTests()
      let writer = try GraphArchiveSetSeries.Writer(in: test.store)
      try test.append(0, to: writer)
      test.store.fail(at: call, fault)
      let found = test.error { try test.append(1, to: writer) }
      isDone = test.store.callCount < call
      test.store.heal()
      try test.append(2, to: writer)
      let steps = try test.steps()
      #expect(steps == [0, 1, 2] || (found != nil && steps == [0, 2]))
      #expect(writer.series.map(\.step) == steps)
      try test.expectNoRemains()
    }
  }

  @Test func ofTwoWritersOneCommits() throws {
    let writers = try (0..<2).map { _ in try GraphArchiveSetSeries.Writer(in: store) }
    let sets = try writers.map { try $0.begin() }
    #expect(sets.map(\.number) == [0, 0])
    let receipts = try sets.indices.map { try write(sets[$0], step: $0) }
    try sets[1].commit(receipts[1], step: 1, time: 0)
    #expect(error { try sets[0].commit(receipts[0], step: 0, time: 0) }?.code == .locked)
    try sets[0].abort()
    try #expect(steps() == [1])
    try expectNoRemains()
    // The other's set is known then, and the next one comes behind it.
    #expect(writers[0].series.map(\.step) == [1])
    try append(5, to: writers[0])
    try append(6, to: writers[1])
    try #expect(steps() == [1, 5, 6])
  }

  @Test func aWriterThatBeginsEndsTheAttemptsOfOthers() throws {
    let slow = try GraphArchiveSetSeries.Writer(in: store)
    let set = try slow.begin()
    let receipts = try write(set, step: 1)
    let writer = try GraphArchiveSetSeries.Writer(in: store)
    try append(2, to: writer)
    #expect(error { try set.commit(receipts, step: 1, time: 0) } != nil)
    try set.abort()
    try #expect(steps() == [2])
    try expectNoRemains()
  }

  /// It looked at its parts, stood still, and sends the manifest when nothing stands in its place any more.
  @Test(arguments: [false, true]) func aSetAbandonedLongAgoIsNotCommitted(listsLag: Bool) throws {
    let slow = try GraphArchiveSetSeries.Writer(in: store)
    let set = try slow.begin()
    let receipts = try write(set, step: 1)
    store.beforeCreation { [self] in
      #expect(throws: Never.self) {
        let writer = try GraphArchiveSetSeries.Writer(in: store)
        for step in 2..<4 { try append(step, to: writer) }
        try writer.retain(last: 1)
      }
      #expect(store["set-000000000000/set.gcodable"] == nil)
      if listsLag { store.hideAll() }
    }
    #expect(error { try set.commit(receipts, step: 1, time: 0) }?.code == .locked)
    store.showAll()
    try #expect(steps() == [3])
    try set.abort()
    try #expect(steps() == [3])
    try expectNoRemains()
  }

  @Test func whatIsNotListedYetIsNotReplaced() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      try append(1, to: writer)
    }
    store["index.gcodable"] = nil
    store.hideAll()
    let writer = try GraphArchiveSetSeries.Writer(in: store)
    #expect(writer.series.isEmpty)
    try append(2, to: writer)
    store.showAll()
    try #expect(steps() == [1, 2])
  }

  /// What is on its way to a number that was given up must not meet another set there.
  @Test func anAbandonedNumberIsNotReusedWhenListsLag() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      try writer.begin().abort()
      let set = try writer.begin()
      #expect(set.number == 1)
      store.hideAll()
      try set.abort()
    }
    let writer = try GraphArchiveSetSeries.Writer(in: store)
    try #expect(writer.begin().number == 2)
  }

  @Test func anIndexDoesNotBringBackWhatAnotherWriterHasRemoved() throws {
    var slow: GraphArchiveSetSeries.Writer? = try .init(in: store)
    for step in 0..<3 { try append(step, to: #require(slow)) }
    var series = try GraphArchiveSetSeries(in: store)
    #expect(series.map(\.step) == [0, 1, 2])
    try GraphArchiveSetSeries.Writer(in: store).retain { $0.step == 1 }
    // It is listed no more, though something keeps its number taken.
    try series.update()
    #expect(series.map(\.step) == [1] && series.damage.isEmpty)
    // It finds what the other has done, and goes on from there.
    try slow?.retain(last: 2)
    try #expect(steps() == [1])
    #expect(slow?.series.map(\.step) == [1])
    try append(4, to: #require(slow))
    try GraphArchiveSetSeries.Writer(in: store).retain(last: 1)
    // It would write its index now.
    slow = nil
    try #expect(steps() == [4])
    try append(5, to: GraphArchiveSetSeries.Writer(in: store))
    try #expect(steps() == [4, 5])
    try expectNoRemains()
  }

  @Test func aNumberThatAnotherWriterHasPrunedIsNotGivenAgain() throws {
    let slow = try GraphArchiveSetSeries.Writer(in: store)
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      for step in 0..<5 { try append(step, to: writer) }
      try writer.retain(last: 2)
    }
    try append(100, to: slow)
    try #expect(steps() == [3, 4, 100])
    try slow.retain(last: 1)
    try #expect(steps() == [100])
  }

  /// Whether the other one aborts it, or commits and prunes it: the process still writing has lost it.
  @Test(arguments: [false, true]) func aNumberThatWasSetFreeIsNotCommittedLater(isPruned: Bool) throws {
    let writers = try (0..<2).map { _ in try GraphArchiveSetSeries.Writer(in: store) }
    let sets = try writers.map { try $0.begin() }
    if isPruned {
      try sets[1].commit(write(sets[1], step: 1), step: 1, time: 0)
      try append(2, to: writers[1])
      try writers[1].retain(last: 1)
    } else {
      try sets[1].abort()
      try append(2, to: GraphArchiveSetSeries.Writer(in: store))
    }
    #expect(store["set-000000000000/set.gcodable"] == nil)
    let receipts = try write(sets[0], step: 3)
    #expect(error { try sets[0].commit(receipts, step: 3, time: 0) }?.code == .locked)
    try sets[0].abort()
    for writer in writers.reversed() { try append(4, to: writer) }
    try #expect(steps() == [2, 4, 4])
    #expect(writers.map { $0.series.map(\.number) } == [[3], isPruned ? [1, 2] : [2]])
    try expectNoRemains()
  }

  @Test func aCommitIsTriedAgainAfterAnotherWriterHasListedTheSet() throws {
    for call in 1... {
      let test = StoredSetTests()
      let writers = try (0..<2).map { _ in try GraphArchiveSetSeries.Writer(in: test.store) }
      for step in 0..<2 { try test.append(step, to: writers[0]) }
      let set = try writers[0].begin()
      let receipts = try test.write(set, step: 2)
      test.store.fail(at: call, .killedAfter)
      func commit() -> GCodableError? { test.error { try set.commit(receipts, step: 2, time: 0) } }
      let found = commit()
      guard test.store.callCount >= call else {
        #expect(call > 5)
        return
      }
      test.store.heal()
      try writers[1].retain(last: 1)
      let isListed = try test.steps() == [2]
      if found != nil { #expect(commit() == nil, "\(call)") }
      try #expect(test.steps() == (isListed ? [2] : [1, 2]))
    }
  }

  @Test func twoWritersPruneInTurn() throws {
    let writers = try (0..<2).map { _ in try GraphArchiveSetSeries.Writer(in: store) }
    var reader = try GraphArchiveSetSeries(in: store)
    for step in 0..<12 {
      try append(step, to: writers[step / 3 % 2])
      try reader.update()
      #expect(reader.last?.step == step)
      if step % 3 == 2 {
        try writers[(step / 3 + 1) % 2].retain(last: 2)
        try #expect(steps() == [step - 1, step])
        try reader.update()
        #expect(reader.map(\.step) == [step - 1, step] && reader.damage.isEmpty)
      }
    }
  }

  @Test func whatAnotherWriterHasPrunedIsNotKeptAfterAnErrorOfAnyRequest() throws {
    for call in 1... {
      let test = StoredSetTests()
      let writer = try GraphArchiveSetSeries.Writer(in: test.store)
      for step in 0..<3 { try test.append(step, to: writer) }
      try GraphArchiveSetSeries.Writer(in: test.store).retain { $0.step < 2 }
      test.store.fail(at: call, .refused)
      let found = test.error { try writer.retain(last: 1) }
      guard test.store.callCount >= call else {
        #expect(call > 8)
        return
      }
      test.store.heal()
      let steps = try test.steps()
      #expect(steps == [1] || (found != nil && steps == [0, 1]), "\(call)")
    }
  }

  /// A request without an answer is done long after those that came later.
  @Test func whatArrivesLateHarmsNothing() throws {
    for call in 1... {
      let test = StoredSetTests()
      let writer = try GraphArchiveSetSeries.Writer(in: test.store)
      for step in 0..<2 { try test.append(step, to: writer) }
      test.store.fail(at: call, .late)
      for step in 2..<4 {
        _ = test.error { try test.append(step, to: writer) }
        _ = test.error { try writer.retain(last: 2) }
      }
      guard test.store.callCount >= call else {
        #expect(call > 20)
        return
      }
      let last = writer.series.last?.step
      test.store.heal()
      // An old index may be there now, until the next one is written.
      try test.append(7, to: writer)
      try writer.retain(last: 2)
      let steps = try test.steps()
      #expect(steps == [last, 7].compactMap(\.self), "\(call)")
      #expect(writer.series.map(\.step) == steps, "\(call)")
    }
  }

  @Test func aPartIsComparedWithTheManifest() throws {
    do { try append(1, to: GraphArchiveSetSeries.Writer(in: store)) }
    let entry = try GraphArchiveSetSeries(in: store)[0]
    let name = try GraphArchiveSet(entry).partURL(1).relativePath
    let bytes = try #require(store[name])
    func codes() -> [GCodableError.Code?] {
      [
        error { try GraphArchiveSet(entry).check() }?.code,
        error { _ = try GraphArchiveSet(entry).part(1) }?.code,
      ]
    }
    #expect(codes() == [nil, nil])
    store[name] = nil
    #expect(codes() == [.file, .file])
    store[name] = bytes.dropLast()
    #expect(codes() == [.wrongSize, .wrongSize])
    store[name] = Data(count: bytes.count)
    #expect(codes()[0] == .damaged && codes()[1] != nil)
    store[name] = bytes
    store["set-000000000000/set.gcodable"] = Data([1])
    #expect(error { _ = try GraphArchiveSet(entry) } != nil)
  }

  @Test func aSeriesMayBeCopiedToAFolder() throws {
    do {
      let writer = try GraphArchiveSetSeries.Writer(in: store)
      for step in 0..<3 { try append(step, to: writer) }
      try writer.begin().abort()
    }
    let place = try TemporaryFolder()
    let url = place.file("run")
    for name in store.names {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try store[name]?.write(to: file)
    }
    let series = try GraphArchiveSetSeries(url)
    #expect(series.map(\.step) == [0, 1, 2])
    #expect(series.damage.isEmpty)
    for entry in series { try GraphArchiveSet(entry).verify() }
    let writer = try GraphArchiveSetSeries.Writer(url)
    #expect(writer.series.count == 3)
    // And a part from there to the store.
    let back = try GraphArchiveSetSeries.Writer(in: store)
    let set = try back.begin()
    let receipts = try (0..<2).map { try set.part($0, of: 2).reuse(from: GraphArchiveSet(series[1])) }
    try set.commit(receipts, step: 1, time: 0)
    try #expect(steps() == [0, 1, 2, 1])
  }
}
