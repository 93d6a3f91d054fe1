import CyclicCoding
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite struct ItemTests {
  static func archives() throws -> [(name: String, GraphArchive)] {
    let fleet = Fleet()
    return [
      ("GCodable", try GraphArchive(encoded(fleet))),
      ("Codable", try GraphArchive(GraphEncoder().encode(codable: PlainFleet(fleet)) as Bytes)),
    ]
  }

  @Test func show() throws {
    for (name, archive) in try Self.archives() {
      print(name, try archive.item())
      for path in [
        "", "flagship", "flagship.legs", "flagship.legs[2]", "flagship.cargo", "flagship.sister", "byName",
        "byNumber", "byBerth", "track", "track[3]", "ships[1].cargo.boxes", "ships[1].sister.berths",
      ] {
        print("--", path)
        do {
          for item in try archive.items(at: GraphPath(path as String)!, in: 0..<5) { print("   ", item) }
        } catch { print(error) }
      }
      print(try archive.info)
    }
  }
}
