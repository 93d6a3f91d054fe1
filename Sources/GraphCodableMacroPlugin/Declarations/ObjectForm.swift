#if Macros
  import SwiftSyntax

  /// How a type with objects behind protocols in it, such as `[any Animal]`, is coded: with `GObject` in their place.
  struct ObjectForm {
    /// The type that is coded.
    let coded: String
    /// What is encoded, of the value.
    let wrap: (String) -> String
    /// The value, of what has been decoded.
    let unwrap: (String) -> String

    /// nil for a type without such objects, or with them in a place where the macro cannot follow.
    init?(_ type: TypeSyntax) {
      if let existential = type.as(SomeOrAnyTypeSyntax.self), existential.someOrAnySpecifier.text == "any",
        !existential.constraint.is(MetatypeTypeSyntax.self)
      {
        let object = "\(ModuleNames.ours)GObject<\(type.trimmedDescription)>"
        self.init(coded: object, wrap: { "\(object)(\($0))" }, unwrap: { "\($0).object" })
      } else if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
        let only = tuple.elements.first
      {
        self.init(only.type)
      } else if let wrapped = type.wrappedOptional, let form = ObjectForm(wrapped) {
        self.init(form, coded: "\(form.coded)?", function: "map")
      } else if let element = type.element(of: "Array"), let form = ObjectForm(element) {
        self.init(form, coded: "[\(form.coded)]", function: "map")
      } else if let (list, element) = type.otherList, let form = ObjectForm(element) {
        let array = ObjectForm(form, coded: "[\(form.coded)]", function: "map")
        self.init(
          coded: array.coded, wrap: array.wrap,
          unwrap: { "\(ModuleNames.swift)\(list)(\(array.unwrap($0)))" })
      } else if let (key, value) = type.keyAndValue, let form = ObjectForm(value) {
        self.init(form, coded: "[\(key.trimmedDescription): \(form.coded)]", function: "mapValues")
      } else {
        return nil
      }
    }

    private init(coded: String, wrap: @escaping (String) -> String, unwrap: @escaping (String) -> String) {
      (self.coded, self.wrap, self.unwrap) = (coded, wrap, unwrap)
    }

    /// Of all in a container.
    private init(_ inside: ObjectForm, coded: String, function: String) {
      self.init(
        coded: coded, wrap: { "\($0).\(function) { \(inside.wrap("$0")) }" },
        unwrap: { "\($0).\(function) { \(inside.unwrap("$0")) }" })
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
