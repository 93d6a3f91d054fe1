import Testing

/// What the compiler says of calls whose result may be of many types, and that it takes all others as before.
@Suite("Calls without a type: what the compiler says")
struct MissingTypeTests {
  @Test func theyAreToldWhatToWrite() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodable
      enum Key: String { case a }
      struct Plain: Codable { var x = 1 }
      func encode(_ e: GraphEncoder) throws {
        let a = try e.encode([1])
        let b = try e.encode(codable: Plain())
        try e.encode([1])
        print(a, b, try e.encode("text"))
        print(try GraphDecoder().decode([Int].self, from: e.encode([1])))
      }
      func decode(_ d: GraphDecoder, _ bytes: Data, _ url: URL, _ entry: GraphArchiveSeries.Entry) throws {
        let a = try d.decode(from: bytes)
        let b: [Int] = try d.decode(from: bytes)
        let c = try d.read(from: url)
        let e: [Int] = try d.read(from: url)
        let f = try d.read(from: entry)
        let g: Plain = try d.read(from: entry)
        print(a, b, c, e, f, g)
      }
      func decode(_ d: GDecoder, _ archive: GraphArchive) throws {
        let a = try d.decode(for: Key.a)
        let b = try d.decode()
        let c = try d.decodeIfPresent(for: Key.a) as Any
        let e = try archive.decode()
        let f = try archive.decode(at: "a.b")
        print(a, b, c, e, f)
      }
      """)
    #expect(source.elsewhere == [])
    let lines = source.errors.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
    #expect(lines == [6, 7, 8, 9, 10] + Array(13...18) + Array(22...26), "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("is unavailable: say what") }, "\(source.errors)")
  }

  @Test func typesThatCannotBeCodedAreNamedAsBefore() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodable
      struct Other {}
      enum Key: String { case a }
      struct A: GDecodable {
        var a: Other
        var b: Other
        var c: Int
        init(from d: GDecoder) throws {
          a = try d.decode(for: Key.a)
          b = try d.decode()
          c = try d.decode(for: Key.a)
        }
      }
      func code(_ e: GraphEncoder, _ d: GraphDecoder, _ bytes: Data) throws {
        let a = try e.encode(Other())
        let b = try e.encode(Other()) as Data
        let c = try d.decode(Other.self, from: bytes)
        let f = try GraphArchive(bytes).decode(Other.self)
        print(a, b, c, f)
      }
      """)
    #expect(source.elsewhere == [])
    let lines = source.errors.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
    #expect(lines == [10, 11, 16, 17, 18, 19], "\(source.errors)")
    #expect(source.errors.allSatisfy { $0.contains("'Other' conform to") }, "\(source.errors)")
  }

  @Test func callsWithATypeAreTakenAsBefore() throws {
    let source = try CompiledSource(
      """
      import Foundation
      import GraphCodable
      enum Key: String { case a, b }
      struct Plain: Codable { var x = 1 }
      func take(_ data: Data) {}
      func takeBytes(_ bytes: [UInt8]) {}
      func encode<Root: GEncodable>(_ e: GraphEncoder, _ root: Root) throws -> Data {
        let a: Data = try e.encode(root)
        let b = try e.encode(root) as [UInt8]
        try take(e.encode(root))
        try takeBytes(e.encode(codable: Plain()))
        let c = try [e.encode(root), a]
        var d = Data()
        d = try e.encode(codable: [Plain()])
        _ = try e.encode(root) as ContiguousArray<UInt8>
        print(a, b, c, d, try GraphDecoder().decode([Int].self, from: e.encode([1]) as Bytes))
        return try e.encode(root)
      }
      struct B: GDecodable {
        var a: Int
        var b: [String: Double?]
        var c: [B]?
        init(from d: GDecoder) throws {
          a = try d.decode(for: Key.a)
          b = try d.decode()
          c = try d.decodeIfPresent(for: Key.a)
          let more: Int? = try d.decode(for: Key.a) ?? d.decodeIfPresent(for: Key.b)
          let sum = try a + d.decode(for: Key.b) + d.decode() * 2
          print(more ?? sum, try d.decode(for: Key.a) as String, [try d.decode(), 1.5])
        }
      }
      func decode(_ archive: GraphArchive) throws -> B {
        let a: [Int] = try archive.decode()
        let b = try archive.decode(at: "a") as Double
        print(a, b, try archive.decode(at: "b", using: GraphDecoder()) as Int)
        return try archive.decode()
      }
      """)
    #expect(source.messages == [] && source.elsewhere == [])
  }
}
