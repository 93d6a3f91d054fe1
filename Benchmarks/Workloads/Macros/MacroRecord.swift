#if Macros
  import GraphCodableMacros

  /// W1's element, coded by the macro.
  @GCodable struct MacroRecord: Equatable {
    var id: Int
    var name: String
    var x: Double
    var y: Double
    var z: Double
    var flag: Bool

    init(_ record: Record) {
      (id, name, x, y, z, flag) = (record.id, record.name, record.x, record.y, record.z, record.flag)
    }
  }
#endif
