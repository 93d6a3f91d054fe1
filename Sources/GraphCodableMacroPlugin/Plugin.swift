#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct GraphCodableMacroPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      GCodableMacro.self, GCodableMembersMacro.self, GPackedMacro.self, PropertyAttributeMacro.self,
    ]
  }
#else
  // Without the trait there is no swift-syntax to build with, but the target still exists.
  @main
  enum GraphCodableMacroPlugin {
    static func main() {}
  }
#endif
