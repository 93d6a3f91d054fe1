extension GuideManifest {
  static let importsOfFragments = "import Foundation\nimport GraphCodable\n"

  static let coding: [GuideExample] = [
    GuideExample("Supported system types", "", .block(0), prints: .comments),
    GuideExample("Keyed coding", "", .block(0), prints: .comments),
    GuideExample("Unkeyed coding", "", .block(0), prints: .comments),
    // The library has these very conformances, so the compiler warns that it does not use the guide's.
    GuideExample(
      "Unkeyed coding", "array conformance beside the library's",
      .code("import GraphCodable"), .block(1), .code(usesOfArray), prints: .comments),
    GuideExample(
      "Unkeyed coding", "array conformance given to another container",
      .code(listDeclaration),
      .edited(1, [.replacing("Array", by: "List", because: "the library's own array would be used")]),
      .code(usesOfList),
      prints: .comments),
  ]

  private static let usesOfArray = """
    let inRoot = [["a", "b"], [], ["c"]]
    let data = try GraphEncoder().encode( inRoot ) as Bytes
    print( try GraphDecoder().decode( [[String]].self, from: data ) )  // [["a", "b"], [], ["c"]]
    """

  private static let listDeclaration = """
    import GraphCodable

    public struct List<Element>: Sequence {
      private var elements: [Element] = []
      public init() {}
      public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }
      public mutating func append(_ element: Element) { elements.append(element) }
      public func makeIterator() -> [Element].Iterator { elements.makeIterator() }
    }
    """

  private static let usesOfList = """
    var list = List<List<Int>>()
    list.append( List() )
    list.append( List() )
    var numbers = List<Int>()
    for number in 1...3 { numbers.append( number ) }
    list.append( numbers )

    let data = try GraphEncoder().encode( list ) as Bytes
    let outRoot = try GraphDecoder().decode( List<List<Int>>.self, from: data )
    print( outRoot.map { Array($0) } )  // [[], [], [1, 2, 3]]
    """
}
