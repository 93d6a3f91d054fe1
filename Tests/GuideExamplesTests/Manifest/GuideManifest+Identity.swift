extension GuideManifest {
  static let identity: [GuideExample] = [
    GuideExample("Reference types identity", "", .block(0), prints: .comments),
    GuideExample(
      "Value types identity", "the library's protocol has the requirements that the guide shows",
      .code("import GraphCodable"), .block(0), .code(conformersToIdentityProtocols),
      prints: .comments),
    GuideExample("Value types identity", "", .block(1), prints: .comments),
    GuideExample("Conditional encoding", "references", .block(0), prints: .comments),
    GuideExample("Conditional encoding", "values with identity", .block(1), prints: .plainBlock(0)),
    GuideExample(
      "Conditional encoding", "values with identity, the inRoot line changed",
      .withLine(1, startingWith: "let inRoot", replacedByBlock: 2), prints: .plainBlock(1)),
  ]

  /// One set of members satisfies both: in the program, the bare name is the guide's protocol.
  private static let conformersToIdentityProtocols = """
    struct Both: GIdentifiable, GraphCodable.GIdentifiable {
      var gcodableID: String? { "both" }
    }
    func libraryID<ID>( _ value: some GraphCodable.GIdentifiable<ID> ) -> ID? { value.gcodableID }
    print( libraryID( Both() )! )  // both

    struct ByID: Identifiable, GraphCodable.GIdentifiable {
      let id: Int
    }
    print( libraryID( ByID( id: 7 ) )! )  // 7
    """
}
