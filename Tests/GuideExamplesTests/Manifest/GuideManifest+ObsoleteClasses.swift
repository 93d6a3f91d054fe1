extension GuideManifest {
  static let obsoleteClasses: [GuideExample] = [
    GuideExample(
      nonGeneric, "the library's protocol has the requirements that the guide shows",
      .code("import GraphCodable"),
      .edited(
        0,
        [
          .replacing(
            "protocol GDecodable", by: "protocol GuideDecodable : GDecodable", because: bothProtocols),
          .replacing("extension GDecodable", by: "extension GuideDecodable", because: bothProtocols),
        ]),
      .code(conformerToReplacementProtocols), prints: .comments),
    GuideExample(
      nonGeneric, "a class that is emptied by hand",
      programs: [
        writerOfMyFile,
        GuideProgram(
          .edited(
            3,
            [
              .cutting(
                from: "class MyData : GObsolete", through: "\n}\n",
                because: "the guide shows another form of this class")
            ]),
          .block(1), prints: .comments),
      ]),
    GuideExample(
      nonGeneric, "a class that is marked obsolete",
      programs: [writerOfMyFile, GuideProgram(.block(3), prints: .comments)]),
  ]

  static let obsoleteGenericClasses: [GuideExample] = [
    GuideExample(
      generic, "a generic class follows the replacement of its parameter",
      .code("import GraphCodable"), .block(0), .block(1), .code(usesOfGeneric), prints: .comments),
    GuideExample(
      generic, "a generic class that is a parameter itself is renamed",
      programs: [
        GuideProgram(.code(importsOfFragments), .block(2), .block(3), prints: .plainBlock(0)),
        GuideProgram(.code(importsOfFragments), .block(2), .block(8), prints: .plainBlock(1)),
      ]),
  ]

  static let classNames: [GuideExample] = [
    GuideExample(
      names, "the classes of an archive, and a class chosen by its mangled name",
      programs: [
        writerOfMyFile,
        GuideProgram(
          .code(importsOfFragments), .block(0), prints: .plainBlock(0), comparing: .dump),
        GuideProgram(.block(3), prints: .comments),
      ]),
    GuideExample(
      names, "a class chosen by its qualified name",
      programs: [
        writerOfMyFile,
        GuideProgram(
          .edited(
            3,
            [
              .replacing(
                #".mangledName("17MyGraphCodableApp0A4DataC")"#,
                by: #".qualifiedName("MyGraphCodableApp.MyData")"#, because: "the guide offers both")
            ]), prints: .comments),
      ]),
    GuideExample(
      names, "the library's decoder has the function that the guide shows",
      .code("import GraphCodable\nprotocol Guide {"), .block(1),
      .code("}\nextension GraphDecoder: Guide {}"), prints: .nothing),
    GuideExample(
      names, "the library's enumeration has the cases that the guide shows",
      .code("import GraphCodable"), .block(2), .code(usesOfClassNames), prints: .comments),
  ]

  static let repetitionsInObsoleteClasses: [BlockReference: Int] = [
    BlockReference(section: nonGeneric, index: 2): 3,
    BlockReference(section: generic, index: 4): 8,
    BlockReference(section: generic, index: 5): 8,
    BlockReference(section: generic, index: 6): 8,
    BlockReference(section: generic, index: 7): 8,
  ]

  private static let nonGeneric = "Non generic references"
  private static let generic = "Generic references"
  private static let names = "Using class name strings"
  private static let bothProtocols = "the types in its requirements are the library's"

  private static let conformerToReplacementProtocols = """
    struct New: GCodable {
      init( from decoder: GDecoder ) throws {}
      func encode( to encoder: GEncoder ) throws {}
    }
    extension New: GuideDecodable {}
    extension Int: GuideDecodable {}
    func replacement( of type: any GuideDecodable.Type ) -> any GDecodable.Type { type.replacementType }
    print( replacement( of: New.self ) )  // New
    print( Int.replacementType )  // Int
    """

  private static let usesOfGeneric = """
    class MyNewData : GCodable {
      required init( from decoder: GDecoder ) throws {}
      func encode( to encoder: GEncoder ) throws {}
    }
    class MyData : GObsolete {
      class var replacementType: GDecodable.Type { MyNewData.replacementType }
    }
    print( Generic<MyData>.replacementType )  // Generic<MyNewData>
    print( Generic<Generic<MyData>>.replacementType )  // Generic<Generic<MyNewData>>
    print( Generic<Int>.replacementType )  // Generic<Int>
    """

  private static let usesOfClassNames = """
    func guideName( _ name: GraphCodable.ClassName ) -> ClassName {
      switch name {
      case .mangledName( let text ): .mangledName( text )
      case .qualifiedName( let text ): .qualifiedName( text )
      }
    }
    print( guideName( .mangledName( "M" ) ) == .mangledName( "M" ) )  // true
    print( guideName( .qualifiedName( "M" ) ) == .qualifiedName( "M" ) )  // true
    """
}
