#if Macros
  import SwiftSyntax

  /// How a property is decoded.
  struct PropertyCode {
    private let property: Property
    private let place: String
    /// As expressions, newest first.
    private let keys: [String]

    init(_ property: Property) {
      self.property = property
      place = "self.\(property.storage)"
      keys = property.keyPaths
    }

    var decodeLines: [String] {
      if let form = property.form { return byKeys("decoder.decode(\(form.coded).self, for: ", form.unwrap) }
      if property.isWrapped { return wrapperLines }
      let last: String
      if let value = property.attributes.argument(of: "GDefault") {
        last = value.trimmedDescription
      } else if property.isOptional && !property.hasInitialValue {
        if keys.count == 1 { return ["\(place) = try decoder.decodeIfPresent(for: \(keys[0]))"] }
        last = "nil"
      } else if property.hasInitialValue {
        return decodeOver
      } else {
        if keys.count == 1 { return ["\(place) = try decoder.decode(for: \(keys[0]))"] }
        last = "decoder.decode(for: \(keys[0]))"
      }
      let value = keys.reversed().reduce(last) { "decoder.decode(for: \($1), default: \($0))" }
      return ["\(place) = try \(value)"]
    }

    /// The property keeps its initial value unless one of the keys exists.
    ///
    /// It is not passed `inout`, because Swift would check each access to a property of a class.
    private var decodeOver: [String] {
      let clauses = keys.map {
        "if let value = try decoder.decodeIfPresent(like: \(place), for: \($0)) { \(place) = value }"
      }
      return [clauses.joined(separator: " else ")]
    }

    /// If the archive lacks it, a wrapper must be made from the wrapped value.
    private var wrapperLines: [String] {
      let isOptional = property.type?.isOptional == true
      guard !property.hasInitialValue, property.attributes["GDefault"] == nil, isOptional else {
        return PropertyCode(property.withoutWrapper).decodeLines
      }
      return byKeys("decoder.decode(for: ", missing: "self.\(property.name.text) = nil") { $0 }
    }

    /// A clause for each key.
    private func byKeys(
      _ decode: String, missing: String? = nil, _ unwrap: (String) -> String
    ) -> [String] {
      let clauses = keys.map {
        "if try decoder.contains(\($0)) { \(place) = \(unwrap("(try \(decode)\($0)))")) }"
      }
      let last: String?
      if let missing {
        last = missing
      } else if let value = property.attributes.argument(of: "GDefault") {
        last = "\(place) = \(value.trimmedDescription)"
      } else if property.hasInitialValue {
        last = nil
      } else if property.isOptional {
        last = "\(place) = nil"
      } else {
        last = "\(place) = \(unwrap("(try \(decode)\(keys[0])))"))"
        if keys.count == 1, let last { return [last] }
      }
      return [(clauses + (last.map { ["{ \($0) }"] } ?? [])).joined(separator: " else ")]
    }

    /// A constant of a struct keeps its value unless one of the keys exists.
    var constantLines: [String] {
      let type = property.form.map { ", as: \($0.coded).self" } ?? ""
      let unwrap = property.form.map { " { \($0.unwrap("$0")) }" } ?? ""
      return keys.map { key in
        "\(ModuleNames.support)decodeIfPresent(constant: \\Self.\(property.name.text), of: &self, "
          + "for: \(key)\(type), from: decoder)\(unwrap)"
      }.tried
    }

    var deferLines: [String] {
      let type = (property.form?.coded ?? property.type?.explicitOptional).map { "\($0).self, " } ?? ""
      let value = property.form?.unwrap("$0") ?? "$0"
      let calls = keys.map {
        "decoder.deferDecodeIfPresent(\(type)for: \($0)) { self.\(property.storage) = \(value) }"
      }
      return calls.tried
    }
  }

  /// How to decode a property that another macro may have turned into a computed one: it is not read before the instance is
  /// complete, and if it has a value, not assigned before.
  struct ChangedPropertyCode {
    let typeName: String
    /// Whether the type has such a macro.
    let mayBeChanged: Bool

    /// nil for a property that is assigned immediately, like any other.
    func decodeLines(_ property: Property) -> [String]? {
      guard waits(property) else { return nil }
      let type = property.form?.coded ?? property.type?.explicitOptional
      let sample =
        type.map { "(_: \(typeName)) -> \($0) in \(ModuleNames.swift)fatalError()" }
        ?? "(it: \(typeName)) in it.\(property.storage)"
      let values = property.keyPaths.map {
        "\(ModuleNames.support)decodeIfPresent(typeOf: { \(sample) }, for: \($0), from: decoder)"
      }
      return ["let \(local(property)) = try \(values.joined(separator: " ?? "))"]
    }

    func assignLines(_ property: Property) -> [String] {
      guard waits(property) else { return [] }
      let value = property.form?.unwrap("value") ?? "value"
      return ["if let value = \(local(property)) { self.\(property.storage) = \(value) }"]
    }

    private func waits(_ property: Property) -> Bool {
      (mayBeChanged || property.attributes["GWrapped"] != nil) && property.attributes["GDefault"] == nil
        && (property.hasInitialValue || (property.isOptional && property.isVariable))
    }

    private func local(_ property: Property) -> String { "value_\(property.keyCase.dropBackticks)" }
  }

  extension [String] {
    /// Calls, each made only if the one before returns false.
    fileprivate var tried: [String] {
      guard let first else { return [] }
      return count == 1 ? ["try \(first)"] : [String](dropFirst()).tried.block("if try !(\(first))")
    }
  }
#endif
