import Foundation
import GraphCodable
import Testing

@testable import BackgroundSaving
@testable import HostileFile
@testable import PackageGraph
@testable import RenamedClasses
@testable import ThreeVersions
@testable import UndoHistory

/// Programs of one file do what they say.
@Suite("Programs of one file")
struct ProgramTests {
  private static let status = """
    Package: base
    Version: 1
    Depends: libc (>= 2), data | other-data

    Package: libc
    Version: 2
    Depends: gcc, base
    Description: two lines
     Package: no field

    Package: gcc
    Depends: libc:any

    Package: data
    """

  #if os(Linux)
    /// The executable files lie beside that of the tests.
    @Test(arguments: [
      "BackgroundSaving", "HostileFile", "PackageGraph", "RenamedClasses", "ThreeVersions", "UndoHistory",
    ])
    func aProgramRunsToItsEndAndSaysWhatItDid(name: String) throws {
      let status = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(Self.status.utf8).write(to: status)
      defer { try? FileManager.default.removeItem(at: status) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent(name)
      // What keeps the run small, and the same on each machine.
      process.arguments = ["BackgroundSaving": ["1"], "PackageGraph": [status.path]][name] ?? []
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(!text.isEmpty)
    }
  #endif

  @Test func packagesOfDebianComeBackWithTheirCycles() throws {
    let packages = Package.packages(status: Self.status)
    let loaded = try GraphDecoder().decode([Package].self, from: GraphEncoder().encode(packages) as Bytes)
    defer { [packages, loaded].forEach(Package.release) }
    #expect(loaded.map(\.name) == ["base", "libc", "gcc", "data"])
    #expect(loaded[0].dependencies.map(\.name) == ["libc", "data"])
    #expect(loaded[2].dependencies[0] === loaded[1])
    #expect(Package.shortestCycle(in: loaded).map(\.name) == ["base", "libc"])
  }

  @Test func aGraphWithoutCyclesHasNone() {
    let packages = Package.packages(status: "Package: a\nDepends: b\n\nPackage: b")
    #expect(Package.shortestCycle(in: packages).isEmpty)
  }

  @Test func statesOfADocumentShareTheirPages() throws {
    var document = Document(pages: [Page("one"), Page("two")])
    document.edit("change") { $0[1] = Page("three") }
    document.undo()
    var opened = try GraphDecoder().decode(Document.self, from: GraphEncoder().encode(document) as Bytes)
    #expect(opened.states[0].pages[0] === opened.states[1].pages[0])
    #expect(opened.pages.map(\.text) == ["one", "two"])
    opened.redo()
    #expect(opened.pages.map(\.text) == ["one", "three"])
  }

  @Test func versionsReadEachOther() throws {
    #expect(
      try ThreeVersions.table() == [
        ["Moon 7", "Moon 7 -", "Moon 7.0 1.0"], ["Moon 7", "Moon 7 2.5", "Moon 7.0 2.5"],
        ["Moon 7", "Moon 7 2.5", "Moon 7.35 2.5"],
      ])
  }

  @Test func oldClassesAreDecodedAsTheirSuccessors() throws {
    let old = try GraphEncoder().encode([OldBox(name: "b"), OldDisc(name: "a")] as [OldShape]) as Bytes
    #expect(try RenamedClasses.shapes(in: old).map { "\(type(of: $0))" } == ["Box", "Disc"])
  }

  @Test func eachHostileFileGetsItsVerdict() throws {
    #expect(
      try HostileFile.files().map { HostileFile.verdict(on: $0.bytes) } == [
        "fine: 1 letters", "wrongSize", "damaged", "notAnArchive", "notAnArchive", "classNotFound",
        "invalidValue", "limitExceeded",
      ])
  }

  @Test func whatIsSavedIsTheStateBefore() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try await saveAndCancel(file)
  }

  @MainActor private func saveAndCancel(_ file: URL) async throws {
    let field = Field(count: 100_000)
    try await BackgroundSaving.save(field, to: file) { #expect($0 <= 1) }
    let saved = try GraphDecoder().read(Field.self, from: file)
    #expect(saved.step == 0 && field.step > 0)
    #expect(saved.values == Field(count: 100_000).values)
    // Whether a save of this size is cancelled in time or done, the file is a whole one.
    let isCancelled = try await BackgroundSaving.cancelSave(of: field, to: file)
    #expect(try GraphDecoder().read(Field.self, from: file).step == (isCancelled ? 0 : field.step))
  }
}
