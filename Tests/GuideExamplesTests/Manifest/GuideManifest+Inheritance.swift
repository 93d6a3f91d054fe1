extension GuideManifest {
  static let inheritance: [GuideExample] = [
    GuideExample("Inheritance", "", .block(0), prints: .comments),
    GuideExample(
      "Disable inheritance", "the library's protocol has the requirements that the guide shows",
      .code("import GraphCodable"), .block(0), .code(conformerToBothInheritanceProtocols),
      prints: .comments),
    GuideExample(
      "Disable inheritance", "a private class that adopts GInheritance is decoded again",
      .code(privateClass), .block(1), .code(usesOfPrivateClass), prints: .comments),
    GuideExample(
      "Disable inheritance", "a private class that does not is refused while it is encoded",
      .code(privateClass), .code(refusalOfPrivateClass), prints: .comments),
  ]

  /// One set of members satisfies both: in the program, the bare name is the guide's protocol.
  private static let conformerToBothInheritanceProtocols = """
    class Both: GInheritance, GraphCodable.GInheritance {
      var disableInheritance : Bool { true }
    }
    let library: any GraphCodable.GInheritance = Both()
    print( library.disableInheritance )  // true
    """

  private static let privateClass = """
    import GraphCodable

    private class MyReferenceType: GCodable {
      let number: Int
      init( _ number: Int ) { self.number = number }
      required init( from decoder: GDecoder ) throws { number = try decoder.decode() }
      func encode( to encoder: GEncoder ) throws { try encoder.encode( number ) }
    }
    """

  private static let usesOfPrivateClass = """
    let data = try GraphEncoder().encode( [MyReferenceType( 3 )] ) as Bytes
    private let outRoot = try GraphDecoder().decode( [MyReferenceType].self, from: data )
    print( outRoot[0].number )  // 3
    """

  private static let refusalOfPrivateClass = """
    private let instance = MyReferenceType( 3 )
    let data = try? GraphEncoder().encode( instance ) as Bytes
    print( data == nil )  // true
    print( instance.supportsCodableInheritance )  // false
    """
}
