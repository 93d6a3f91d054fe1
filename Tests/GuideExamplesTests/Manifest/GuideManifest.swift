/// Which parts of the guide are covered, and how each of their Swift blocks is run.
///
/// A block is named by its section and its index among the section's Swift blocks. A test fails where a
/// section between `firstSection` and `lastSection` has a Swift block that no example uses, so a new
/// block needs a line here. To cover more of the guide, move `lastSection` and add a table.
enum GuideManifest {
  static let firstSection = "Supported system types"
  static let lastSection = "UserInfo dictionary"

  static let examples = coding + inheritance + identity + graphs + copyOnWrite
}
