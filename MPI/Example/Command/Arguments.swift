import GraphCodable
import GraphCodableMPI

/// What the program is asked for.
struct Arguments {
  static let usage = """
    usage: mpi-particles run FOLDER [--side 16] [--steps 60] [--save-every 10] [--group 1] [--kill RANK:STEP]
           mpi-particles info FOLDER
           mpi-particles compare FOLDER FOLDER
    run goes on with the set in the folder, if there is one. Started by mpirun, ranks share the box; with --group, as
    many of them have a part together, and with --group 0 those of a node. --kill ends a rank in the middle of a save.
    """

  var verb: String
  var folders: [String] = []
  var particlesPerSide = 16
  var stepCount = 60
  var saveInterval = 10
  var group = 1
  /// Which rank is to be killed while it saves which step.
  var kill: (rank: Int, step: Int)?

  init(_ texts: [String]) throws {
    var texts = texts[...]
    verb = texts.popFirst() ?? ""
    while let text = texts.popFirst() {
      guard text.hasPrefix("--") else {
        folders.append(text)
        continue
      }
      let numbers = (texts.popFirst() ?? "").split(separator: ":").compactMap { Int($0) }
      switch (text, numbers.count) {
      case ("--side", 1): particlesPerSide = numbers[0]
      case ("--steps", 1): stepCount = numbers[0]
      case ("--save-every", 1) where numbers[0] > 0: saveInterval = numbers[0]
      case ("--group", 1): group = numbers[0]
      case ("--kill", 2): kill = (numbers[0], numbers[1])
      default: throw GCodableError(.invalidValue, "\(text) is not understood\n\(Self.usage)")
      }
    }
    guard folders.count == ["run": 1, "info": 1, "compare": 2][verb] else {
      throw GCodableError(.invalidValue, Self.usage)
    }
  }

  var aggregation: MPIAggregation { group == 0 ? .perNode : group == 1 ? .none : .groups(of: group) }
}
