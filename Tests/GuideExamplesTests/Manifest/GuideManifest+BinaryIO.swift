extension GuideManifest {
  static let binaryIO: [GuideExample] = [
    GuideExample(
      first, "", .edited(0, [strayBracket]),
      prints: .plainBlock(0, [rootDumpTitle]), comparing: .dumpOfRandomNumbers),
    GuideExample(
      ioType, "the library's protocols have the requirements that the guide shows",
      .code("import GraphCodable"), .block(0), .code(conformerToBinaryIOProtocols), prints: .comments),
    GuideExample(
      ioType, "adopted beside GCodable, it changes nothing",
      .edited(0, of: first, [strayBracket]), .block(1),
      prints: .plainBlock(0, of: first, [rootDumpTitle]), comparing: .dumpOfRandomNumbers),
    GuideExample(
      binaryCodable, "the library's protocols have the requirements that the guide shows",
      .code("import GraphCodable"), .block(0), .code(conformersToBinaryCodableProtocols),
      prints: .comments),
    GuideExample(
      binaryCodable, "values are one unit each",
      .edited(0, of: first, [strayBracket, noHelp, noGCodable]), .block(1),
      prints: .plainBlock(0, [rootDumpTitle]), comparing: .dumpOfRandomNumbers),
    GuideExample(
      packCodable, "an array is one unit",
      .edited(0, of: first, [strayBracket, noHelp, noGCodable]), .block(1, of: binaryCodable), .block(0),
      prints: .plainBlock(0, [rootDumpTitle]), comparing: .dumpOfRandomNumbers),
    GuideExample(
      packCodable, "both protocols by one name",
      .edited(0, of: first, [strayBracket, noHelp, noGCodable]), .block(1),
      prints: .plainBlock(0, [rootDumpTitle]), comparing: .dumpOfRandomNumbers),
    GuideExample(
      packCodable, "the library's protocols have the requirements that the guide shows",
      .code("import GraphCodable"), .block(2), .code(conformersToPackProtocols), prints: .comments),
  ]

  static let binaryIOVersions: [GuideExample] = [
    GuideExample(
      ioVersions, "",
      .code(importsOfFragments + "import simd\n"), .block(0), .block(1), .block(3),
      prints: .plainBlock(0), comparing: .dumpOfRandomNumbers)
  ]

  static let repetitionsInBinaryIOVersions: [BlockReference: Int] = [
    BlockReference(section: ioVersions, index: 2): 1
  ]

  private static let first = "An example"
  private static let ioType = "The `BinaryIOType` protocol"
  private static let binaryCodable = "The `GBinaryCodable` protocol"
  private static let packCodable = "The `GPackCodable` protocol"
  private static let ioVersions = "BinaryIO versioning"

  private static let strayBracket = GuideEdit.replacing(
    "print( dump )]", by: "print( dump )", because: "the bracket is a slip of the pen")
  private static let noHelp = GuideEdit.replacing(
    "[.readable,.showHelp]", by: "[.readable]", because: "what the guide prints from here on has no help")
  private static let noGCodable = GuideEdit.cutting(
    from: "extension NumericData : GCodable {", through: "\n}\n",
    because: "the guide replaces this extension by the following one")
  private static let rootDumpTitle = GuideEdit.replacing(
    "-- Encoded Root Dump --------------\n", by: "",
    because: "neither the program nor, elsewhere in the guide, the same function prints this line")

  private static let conformerToBinaryIOProtocols = """
    struct Both: BinaryIOType, GraphCodable.BinaryIOType {
      let number : Int
      init( number: Int ) { self.number = number }
      init( from rbuffer: inout BinaryReadBuffer ) throws { number = try Int( from: &rbuffer ) }
      func write( to wbuffer: inout BinaryWriteBuffer ) throws { try number.write( to: &wbuffer ) }
    }
    func copy<Value: GraphCodable.BinaryIOType>( _ value: Value ) throws -> Value {
      var wbuffer = BinaryWriteBuffer()
      try value.write( to: &wbuffer )
      var rbuffer = BinaryReadBuffer( wbuffer.bytes )
      return try Value( from: &rbuffer )
    }
    print( try copy( Both( number: 3 ) ).number )  // 3
    """

  /// The guide's protocols are not the library's, so their values are taken for ones with fields.
  private static let conformersToBinaryCodableProtocols = """
    struct Guide: GBinaryCodable {
      init() {}
      init( from rbuffer: inout BinaryReadBuffer ) throws {}
      func write( to wbuffer: inout BinaryWriteBuffer ) throws {}
    }
    struct Library: GraphCodable.GBinaryCodable {
      init() {}
      init( from rbuffer: inout BinaryReadBuffer ) throws {}
      func write( to wbuffer: inout BinaryWriteBuffer ) throws {}
    }
    func adopts( _ type: any ( BinaryIOType & GCodable ).Type ) -> Bool { true }
    print( adopts( Guide.self ) && adopts( Library.self ) )  // true
    print( ( try? GraphEncoder().encode( Guide() ) as Bytes ) == nil )  // true
    print( ( try? GraphEncoder().encode( Library() ) as Bytes ) == nil )  // false
    """

  private static let conformersToPackProtocols = """
    struct Guide: GPackCodable {
      init( from rbuffer: inout BinaryReadBuffer ) throws {}
      func write( to wbuffer: inout BinaryWriteBuffer ) throws {}
    }
    extension Guide: GraphCodable.GPackable {}
    func adopts( _ type: any GraphCodable.GPackCodable.Type ) -> Bool { true }
    print( adopts( Guide.self ) )  // true
    print( Guide.self is any ( GPackable & GBinaryEncodable & GBinaryDecodable ).Type )  // true
    """
}
