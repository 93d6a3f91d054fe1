#if Macros
  import SwiftSyntax

  /// Bytes of a packed struct that belong to no property, as far as the names of its types tell.
  ///
  /// The rest is found when the layout is made.
  struct PackedPadding {
    private(set) var problems: [Problem] = []

    init(_ structure: StructDeclSyntax, _ properties: [Property]) {
      var end = 0
      var alignment = 1
      for property in properties {
        guard let layout = property.layout else { return }
        let name = property.name.identifier
        if layout.paddedByteCount != layout.byteCount {
          problems.append(
            Problem("'\(name)' has padding inside, which an array cannot leave out", at: property.name)
              .storingByFields(structure))
          return
        }
        let start = (end + layout.alignment - 1) / layout.alignment * layout.alignment
        if start != end {
          problems.append(
            Problem(
              "\(Self.bytes(start - end)) in front of '\(name)' are padding: put larger properties first, or fill them with one",
              at: property.name
            ).storingByFields(structure))
          return
        }
        end = start + layout.byteCount
        alignment = max(alignment, layout.alignment)
      }
      let rest = (alignment - end % alignment) % alignment
      guard rest > 0, let last = properties.last else { return }
      var problem = Problem(
        "\(Self.bytes(rest)) behind '\(last.name.identifier)' are padding, which an array cannot leave out: fill them with a "
          + "property", at: last.name)
      if let filled = structure.adding(byteCount: rest) {
        problem = problem.fix("add a property", replacing: structure, with: filled)
      }
      problems.append(problem.storingByFields(structure))
    }

    private static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
  }

  extension Problem {
    fileprivate func storingByFields(_ structure: StructDeclSyntax) -> Problem {
      guard
        let attribute = structure.attributes.lazy.compactMap({ $0.as(AttributeSyntax.self) })
          .first(where: { $0.baseName == "GPacked" })
      else { return self }
      return fix(
        "store the struct by '@GCodable'", replacing: structure,
        with: structure.renaming(attribute, to: "GCodable"))
    }
  }

  /// The memory layout of values of a type.
  private struct NumberLayout {
    var byteCount: Int
    var alignment: Int
    /// Including unused bytes at the end, as in `SIMD3`.
    var paddedByteCount: Int
  }

  extension Property {
    fileprivate var layout: NumberLayout? {
      if let type { return Self.layout(of: type.trimmedDescription.dropPrefix("Swift.")) }
      guard let initialValue else { return nil }
      if initialValue.is(FloatLiteralExprSyntax.self) { return Self.layout(of: "Double") }
      if initialValue.is(IntegerLiteralExprSyntax.self) { return Self.layout(of: "Int") }
      return initialValue.is(BooleanLiteralExprSyntax.self) ? Self.layout(of: "Bool") : nil
    }

    private static func layout(of name: String) -> NumberLayout? {
      if let count = byteCounts[name] {
        return NumberLayout(byteCount: count, alignment: count, paddedByteCount: count)
      }
      guard name.hasPrefix("SIMD"), let open = name.firstIndex(of: "<"), name.hasSuffix(">"),
        let lanes = Int(name.dropFirst(4).prefix(upTo: open)),
        let scalar = byteCounts[String(name[name.index(after: open)...].dropLast())]
      else { return nil }
      let padded = (lanes == 3 ? 4 : lanes) * scalar
      return NumberLayout(byteCount: lanes * scalar, alignment: min(padded, 16), paddedByteCount: padded)
    }

    private static let byteCounts = [
      "Int8": 1, "UInt8": 1, "Bool": 1, "Int16": 2, "UInt16": 2, "Float16": 2, "Int32": 4, "UInt32": 4,
      "Float": 4,
      "Float32": 4, "Int64": 8, "UInt64": 8, "Double": 8, "Float64": 8, "Int": 8, "UInt": 8,
      "TimeInterval": 8,
    ]
  }

  extension StructDeclSyntax {
    /// With a number added after its properties.
    fileprivate func adding(byteCount: Int) -> StructDeclSyntax? {
      guard let type = [1: "UInt8", 2: "UInt16", 4: "UInt32"][byteCount], let last = memberBlock.members.last
      else {
        return nil
      }
      var item = MemberBlockItemSyntax(decl: DeclSyntax("var padding: \(raw: type) = 0"))
      item.leadingTrivia = last.leadingTrivia.containsLineEnd ? last.leadingTrivia : [.spaces(0)]
      var changed = self
      if last.leadingTrivia.containsLineEnd {
        changed.memberBlock.members = memberBlock.members + [item]
      } else {
        var before = last
        before.semicolon = .semicolonToken(trailingTrivia: .space)
        item.trailingTrivia = last.trailingTrivia
        before.decl.trailingTrivia = []
        changed.memberBlock.members = MemberBlockItemListSyntax(
          memberBlock.members.dropLast() + [before, item])
      }
      return changed
    }
  }

  extension Trivia {
    fileprivate var containsLineEnd: Bool {
      contains {
        if case .newlines = $0 { true } else if case .carriageReturnLineFeeds = $0 { true } else { false }
      }
    }
  }
#endif
