extension GuideManifest {
  static let versions: [GuideExample] = [
    GuideExample(
      versionsSection, "the library's protocol has the requirements that the guide shows",
      .code("import GraphCodable"), .block(0), .code(conformersToVersionProtocols), prints: .comments),
    GuideExample(
      versionsSection, "the library's decoder has the property that the guide shows",
      .code("import GraphCodable"),
      .edited(
        1,
        [
          .replacing("\t...\n", by: "", because: "it stands for what is left out"),
          .replacing("  ...\n", by: "", because: "it stands for what is left out"),
        ]), .code("extension GraphCodable.GDecoder: GDecoder {}"), prints: .nothing),
    GuideExample(
      versionsSection, "an archive is read by the next version of a program",
      programs: [
        writerOfMyFile,
        GuideProgram(
          .edited(
            3,
            [
              .replacing(
                #"(string: "3")"#, by: "(string: 3)",
                because: "the description in this program puts no quotes around the string")
            ]),
          prints: .comments),
      ]),
  ]

  static let versionsSection = "Reference types versioning"

  /// Writes an instance of `MyData` to `Documents/MyFile.graph`.
  static let writerOfMyFile = GuideProgram(.block(2, of: versionsSection), prints: .comments)

  /// One set of members satisfies both: in the program, the bare name is the guide's protocol.
  private static let conformersToVersionProtocols = """
    final class Both: GEncodable, GraphCodable.GEncodable {
      static var typeVersion : UInt32 { 7 }
      func encode( to encoder: GEncoder ) throws {}
    }
    final class Library: GraphCodable.GEncodable {
      func encode( to encoder: GEncoder ) throws {}
    }
    struct Guide: GEncodable {}
    func libraryVersion( _ type: any GraphCodable.GEncodable.Type ) -> UInt32 { type.typeVersion }
    print( libraryVersion( Both.self ) )  // 7
    print( libraryVersion( Library.self ) == Guide.typeVersion )  // true
    """
}
