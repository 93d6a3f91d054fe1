import _GraphSupport

/// Reads the mangled name of a class and writes it out in full.
///
/// A name from an archive is text that anyone may have made. Swift's runtime dies of some names, and expands a few
/// bytes of others to gigabytes, so none reaches it as it is: what is read here is written anew, without
/// substitutions, and nothing else is looked up.
///
/// Of Swift's grammar this is what `_mangledTypeName` needs for classes of which a program can find the name:
///
///     class      = nominal | bound                        its last letter is C, before any arguments
///     nominal    = context identifier ("C" | "V" | "O")  |  "S" letter
///     context    = module | nominal | nominal module "E"
///     module     = identifier | "s" | "So"
///     bound      = nominal "y" type* ("_" type*)* "G"     one list for each nominal in the nominal, from the outside
///     type       = nominal | bound | type "Sg" | list(type identifier?) "t" | list(type) "QP"
///                | list(protocol) ("p" | "Xl")
///     protocol   = module identifier | "S" letter
///     list(x)    = "y" | x "_" x*
///     identifier = length characters, with parts of earlier identifiers as words | "00" punycode
///
/// Everything that was written may be written again as `A` and its number, so the name is read with a stack.
struct MangledName {
  /// The name in full, of ASCII characters, with the library's own types where the program has them; nil for what is no
  /// such name, or longer or deeper than `ClassNameLimits`.
  static func expanded(_ name: String, _ types: LibraryTypes = .current) -> String? {
    var parser = MangledName(name, types, .toProgram)
    return parser?.read().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name in full, with the successors of classes that are among its arguments or around it.
  ///
  /// - Parameter successor: the name in full of what takes the place of a class, by the names of that in archives.
  /// - Returns: nil where none has a successor, and as `expanded`.
  static func succeeded(
    _ name: String, by successor: @escaping (_ mangled: String, _ qualified: String) -> String?
  ) -> String? {
    guard var parser = MangledName(name, .current, .toProgram) else { return nil }
    parser.successor = successor
    guard let full = parser.read(), parser.hasSuccessor else { return nil }
    return String(decoding: full, as: UTF8.self)
  }

  /// The name of a class as archives have it: in full where one of the library's types is in it, and as it is otherwise.
  static func inArchive(_ name: String, _ types: LibraryTypes = .current) -> String {
    guard var parser = MangledName(name, types, .toArchive), let full = parser.read(), parser.hasMoved else {
      return name
    }
    return String(decoding: full, as: UTF8.self)
  }

  /// Something that has been read, in full.
  fileprivate struct Part {
    enum Kind { case identifier, module, nominal, proto, `extension`, type, emptyList, separator }
    var kind: Kind
    var text: [UInt8] = []
    /// How many lists of generic arguments it takes: one for each nominal in it.
    var levels = 0
    var depth = 0
    var isClass = false
    /// Of a nominal without arguments, as `_typeName` has it.
    var qualified: String?
  }

  private let name: [UInt8]
  private var position = 0
  private var stack: [Part] = []
  private var substitutions: [Part] = []
  /// Pieces of identifiers, which later ones refer to by letters.
  private var words: [ArraySlice<UInt8>] = []
  /// How many bytes may still be written, for all parts together.
  private var budget = ClassNameLimits.workByteCount

  private let types: LibraryTypes
  private let direction: LibraryTypes.Direction
  /// Whether a type has been moved from one module to another.
  private var hasMoved = false
  private var successor: ((_ mangled: String, _ qualified: String) -> String?)?
  private var hasSuccessor = false

  private init?(_ name: String, _ types: LibraryTypes, _ direction: LibraryTypes.Direction) {
    guard name.utf8.count <= ClassNameLimits.byteCount else { return nil }
    self.name = Array(name.utf8)
    (self.types, self.direction) = (types, direction)
  }

  /// The module of a type, which may be one of the library's.
  private mutating func module(_ module: [UInt8], of type: [UInt8]) -> [UInt8] {
    guard let moved = types.replacement(for: module, of: type, direction) else { return module }
    hasMoved = true
    return moved
  }

  private mutating func read() -> [UInt8]? {
    while position < name.count {
      guard readOperator(), stack.count <= ClassNameLimits.partCount else { return nil }
    }
    guard stack.count == 1, stack[0].isClass else { return nil }
    return stack[0].text
  }

  // MARK: Characters

  private mutating func next() -> UInt8? {
    guard position < name.count else { return nil }
    defer { position += 1 }
    return name[position]
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < name.count, name[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// A number of at most four digits; nil where there is none.
  private mutating func readNumber() -> Int? {
    let start = position
    var number = 0
    while position < name.count, name[position].isDigit, position - start < 4 {
      number = 10 * number + Int(name[position] & 15)
      position += 1
    }
    return position == start ? nil : number
  }

  // MARK: The stack

  @inline(never)
  private mutating func pop(_ kind: Part.Kind) -> Part? { stack.last?.kind == kind ? stack.popLast() : nil }

  private mutating func popModule() -> Part? { pop(.module) ?? pop(.identifier) }

  private mutating func popType() -> Part? { pop(.type) ?? pop(.nominal) }

  /// Puts down what has been made of other parts.
  ///
  /// - Parameter isSubstitution: whether it may be referred to.
  /// - Returns: false where it is too long or too deep.
  private mutating func push(
    _ kind: Part.Kind, _ pieces: [[UInt8]], levels: Int = 0, depth: Int, isClass: Bool = false,
    isSubstitution: Bool = false
  ) -> Bool {
    push(
      Part(kind: kind, text: Array(pieces.joined()), levels: levels, depth: depth, isClass: isClass),
      isSubstitution: isSubstitution)
  }

  private mutating func push(_ part: Part, isSubstitution: Bool) -> Bool {
    budget -= part.text.count
    guard budget >= 0, part.text.count <= ClassNameLimits.expandedByteCount,
      part.depth <= ClassNameLimits.depth
    else { return false }
    stack.append(part)
    if isSubstitution { substitutions.append(part) }
    return true
  }

  // MARK: Operators

  private mutating func readOperator() -> Bool {
    guard let letter = next() else { return false }
    switch Unicode.Scalar(letter) {
    case "0"..."9":
      position -= 1
      return readIdentifier()
    case "A": return readSubstitutions()
    case "S": return readStandardName()
    case "s": return push(.module, [[letter]], depth: 0)
    case "C", "O", "V": return makeNominal(letter)
    case "E": return makeExtension()
    case "G": return makeBound()
    case "y":
      stack.append(Part(kind: .emptyList))
      return true
    case "_":
      stack.append(Part(kind: .separator))
      return true
    case "t": return makeTuple()
    case "Q": return skip("P") && makeList(of: .type, ending: "QP")
    case "p": return makeList(of: .proto, ending: "p")
    case "X": return skip("l") && makeList(of: .proto, ending: "Xl")
    default: return false
    }
  }

  private mutating func makeNominal(_ letter: UInt8) -> Bool {
    guard let identifier = pop(.identifier),
      let context = popModule() ?? pop(.nominal) ?? pop(.extension)
    else { return false }
    let isModule = context.kind == .identifier || context.kind == .module
    let scope = isModule ? module(context.text, of: identifier.text) : context.text
    var nominal = Part(kind: .nominal, text: scope + identifier.text + [letter], levels: context.levels + 1)
    (nominal.depth, nominal.isClass) = (context.depth + 1, letter == UInt8(ascii: "C"))
    if successor != nil {
      replace(&nominal, qualified: (isModule ? context.plainText : context.qualified, identifier))
    }
    return push(nominal, isSubstitution: true)
  }

  /// Puts the successor of a class in its place, if it has one.
  private mutating func replace(_ nominal: inout Part, qualified: (scope: String?, name: Part)) {
    guard let scope = qualified.scope else { return }
    let name = scope + "." + qualified.name.plainText
    nominal.qualified = name
    guard nominal.isClass, let text = successor?(String(decoding: nominal.text, as: UTF8.self), name) else {
      return
    }
    hasSuccessor = true
    nominal.text = Array(text.utf8)
    // One with arguments takes no more.
    if text.utf8.last == UInt8(ascii: "G") { nominal.kind = .type }
  }

  private mutating func makeExtension() -> Bool {
    guard let module = popModule(), let nominal = pop(.nominal) else { return false }
    return push(
      Part(
        kind: .extension, text: nominal.text + module.text + Array("E".utf8), levels: nominal.levels,
        depth: nominal.depth + 1, qualified: nominal.qualified), isSubstitution: false)
  }

  private mutating func makeBound() -> Bool {
    var pieces = [Array("G".utf8)]
    var (levels, count, depth) = (1, 0, 0)
    while true {
      if let type = popType() {
        pieces.append(type.text)
        (count, depth) = (count + 1, max(depth, type.depth))
      } else if pop(.separator) != nil {
        pieces.append(Array("_".utf8))
        levels += 1
      } else {
        break
      }
    }
    guard pop(.emptyList) != nil, let nominal = pop(.nominal), nominal.levels == levels, count > 0 else {
      return false
    }
    pieces.append(Array("y".utf8))
    pieces.append(nominal.text)
    return push(
      .type, pieces.reversed(), depth: max(depth, nominal.depth) + 1, isClass: nominal.isClass,
      isSubstitution: true)
  }

  private mutating func makeTuple() -> Bool {
    makeList(ending: "t") { parser in
      let label = parser.pop(.identifier)
      guard let type = parser.popType() else { return nil }
      return (type.text + (label?.text ?? []), type.depth)
    }
  }

  /// A list of types or protocols, which is a type itself.
  private mutating func makeList(of kind: Part.Kind, ending: String) -> Bool {
    makeList(ending: ending) { parser in
      if kind == .type { return parser.popType().map { ($0.text, $0.depth) } }
      if let known = parser.pop(.proto) { return (known.text, 0) }
      guard let identifier = parser.pop(.identifier), let module = parser.popModule() else { return nil }
      return (parser.module(module.text, of: identifier.text) + identifier.text, 0)
    }
  }

  /// - Parameter element: takes an element from the stack; nil where there is none.
  private mutating func makeList(
    ending: String, _ element: (inout MangledName) -> (text: [UInt8], depth: Int)?
  ) -> Bool {
    let ending = Array(ending.utf8)
    if pop(.emptyList) != nil { return push(.type, [Array("y".utf8), ending], depth: 1) }
    var pieces = [ending]
    var depth = 0
    while true {
      // Stands behind the first element, which is taken last.
      let isFirst = pop(.separator) != nil
      guard let element = element(&self) else { return false }
      if isFirst { pieces.append(Array("_".utf8)) }
      pieces.append(element.text)
      depth = max(depth, element.depth)
      if isFirst { return push(.type, pieces.reversed(), depth: depth + 1) }
    }
  }

  // MARK: Substitutions

  private mutating func readSubstitutions() -> Bool {
    while true {
      let number = readNumber()
      guard let letter = next() else { return false }
      if letter == UInt8(ascii: "_") { return pushSubstitution(27 + (number ?? -1), count: 1) }
      guard letter.isLetter, pushSubstitution(Int(letter & 31) - 1, count: number ?? 1) else { return false }
      // A lowercase letter says that more follow.
      if letter & 32 == 0 { return true }
    }
  }

  private mutating func pushSubstitution(_ index: Int, count: Int) -> Bool {
    guard index < substitutions.count else { return false }
    return push(substitutions[index], count: count)
  }

  @inline(never)
  private mutating func push(_ part: Part, count: Int) -> Bool {
    guard count >= 1, count <= ClassNameLimits.partCount - stack.count else { return false }
    stack.append(contentsOf: repeatElement(part, count: count))
    return true
  }

  private mutating func readStandardName() -> Bool {
    if skip("o") { return push(.module, [Array("So".utf8)], depth: 0) }
    if skip("g") {
      guard let type = popType() else { return false }
      return push(.type, [type.text, Array("Sg".utf8)], depth: type.depth + 1, isSubstitution: true)
    }
    let count = readNumber() ?? 1
    let isConcurrency = skip("c")
    guard let letter = next() else { return false }
    let text = [UInt8(ascii: "S")] + (isConcurrency ? [UInt8(ascii: "c")] : []) + [letter]
    let (types, protocols) = isConcurrency ? Self.concurrencyNames : Self.standardNames
    if types.utf8.contains(letter) {
      return push(Part(kind: .nominal, text: text, levels: 1, depth: 1), count: count)
    }
    return protocols.utf8.contains(letter) && push(Part(kind: .proto, text: text), count: count)
  }

  /// The letters behind `S` for structs and enums of the standard library, and for its protocols.
  private static let standardNames = ("AabDdfhIiJNnOPpqRrSsuVvWw", "BEeFGHjKkLlMmQTtUXxYyZz")
  /// The same behind `Sc`.
  private static let concurrencyNames = ("CcEeGgJPSsTt", "AFfhIi")

  // MARK: Identifiers

  private mutating func readIdentifier() -> Bool {
    guard skip("0") else {
      guard let characters = readCharacters() else { return false }
      noteWords(in: characters)
      return push(identifier: Array(characters))
    }
    if skip("0") {
      guard let length = readNumber() else { return false }
      // In front of a digit or another one.
      let separator = skip("_") ? "_" : ""
      guard let characters = readCharacters(length) else { return false }
      return push(
        .identifier, [Array("00\(length)\(separator)".utf8), Array(characters)], depth: 0,
        isSubstitution: true)
    }
    return readWordIdentifier()
  }

  /// Reads an identifier of words that were in identifiers before, and characters between them.
  private mutating func readWordIdentifier() -> Bool {
    var identifier: [UInt8] = []
    var isLastWord = false
    while !isLastWord {
      while !isLastWord, position < name.count, name[position].isLetter {
        let letter = name[position]
        position += 1
        let index = Int(letter & 31) - 1
        guard index < words.count, identifier.count <= ClassNameLimits.expandedByteCount else { return false }
        identifier += words[index]
        isLastWord = letter & 32 == 0
      }
      if skip("0") { break }
      guard let characters = readCharacters() else { return false }
      noteWords(in: characters)
      identifier += characters
    }
    return push(identifier: identifier)
  }

  private mutating func push(identifier: [UInt8]) -> Bool {
    // Digits in front would be taken for a part of the length.
    guard let first = identifier.first, !first.isDigit else { return false }
    return push(
      .identifier, [Array(String(identifier.count).utf8), identifier], depth: 0, isSubstitution: true)
  }

  private mutating func readCharacters() -> ArraySlice<UInt8>? { readNumber().flatMap { readCharacters($0) } }

  private mutating func readCharacters(_ count: Int) -> ArraySlice<UInt8>? {
    guard count > 0, count <= name.count - position else { return nil }
    let characters = name[position..<(position + count)]
    position += count
    // Of `$`, which no type of the user's has, the runtime makes other things.
    return characters.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") } ? characters : nil
  }

  /// Notes the words of an identifier: an uppercase letter begins one, `_` ends one.
  private mutating func noteWords(in characters: ArraySlice<UInt8>) {
    var start: Int?
    for index in characters.startIndex...characters.endIndex {
      let character = index < characters.endIndex ? characters[index] : UInt8(ascii: "_")
      let isBreak = character == UInt8(ascii: "_")
      if let begin = start, isBreak || (character.isUppercase && !characters[index - 1].isUppercase) {
        if index - begin >= 2, words.count < 26 { words.append(characters[begin..<index]) }
        start = nil
      }
      if start == nil, !isBreak, !character.isDigit { start = index }
    }
  }
}

extension MangledName.Part {
  /// An identifier or a module as `_typeName` has it.
  fileprivate var plainText: String {
    switch String(decoding: text, as: UTF8.self) {
    case "s": "Swift"
    case "So": "__C"
    case let text: String(text.drop { $0.isNumber })
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  fileprivate var isUppercase: Bool { self >= 0x41 && self <= 0x5A }
  fileprivate var isLetter: Bool { isUppercase || (self >= 0x61 && self <= 0x7A) }
}
