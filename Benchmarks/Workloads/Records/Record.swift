/// W1's element: six fields of four types, as a row of a table would be.
///
/// For the peers it is `Codable`, as the compiler writes it.
struct Record: Codable, Equatable {
  static let fieldCount = 6

  var id: Int
  var name: String
  var x: Double
  var y: Double
  var z: Double
  var flag: Bool
}

extension Record {
  /// `count` records: running ids, names of 8–12 letters, coordinates with every bit in use.
  static func generate(count: Int) -> [Record] {
    var random = SplitMix64(seed: 0x5743_0001)
    return (0..<count).map { id in
      Record(
        id: id,
        name: random.word(length: 8 + random.below(5)),
        x: random.symmetric(100),
        y: random.symmetric(100),
        z: random.symmetric(100),
        flag: random.flag())
    }
  }
}
