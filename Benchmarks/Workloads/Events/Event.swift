/// What has happened to a part of a machine, and when: plain `Codable`, as the compiler writes it.
struct Event: Codable, Equatable {
  var time: Int
  var change: Change
  var cause: Change

  enum Change: Codable, Equatable {
    case started
    case moved(x: Double, y: Double, by: String?)
    case level(Int)
    case swapped(Int, Int)
  }

  static func generate(count: Int) -> [Event] {
    var random = SplitMix64(seed: 10)
    return (0..<count).map { time in
      Event(time: time, change: .random(&random), cause: .random(&random))
    }
  }
}

extension Event.Change {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    let number = random.below(1_000)
    return switch number % 4 {
    case 0: .started
    case 1: .moved(x: Double(number) / 7, y: -0.5, by: number % 3 == 0 ? nil : "axis \(number)")
    case 2: .level(number)
    default: .swapped(number, number + 1)
    }
  }
}
