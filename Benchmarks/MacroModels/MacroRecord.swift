#if Macros
  import GraphCodableMacros

  /// W1's element, coded by the macro.
  @GCodable package struct MacroRecord: Equatable {
    var id: Int
    var name: String
    var x: Double
    var y: Double
    var z: Double
    var flag: Bool

    package init(id: Int, name: String, x: Double, y: Double, z: Double, flag: Bool) {
      (self.id, self.name, self.x, self.y, self.z, self.flag) = (id, name, x, y, z, flag)
    }
  }
#endif
