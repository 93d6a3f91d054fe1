extension GuideManifest {
  static let copyOnWrite: [GuideExample] = [
    GuideExample(
      userTypes, "without identity",
      .code("import GraphCodable"), .block(0), .block(1), .block(2),
      prints: .plainBlock(0), comparing: .dump),
    GuideExample(
      userTypes, "with identity",
      .code("import GraphCodable"), .block(0), .block(1), .block(3), .block(2),
      prints: .plainBlock(1), comparing: .dump),
    GuideExample(
      systemTypes, "array",
      .code("import GraphCodable"),
      .edited(
        0,
        [
          .replacing(
            "var gcodableID", by: "public var gcodableID",
            because: "Swift asks for `public` here, whatever the library does")
        ]),
      .code(usesOfIdentifiableArrays), prints: .comments),
    GuideExample(
      systemTypes, "string",
      .code("import GraphCodable"), .block(1), .code(usesOfIdentifiableStrings), prints: .comments),
  ]

  private static let userTypes = "Identity for value types that use copy on write (COW)"
  private static let systemTypes =
    "Identity for swift system value types that use copy on write (COW)"

  /// `PTS` is the dump's word for a pointer to what was encoded before.
  private static let usesOfIdentifiableArrays = """
    let a = ["x", "y"]
    let inRoot = [a, a]
    print( try GraphEncoder().dump( inRoot ).contains( "PTS" ) )  // true
    let data = try GraphEncoder().encode( inRoot ) as Bytes
    print( try GraphDecoder().decode( [[String]].self, from: data ) == inRoot )  // true

    let c = ContiguousArray( ["x", "y"] )
    print( try GraphEncoder().dump( [c, c] ).contains( "PTS" ) )  // true
    """

  private static let usesOfIdentifiableStrings = """
    let inRoot = ["one and the same", "one and the same"]
    let dump = try GraphEncoder().dump( inRoot )
    print( dump.ranges( of: "one and the same" ).count )  // 1
    print( dump.contains( "PTS" ) )  // true
    let data = try GraphEncoder().encode( inRoot ) as Bytes
    print( try GraphDecoder().decode( [String].self, from: data ) == inRoot )  // true
    """
}
