#if Macros
  import SwiftSyntax

  /// How a type with objects behind protocols in it, such as `[any Animal]`, is coded: with `GObject` in their place.
  struct ObjectForm {
    /// The type that is coded.
    let coded: String
    /// The type where the compiler infers which protocol it is: what an extension names may be hidden inside another type.
    let inferred: String
    /// What is encoded, of the value.
    let wrap: (String) -> String
    /// The value, of what has been decoded.
    let unwrap: (String) -> String

    /// nil for a type without such objects, or with them in a place where the macro cannot follow.
    init?(_ type: TypeSyntax) {
      if let existential = type.as(SomeOrAnyTypeSyntax.self), existential.someOrAnySpecifier.text == "any",
        !existential.constraint.is(MetatypeTypeSyntax.self)
      {
        let object = "\(ModuleNames.ours)GObject"
        self.init(
          coded: "\(object)<\(type.trimmedDescription)>", inferred: "\(object)<_>",
          wrap: { "\(object)<\(ModuleNames.swift)AnyObject>(\($0))" }, unwrap: { "\($0).object" })
      } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
        let only = tuple.elements.first
      {
        self.init(only.type)
      } else if let wrapped = type.wrappedOptional, let form = ObjectForm(wrapped) {
        self.init(form, function: "map") { "\($0)?" }
      } else if let element = type.element(of: "Array"), let form = ObjectForm(element) {
        self.init(form, function: "map") { "[\($0)]" }
      } else if let (list, element) = type.otherList, let form = ObjectForm(element) {
        let array = ObjectForm(form, function: "map") { "[\($0)]" }
        self.init(
          coded: array.coded, inferred: array.inferred, wrap: array.wrap,
          unwrap: { "\(ModuleNames.swift)\(list)(\(array.unwrap($0)))" })
      } else if let (key, value) = type.keyAndValue, let form = ObjectForm(value) {
        self.init(form, key: key.trimmedDescription)
      } else {
        return nil
      }
    }

    private init(
      coded: String, inferred: String, wrap: @escaping (String) -> String,
      unwrap: @escaping (String) -> String
    ) {
      (self.coded, self.inferred, self.wrap, self.unwrap) = (coded, inferred, wrap, unwrap)
    }

    /// Of all in a container.
    private init(_ inside: ObjectForm, function: String, _ container: (String) -> String) {
      self.init(
        coded: container(inside.coded), inferred: container(inside.inferred),
        wrap: { "\($0).\(function) { \(inside.wrap("$0")) }" },
        unwrap: { "\($0).\(function) { \(inside.unwrap("$0")) }" })
    }

    /// Of all values in a dictionary.
    private init(_ inside: ObjectForm, key: String) {
      self.init(inside, function: "mapValues") { "[\(key): \($0)]" }
    }
  }

  extension TypeSyntax {
    /// The type of which this is an optional, however that is written.
    var wrappedOptional: TypeSyntax? {
      self.as(OptionalTypeSyntax.self)?.wrappedType
        ?? self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
        ?? arguments(of: "Optional", 1)?[0]
    }

    fileprivate func element(of name: String) -> TypeSyntax? {
      self.as(ArrayTypeSyntax.self)?.element ?? arguments(of: name, 1)?[0]
    }

    /// A list that is stored as an array: its type, and that of its elements.
    fileprivate var otherList: (name: String, element: TypeSyntax)? {
      ["ContiguousArray", "ArraySlice"].lazy.compactMap { name in
        arguments(of: name, 1).map { (name, $0[0]) }
      }.first
    }

    fileprivate var keyAndValue: (TypeSyntax, TypeSyntax)? {
      if let pairs = self.as(DictionaryTypeSyntax.self) { return (pairs.key, pairs.value) }
      return arguments(of: "Dictionary", 2).map { ($0[0], $0[1]) }
    }

    /// The arguments of a generic type of Swift.
    private func arguments(of name: String, _ count: Int) -> [TypeSyntax]? {
      let clause: GenericArgumentClauseSyntax?
      if let own = self.as(IdentifierTypeSyntax.self), own.name.text == name {
        clause = own.genericArgumentClause
      } else if let member = self.as(MemberTypeSyntax.self), member.name.text == name,
        member.baseType.trimmedDescription == "Swift"
      {
        clause = member.genericArgumentClause
      } else {
        return nil
      }
      let types = clause.map { $0.arguments.compactMap(\.type) } ?? []
      return types.count == count ? types : nil
    }
  }

  extension GenericArgumentSyntax {
    /// The argument, where it is a type: later versions of swift-syntax have numbers as well.
    fileprivate var type: TypeSyntax? {
      children(viewMode: .sourceAccurate).lazy.compactMap { $0.as(TypeSyntax.self) }.first
    }
  }
#endif
