import ArgumentParser

/// The names of commands, for those who mistype them.
enum CommandNames {
  /// Says what is wrong with arguments whose first word, or first two, are no command.
  ///
  /// - Returns: nil for all others.
  static func mistake(in arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
    let names = GraphCodableCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard names.contains(word) else { return text(word, names, "graphcodable") }
    guard word == SeriesCommand.configuration.commandName, arguments.count > 1, !arguments[1].hasPrefix("-")
    else {
      return nil
    }
    let changes = SeriesCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    return changes.contains(arguments[1]) || arguments[1] == "help"
      ? nil : text(arguments[1], changes, "graphcodable series")
  }

  private static func text(_ word: String, _ names: [String], _ command: String) -> String {
    let meant = Suggestion.nearest(to: word, of: names).map { "; did you mean '\($0)'?" } ?? ""
    return """
      Error: '\(word.visible)' is no command\(meant)
      Usage: \(command) \(names.joined(separator: "|"))
        See '\(command) --help' for more information.

      """
  }
}
