import CyclicCoding
import Foundation
import Testing

/// A flattened container prints as a tree.
@Suite("CyclicCoding: description")
struct DescriptionTests {
  struct Size: Codable {
    var width = 1.5
    var height = 2
  }

  final class Owner: Codable {
    var name = "Ada \"L\""
    var sizes: [Size] = []
    var data = Data([1, 2, 3])
    init(sizes: Int = 0) { self.sizes = (0..<sizes).map { _ in Size() } }
  }

  private func text<Value: Encodable>(_ value: Value) throws -> String {
    String("\(try CyclicEncoder().flatten(value))".split(separator: "root: ", maxSplits: 1)[1])
  }

  @Test func simpleValuesStandInOneLine() throws {
    #expect(try text(1) == "1")
    #expect(try text(Int?.none) == "nil")
    #expect(try text([true, nil]) == "[true, nil]")
    #expect(try text(Size()) == "{ width: 1.5, height: 2 }")
    #expect(try text([Int]()) == "[]")
    #expect(try text([[[1, 2]]]) == "[[[1, 2]]]")
    #expect(try text([[Int](), []]) == "[[], []]")
    #expect(try text(UInt64.max) == "18446744073709551615")
    #expect(try text(-Int128.max) == "-170141183460469231731687303715884105727")
    #expect(try text(Float(0.1)) == "0.1")
  }

  @Test func severalContainersStandInLinesOfTheirOwn() throws {
    #expect(
      try text([Owner(), Owner(sizes: 1), Owner(sizes: 2)]) == #"""
        [
          { name: "Ada \"L\"", sizes: [], data: <3 bytes> },
          { name: "Ada \"L\"",
            sizes: [{ width: 1.5, height: 2 }],
            data: <3 bytes>
          },
          { name: "Ada \"L\"",
            sizes: [
              { width: 1.5, height: 2 },
              { width: 1.5, height: 2 }
            ],
            data: <3 bytes>
          }
        ]
        """#)
  }

  @Test func referencesAreNumberedInTheOrderInWhichTheyAreFirstMet() throws {
    let owners = [Owner(), Owner(), Owner()]
    let flattened = try CyclicEncoder().flatten([[owners[1], owners[2]], [owners[2], owners[1], owners[0]]])
    #expect(
      "\(flattened)".hasSuffix(
        """
        root: [
          [#0, #1],
          [
            #1,
            #0,
            { name: "Ada \\"L\\"", sizes: [], data: <3 bytes> }
          ]
        ]
        """))
  }
}
