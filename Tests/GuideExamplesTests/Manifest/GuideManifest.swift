/// How each Swift block of the guides is run, and some of the early guide's.
///
/// A block is named by its section and its index among the section's Swift blocks. A test fails where a
/// section has a Swift block that no example uses, so a new block needs a line here.
enum GuideManifest {
  static func examples(of guide: Guide) -> [GuideExample] {
    switch guide {
    case .user: examples
    case .early: earlyExamples
    case .cyclicCoding: cyclicCoding
    case .polyCodable: polyCodable
    }
  }

  static let examples =
    coding + inheritance + identity + graphs + copyOnWrite + versions + obsoleteClasses
    + obsoleteGenericClasses + classNames + binaryIO + binaryIOVersions + libraryConformances

  /// Fragments that the guide shows a second time inside a full program, with that program's block.
  static let repetitions: [BlockReference: Int] = repetitionsInObsoleteClasses.merging(
    repetitionsInBinaryIOVersions
  ) { first, _ in first }
}
