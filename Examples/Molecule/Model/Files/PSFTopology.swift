/// What a PSF file says, before it becomes a graph.
struct PSFTopology: Equatable {
  /// One line of the list of atoms.
  struct AtomRecord: Equatable {
    var segment: String
    var residueNumber: String
    var residueName: String
    var name: String
    var type: String
    var charge: Double
    var mass: Double
  }

  var titles: [String] = []
  var atoms: [AtomRecord] = []
  /// The places of the atoms, from 0, of each bond and so on.
  var bonds: [[Int]] = []
  var angles: [[Int]] = []
  var dihedrals: [[Int]] = []
  var impropers: [[Int]] = []
}
