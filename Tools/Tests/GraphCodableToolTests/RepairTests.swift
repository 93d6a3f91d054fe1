import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

@Suite("protect and repair")
struct RepairTests {
  private static func zero(_ range: Range<Int>, of name: String, in folder: Folder) throws -> [UInt8] {
    let bytes = try folder.bytes(of: name)
    var damaged = bytes
    for place in range where place < bytes.count { damaged[place] = 0 }
    try folder.write(damaged, to: name)
    return bytes
  }

  @Test func whatIsLostComesBack() async throws {
    let folder = try Folder()
    try folder.write((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }, to: "state.gcodable")
    let made = try await Tool.run(["protect", "state.gcodable"], in: folder)
    let byteCount = try folder.bytes(of: "state.gcodable.gcparity").count
    #expect(made.status == 0 && byteCount % 4_096 == 0)
    #expect(made.output.hasPrefix("state.gcodable: ") && made.output.hasSuffix(" bytes of parity\n"))
    let whole = try await Tool.run(["repair", "state.gcodable"], in: folder)
    #expect(whole.status == 0 && whole.output == "state.gcodable: nothing is lost\n")
    let bytes = try Self.zero(9_000..<10_000, of: "state.gcodable", in: folder)
    let damaged = try folder.bytes(of: "state.gcodable")
    let check = try await Tool.run(["repair", "state.gcodable", "--check"], in: folder)
    #expect(check.status == 1)
    #expect(check.output == "state.gcodable: 1 of 25 sectors were lost, 1 can be restored\n")
    #expect(try folder.bytes(of: "state.gcodable") == damaged)
    let other = try await Tool.run(["repair", "state.gcodable", "-o", "new.gcodable", "--json"], in: folder)
    #expect(other.status == 0 && other.output.contains("\"restoredSectors\""))
    #expect(try folder.bytes(of: "new.gcodable") == bytes)
    #expect(try folder.bytes(of: "state.gcodable") == damaged)
    let repair = try await Tool.run(["repair", "state.gcodable"], in: folder)
    #expect(repair.status == 0)
    #expect(try folder.bytes(of: "state.gcodable") == bytes)
  }

  @Test func beyondTheBoundTheFileIsLeftAsItIs() async throws {
    let folder = try Folder()
    try folder.write((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }, to: "state.gcodable")
    _ = try await Tool.run(["protect", "state.gcodable", "-p", "0.5"], in: folder)
    _ = try Self.zero(0..<50_000, of: "state.gcodable", in: folder)
    let damaged = try folder.bytes(of: "state.gcodable")
    let repair = try await Tool.run(["repair", "state.gcodable"], in: folder)
    #expect(repair.status == 1)
    #expect(repair.diagnostics.contains("13 of 25 sectors") && repair.diagnostics.contains("recover"))
    #expect(try folder.bytes(of: "state.gcodable") == damaged)
  }

  /// Every file of a set has parity of its own.
  @Test func aSetIsProtectedAndItsPartsAreRepaired() async throws {
    let folder = try Folder()
    try folder.set()
    let parts = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
      .filter { $0.hasSuffix(".gcodable") }
    #expect(parts.count > 2)
    let made = try await Tool.run(["protect", "."], in: folder)
    #expect(made.status == 0)
    for part in parts {
      let bytes = try Self.zero(50..<200, of: part, in: folder)
      let repair = try await Tool.run(["repair", part], in: folder)
      #expect(repair.status == 0, "\(part): \(repair.diagnostics)")
      #expect(try folder.bytes(of: part) == bytes)
    }
  }

  /// What is repacked has other bytes: old parity would not be of any use.
  @Test(arguments: ["state.gcodable", "run.gcseries"])
  func aRepackedFileHasNewParity(_ name: String) async throws {
    let folder = try Folder()
    if name == "run.gcseries" { _ = try folder.series(name) } else { try folder.archive(name) }
    _ = try await Tool.run(["protect", name, "-p", "50"], in: folder)
    let parity = try folder.bytes(of: name + ".gcparity")
    let repack = try await Tool.run(["repack", name, "--codec", "none", "--verify-after-write"], in: folder)
    #expect(repack.status == 0, "\(repack.diagnostics)")
    #expect(try folder.bytes(of: name + ".gcparity") != parity)
    let bytes = try Self.zero(50..<90, of: name, in: folder)
    let repair = try await Tool.run(["repair", name], in: folder)
    #expect(repair.status == 0, "\(repair.diagnostics)")
    #expect(try folder.bytes(of: name) == bytes)
  }

  @Test func withoutParityTheErrorSaysSo() async throws {
    let folder = try Folder()
    try folder.archive()
    let repair = try await Tool.run(["repair", "state.gcodable"], in: folder)
    #expect(repair.status != 0 && repair.diagnostics.contains("has no parity"))
    let usage = try await Tool.run(["protect", "state.gcodable", "-p", "0.1"], in: folder)
    #expect(usage.status == 64)
    let both = try await Tool.run(["repair", "state.gcodable", "--check", "-o", "new"], in: folder)
    #expect(both.status == 64)
  }
}
