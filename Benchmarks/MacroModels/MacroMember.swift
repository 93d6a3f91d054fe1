#if Macros
  import GraphCodableMacros

  /// W6's element, coded by the macro.
  @GCodable package final class MacroMember {
    let id: Int
    let name: String
    private(set) var children: [MacroMember] = []
    private(set) weak var parent: MacroMember?

    package init(id: Int, name: String, children: [MacroMember]) {
      (self.id, self.name, self.children) = (id, name, children)
      for child in children { child.parent = self }
    }

    package static func isSameTree(_ tree: MacroMember, _ other: MacroMember) -> Bool {
      tree.id == other.id && tree.name == other.name && tree.children.count == other.children.count
        && other.children.allSatisfy { $0.parent === other }
        && zip(tree.children, other.children).allSatisfy(isSameTree)
    }
  }
#endif
