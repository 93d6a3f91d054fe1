import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Names that the library would look up, made by chance: Swift's runtime must survive all of them.
///
/// `GRAPHCODABLE_NAMES` sets how many are made.
@Suite("Mangled names by chance")
struct MangledNameFuzzTests {
  static let count = Int(ProcessInfo.processInfo.environment["GRAPHCODABLE_NAMES"] ?? "") ?? 100_000

  @Test(arguments: 0..<4) func theRuntimeSurvivesEveryNameThatIsLookedUp(part: Int) async {
    await #expect(processExitsWith: .success) { [part = part as Int] in
      var names = RandomNames(seed: UInt64(part))
      var (lookedUp, found) = (0, 0)
      for _ in 0..<MangledNameFuzzTests.count / 4 {
        let name = names.next()
        guard let full = MangledName.expanded(name) else { continue }
        let start = RandomNames.threadTime
        let type = _typeByName(full)
        #expect(RandomNames.threadTime - start < 1, "\(full)")
        #expect(type == nil || type is AnyClass, "\(full)")
        lookedUp += 1
        if type != nil { found += 1 }
      }
      #expect(lookedUp > MangledNameFuzzTests.count / 40)
      #expect(found > MangledNameFuzzTests.count / 200)
    }
  }
}

/// Names made of those of the corpus.
struct RandomNames {
  private var random: SplitMix64
  private let corpus = NameCorpus.classes.compactMap { _mangledTypeName($0) }
  /// Names in full, and how many lists of arguments they take.
  private let nominals: [(name: String, levels: Int)]
  private let pieces: [String]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    nominals = corpus.compactMap { MangledName.expanded($0) }.map { name in
      guard let start = name.firstIndex(of: "y"), name.hasSuffix("G") else { return (name, 1) }
      return (String(name[..<start]), name[start...].prefix { $0 == "_" || $0 == "y" }.count)
    }
    pieces =
      [
        "Si", "SS", "Sa", "SD", "Sg", "Sh", "y", "_", "G", "C", "V", "O", "E", "P", "p", "t", "QP", "Xl",
        "yp", "yt",
        "A", "AA", "AB", "AaB", "A2a", "S2i", "s", "So", "ScT", "1A", "0A", "0a1B", "00", "1_", "SaySiG",
        "Sq",
        "s5NeverO", "So8timespecV", "SQ_p", "ST_p",
      ] + nominals.map(\.name)
  }

  mutating func next() -> String { random.next() % 2 == 0 ? mutated() : bound(depth: 4) }

  private mutating func below(_ count: Int) -> Int { random.below(count) }

  private mutating func mutated() -> String {
    var name = Array(corpus[below(corpus.count)].utf8)
    for _ in 0...below(3) {
      let start = below(name.count + 1)
      let range = start..<min(name.count, start + below(8))
      switch below(5) {
      case 0: name.removeSubrange(range)
      case 1: name.insert(contentsOf: Array(name[range]), at: start)
      case 2: name.replaceSubrange(range, with: pieces[below(pieces.count)].utf8)
      case 3: name.insert(contentsOf: pieces[below(pieces.count)].utf8, at: start)
      default: if start < name.count { name[start] = UInt8(33 + below(94)) }
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// A nominal with some generic arguments, perhaps as many as it takes.
  private mutating func bound(depth: Int) -> String {
    let (name, levels) = nominals[below(nominals.count)]
    if below(6) == 0 { return name }
    let lists = (0..<levels).map { level in
      (0..<[0, 1, 1, 2][below(4)]).reduce(into: level == 0 ? "" : "_") { list, _ in
        list += type(depth: depth - 1)
      }
    }
    return name + "y" + lists.joined() + "G"
  }

  private mutating func type(depth: Int) -> String {
    guard depth > 0 else { return ["Si", "SS", "Sd", "s4Int8V", "s5NeverO"][below(5)] }
    func inside() -> String { type(depth: depth - 1) }
    switch below(12) {
    case 0: return "Say\(inside())G"
    case 1: return "Shy\(inside())G"
    case 2: return "SDy\(inside())\(inside())G"
    case 3: return inside() + "Sg"
    case 4: return "\(inside())_\(inside())1xt"
    case 5: return ["yp", "yXl", "yt", "SQ_p", "s5Error_p", "SE_SepXl"][below(6)]
    case 6: return "\(inside())_\(inside())QP"
    case 7, 8: return type(depth: 0)
    default: return bound(depth: depth)
    }
  }

  /// Seconds of the processor that the thread has used.
  static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
