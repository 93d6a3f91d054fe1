import GraphCodable
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Which names in an archive reach Swift's runtime.
@Suite("Mangled names")
struct MangledNameTests {
  @Test(arguments: NameCorpus.classes.indices)
  func aClassIsFoundByItsNameInFull(index: Int) throws {
    let type: AnyClass = NameCorpus.classes[index]
    let name = try #require(_mangledTypeName(type))
    let full = try #require(MangledName.expanded(name), "\(name)")
    #expect(_typeByName(full) == type, "\(name): \(full)")
    // Nothing is left to put in.
    #expect(MangledName.expanded(full) == full)
  }

  @Test(arguments: NameCorpus.others.indices)
  func aClassThatIsNotFoundByItsNameIsRefusedWhenItIsEncoded(index: Int) {
    let type: AnyClass = NameCorpus.others[index]
    let error = #expect(throws: GCodableError.self) { try StoredClassNames(type) }
    #expect(error?.code == .classNotConstructible)
    #expect(error?.description.contains("register()") == true)
  }

  @Test(arguments: [
    ("17MyGraphCodableApp0A4DataC", "17MyGraphCodableApp6MyDataC"),
    ("3App3BoxCyAA4NodeCG", "3App3BoxCy3App4NodeCG"),
    ("3App3BoxCyACyAA4NodeCGAEG", "3App3BoxCy3App3BoxCy3App4NodeCG3App4NodeCG"),
    ("3App3BoxCyS2iG", "3App3BoxCySiSiG"),
    ("3App3BoxCyAA1P_AaDpG", "3App3BoxCy3App1P_3App1PpG"),
    ("3App0021rawname1_liaeHFGIBdkaC", "3App0021rawname1_liaeHFGIBdkaC"),
  ])
  func substitutionsArePutIn(name: String, full: String?) {
    #expect(MangledName.expanded(name) == full)
  }

  /// Swift's runtime crashes on most of these, or does not return.
  @Test(arguments: [
    "Si_S2SXLt", "SSyXLSg", "4main1P_pxQp1S_SS1at", "ypq_BV", "$n1_", "Say$n1_G", "s13ManagedBufferCy$n1_SiG",
    "3App3BoxCyxG", "3App3BoxCyBi64_G", "3App3BoxCyq_G", "3App3BoxCySicG", "3App3BoxCySimG", "3App3BoxCyXDG",
    "\u{1}abcd", "3App3BoxC\u{0}", "3App1$yXZ4NodeC", "3App4N deC", "3App5Nod\u{E9}C", "3App03Node4NodeC",
    // No class, or not one.
    "", "3App", "3App4NodeV", "SaySiG", "Si", "3App4NodeC3App4NodeC", "C", "G", "3App4NodeCG", "A", "AA", "S",
    "3App4NodeCSg", "y", "_", "3AppC", "3App4NodeCy", "3App4NodeCyG", "3App4NodeCySi_SiG",
    "3App1AV4NodeCySiG",
    // Numbers that are too large.
    "99999999999999999999App4NodeC", "4AppC", "3App3BoxCyA99999999999999999999_G", "3App3BoxCyS9999iG",
  ])
  func otherTextIsRefused(name: String) {
    #expect(MangledName.expanded(name) == nil)
  }

  @Test func aTypeThatHoldsItselfTwiceIsPutInAgainAndAgain() {
    let full = MangledName.expanded(doubling(3))
    #expect(full?.split(separator: "Pair").count == 8)
    #expect(full?.hasPrefix("3App3BoxCy3App4PairVy3App4PairVy3App4PairVySiSiG3App4PairVySiSiGG") == true)
  }

  @Test(arguments: [10, 12, 25, 200])
  func aTypeThatDoublesToMoreThanTheLimitIsRefused(levels: Int) {
    #expect(MangledName.expanded(doubling(levels)) == nil)
  }

  /// `Box<Pair<Pair<…>, Pair<…>>>`: each level has the one inside in front, and again by its number.
  private func doubling(_ levels: Int) -> String {
    var name = "3App3BoxCy" + String(repeating: "3App4PairVy", count: levels) + "S2iG"
    for level in 1..<levels {
      // Three for `Box`, three for each `Pair`, then the levels.
      let number = 3 + 3 * levels + level - 1
      name +=
        number < 26 ? "A\(UnicodeScalar(UInt8(65 + number)))G" : "A\(number > 26 ? "\(number - 27)" : "")_G"
    }
    return name + "G"
  }

  @Test func namesHaveLimits() {
    func nested(_ depth: Int) -> String {
      String(repeating: "3App3BoxCy", count: depth) + "Si" + String(repeating: "G", count: depth)
    }
    #expect(MangledName.expanded(nested(14)) != nil)
    #expect(MangledName.expanded(nested(17)) == nil)
    func scopes(_ count: Int) -> String { "3App" + String(repeating: "1AV", count: count) + "1BC" }
    #expect(MangledName.expanded(scopes(14)) != nil)
    #expect(MangledName.expanded(scopes(17)) == nil)
    func arguments(_ count: Int) -> String { "3App3BoxCy" + String(repeating: "Si", count: count) + "G" }
    #expect(MangledName.expanded(arguments(200)) != nil)
    #expect(MangledName.expanded(arguments(300)) == nil)
    #expect(MangledName.expanded("3App3BoxCyS200iG") != nil)
    #expect(MangledName.expanded("3App3BoxCyS300iG") == nil)
    func long(_ count: Int) -> String { "3App\(count)" + String(repeating: "x", count: count) + "C" }
    #expect(MangledName.expanded(long(4_000)) != nil)
    #expect(MangledName.expanded(long(5_000)) == nil)
  }
}
