#if Macros
  import GraphCodableMacros

  /// W3's base class, coded by the macro: subclasses write their own fields first.
  @GCodable package class MacroBranch {
    let id: Int
    let left: MacroBranch?
    let right: MacroBranch?

    init(id: Int, left: MacroBranch?, right: MacroBranch?) {
      (self.id, self.left, self.right) = (id, left, right)
    }

    package func isSame(_ other: MacroBranch) -> Bool {
      func isSame(_ one: MacroBranch?, _ other: MacroBranch?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isSame(other)
      }
      return id == other.id && type(of: self) == type(of: other) && isSame(left, other.left)
        && isSame(right, other.right)
    }
  }

  /// A node with a number of floating point.
  @GCodable package final class MacroWeightedBranch: MacroBranch {
    let weight: Double

    package init(id: Int, left: MacroBranch?, right: MacroBranch?, weight: Double) {
      self.weight = weight
      super.init(id: id, left: left, right: right)
    }

    override package func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && weight == (other as? MacroWeightedBranch)?.weight
    }
  }

  /// A node with a name.
  @GCodable package final class MacroNamedBranch: MacroBranch {
    let name: String

    package init(id: Int, left: MacroBranch?, right: MacroBranch?, name: String) {
      self.name = name
      super.init(id: id, left: left, right: right)
    }

    override package func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && name == (other as? MacroNamedBranch)?.name
    }
  }

  /// A node with an integer.
  @GCodable package final class MacroCountedBranch: MacroBranch {
    let count: Int

    package init(id: Int, left: MacroBranch?, right: MacroBranch?, count: Int) {
      self.count = count
      super.init(id: id, left: left, right: right)
    }

    override package func isSame(_ other: MacroBranch) -> Bool {
      super.isSame(other) && count == (other as? MacroCountedBranch)?.count
    }
  }
#endif
