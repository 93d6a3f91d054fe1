#if Macros
  import GraphCodableMacros

  /// W3's base class, coded by the macro: subclasses write their own fields first.
  @GCodable class MacroBranch {
    let id: Int
    let left: MacroBranch?
    let right: MacroBranch?

    init(_ branch: Branch) {
      id = branch.id
      left = branch.left.map(MacroBranch.make)
      right = branch.right.map(MacroBranch.make)
    }

    static func make(_ branch: Branch) -> MacroBranch {
      switch branch {
      case let branch as WeightedBranch: MacroWeightedBranch(branch)
      case let branch as NamedBranch: MacroNamedBranch(branch)
      case let branch as CountedBranch: MacroCountedBranch(branch)
      default: fatalError("every node is an instance of a subclass")
      }
    }

    func isSame(_ other: MacroBranch) -> Bool {
      func isSame(_ one: MacroBranch?, _ other: MacroBranch?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isSame(other)
      }
      return id == other.id && type(of: self) == type(of: other) && isSame(left, other.left)
        && isSame(right, other.right)
    }
  }

  /// A node with a number of floating point.
  @GCodable final class MacroWeightedBranch: MacroBranch {
    let weight: Double

    init(_ branch: WeightedBranch) {
      weight = branch.weight
      super.init(branch)
    }

    override func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && weight == (other as? MacroWeightedBranch)?.weight
    }
  }

  /// A node with a name.
  @GCodable final class MacroNamedBranch: MacroBranch {
    let name: String

    init(_ branch: NamedBranch) {
      name = branch.name
      super.init(branch)
    }

    override func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && name == (other as? MacroNamedBranch)?.name
    }
  }

  /// A node with an integer.
  @GCodable final class MacroCountedBranch: MacroBranch {
    let count: Int

    init(_ branch: CountedBranch) {
      count = branch.count
      super.init(branch)
    }

    override func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && count == (other as? MacroCountedBranch)?.count
    }
  }
#endif
