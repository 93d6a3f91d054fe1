extension GuideManifest {
  static let graphs: [GuideExample] = [
    GuideExample("Directed acyclic graphs (DAG)", "", .block(0), prints: .comments),
    GuideExample(
      "Weak variables example", "the initializer",
      .code(parentAndChildsStart), .block(0), .code(parentAndChildsEnd), prints: .comments),
    GuideExample(
      "Weak variables example", "", .block(1), prints: .comments, comparing: .unorderedBrackets),
    GuideExample(
      "A more general example", "the initializer",
      .code(connectionsStart), .block(0), .code(connectionsEnd), prints: .comments),
    GuideExample(
      "A more general example", "", .block(1),
      prints: .plainBlock(0), comparing: .unorderedLines(startingWith: "\t•")),
  ]

  private static let parentAndChildsStart = """
    import GraphCodable

    class Node: GCodable {
      private enum Key: String { case childs, parent }
      private(set) var childs = [Node]()
      weak var parent: Node?

      init() {}
      func append( _ child: Node ) {
        childs.append( child )
        child.parent = self
      }
      func encode( to encoder: GEncoder ) throws {
        try encoder.encode( childs, for: Key.childs )
        try encoder.encodeConditional( parent, for: Key.parent )
      }
    """

  private static let parentAndChildsEnd = """
    }

    let inRoot = Node()
    inRoot.append( Node() )
    let data = try GraphEncoder().encode( inRoot ) as Bytes
    let outRoot = try GraphDecoder().decode( Node.self, from: data )
    print( outRoot.childs.count )  // 1
    print( outRoot.childs[0].parent === outRoot )  // true
    print( outRoot.parent == nil )  // true
    """

  private static let connectionsStart = """
    import GraphCodable

    class Node: GCodable {
      private enum Key: String { case name, connections }
      let name: String
      var connections = [Node]()

      init( _ name: String ) { self.name = name }
      func encode( to encoder: GEncoder ) throws {
        try encoder.encode( name, for: Key.name )
        try encoder.encode( connections, for: Key.connections )
      }
    """

  private static let connectionsEnd = """
    }

    let a = Node( "a" )
    let b = Node( "b" )
    a.connections = [a, b]
    b.connections = [a]
    let data = try GraphEncoder().encode( a ) as Bytes
    let out_a = try GraphDecoder().decode( Node.self, from: data )
    print( out_a.connections.map { $0.name } )  // ["a", "b"]
    print( out_a.connections[0] === out_a )  // true
    print( out_a.connections[1].connections[0] === out_a )  // true
    """
}
