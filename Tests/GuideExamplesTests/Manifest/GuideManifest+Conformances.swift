extension GuideManifest {
  // The library may have these very conformances: the compiler then warns that it does not use the guide's.
  static let libraryConformances: [GuideExample] = [
    GuideExample(
      "Foundation type `CGSize`", "",
      .code(importsOfFragments), .block(0), .block(1), .code(usesOfSize), prints: .comments),
    GuideExample(
      "Swift standard library type `String`", "",
      .code(importsOfFragments), .code(stringFunctions), .block(0), .block(1), .code(usesOfString),
      prints: .comments),
    GuideExample(
      "Swift standard library type `Array`", "",
      .code(importsOfFragments), .block(0), .block(1), .block(2), .code(usesOfArray), prints: .comments),
    GuideExample(
      "Foundation type `PersonNameComponents`", "",
      .code(importsOfFragments), .block(0), .block(1), .code(usesOfPersonName), prints: .comments),
  ]

  private static let copy = """
    func copy<Value: GCodable>( _ value: Value ) throws -> Value {
      try GraphDecoder().decode( Value.self, from: GraphEncoder().encode( value ) as Bytes )
    }
    func unitByUnit<Value: BinaryIOType>( _ value: Value ) throws -> Value {
      var wbuffer = BinaryWriteBuffer()
      try value.write( to: &wbuffer )
      var rbuffer = BinaryReadBuffer( wbuffer.bytes )
      return try Value( from: &rbuffer )
    }

    """

  private static let usesOfSize =
    copy + """
      let sizes = [CGSize( width: 1.5, height: -2 ), .zero]
      print( try copy( sizes ) == sizes )  // true
      print( try unitByUnit( sizes ) == sizes )  // true
      """

  /// The guide says that the library's are not for users.
  private static let stringFunctions = """
    extension BinaryWriteBuffer {
      mutating func writeString( _ string: String ) throws { try Array( string.utf8 ).write( to: &self ) }
    }
    extension BinaryReadBuffer {
      mutating func readString() throws -> String {
        String( decoding: try [UInt8]( from: &self ), as: UTF8.self )
      }
    }
    """

  private static let usesOfString =
    copy + """
      let strings = ["", "a", "häöü"]
      print( try copy( strings ) == strings )  // true
      print( try unitByUnit( strings ) == strings )  // true
      """

  private static let usesOfArray =
    copy + """
      struct Packed: GPackCodable, Equatable {
        var number = 3
        init() {}
        init( from rbuffer: inout BinaryReadBuffer ) throws { number = try Int( from: &rbuffer ) }
        func write( to wbuffer: inout BinaryWriteBuffer ) throws { try number.write( to: &wbuffer ) }
      }
      let arrays = [[Packed(), Packed()], []]
      print( try copy( arrays ) == arrays )  // true
      print( try unitByUnit( arrays ) == arrays )  // true
      print( try copy( [["a"], []] ) )  // [["a"], []]
      """

  private static let usesOfPersonName =
    copy + """
      var name = PersonNameComponents()
      name.givenName = "Ada"
      name.familyName = "Lovelace"
      print( try copy( [name] ) == [name] )  // true
      print( try unitByUnit( name ) == name )  // true
      """
}
