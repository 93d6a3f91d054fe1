import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Errors that pass")
struct PassingErrorTests {
  @Test func anArchiveGoesOnWhenItsFileCanBeReadAgain() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.graph")
    let names = (0..<10_000).map { "name \($0)" }
    try GraphEncoder().write(names, to: url)
    let archive = try GraphArchive(url)
    let bytes = try Data(contentsOf: url)
    let file = try FileHandle(forWritingTo: url)
    // The same file, for a while without its end, as one on a device that has lost its connection.
    try file.truncate(atOffset: 50)
    #expect(throws: GCodableError.self) { try archive.item(at: [9_000]) }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: bytes)
    try #expect(archive.item(at: [9_000]).text == #""name 9000""#)
  }
}
