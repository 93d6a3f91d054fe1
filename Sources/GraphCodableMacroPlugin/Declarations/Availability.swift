#if Macros
  import SwiftSyntax

  /// Where a declaration can be used, according to its `@available` attributes.
  struct Availability {
    /// Nowhere: nothing may name it.
    private(set) var isNowhere = false
    /// Platforms on which nothing may name it.
    private(set) var missingPlatforms: [String] = []
    /// Required versions, as in `macOS 15`.
    private(set) var versions: [String] = []
    /// Whether the compiler warns of its uses.
    private(set) var isDeprecated = false

    init(_ attributes: AttributeListSyntax) {
      for case .attribute(let attribute) in attributes where attribute.baseName == "available" {
        guard case .availability(let arguments)? = attribute.arguments else { continue }
        let words = arguments.map { $0.argument.trimmedDescription }
        let platform = words.first ?? "*"
        let isSwift = platform == "*" || platform.hasPrefix("swift")
        if words.contains("unavailable") || words.contains(where: { $0.hasPrefix("obsoleted:") && isSwift }) {
          if isSwift { isNowhere = true } else { missingPlatforms.append(platform) }
        } else if words.contains(where: { $0.hasPrefix("deprecated") }) {
          isDeprecated = true
        } else if let introduced = words.first(where: { $0.hasPrefix("introduced:") }) {
          let version = introduced.dropPrefix("introduced:").filter { $0 != " " }
          if !isSwift { versions.append("\(platform) \(version)") }
        } else {
          versions += words.filter { $0 != "*" && !$0.contains(":") && !$0.hasPrefix("swift") }
        }
      }
    }

    /// Precedes code that names deprecated properties or cases, so that the compiler does not warn again.
    static let ofDeprecated = "@available(*, deprecated) "

    /// The compile-time condition under which code may name it, if there is one.
    var platformCondition: String? {
      missingPlatforms.isEmpty ? nil : missingPlatforms.map { "!os(\($0))" }.joined(separator: " && ")
    }

    /// The run-time condition.
    var versionCondition: String? {
      versions.isEmpty ? nil : "#available(\(versions.joined(separator: ", ")), *)"
    }
  }
#endif
