/// Makes all variables computed ones, of a store that it adds.
@attached(member, names: named(store_))
@attached(memberAttribute)
public macro Model() = #externalMacro(module: "StandInMacros", type: "ModelMacro")

/// The accessors of such a variable.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_first_))
public macro Persisted() = #externalMacro(module: "StandInMacros", type: "PersistedMacro")

/// Leaves a variable as it is.
@attached(peer)
public macro Ephemeral() = #externalMacro(module: "StandInMacros", type: "MarkMacro")

/// Says something, and writes nothing.
@attached(peer)
public macro Unique() = #externalMacro(module: "StandInMacros", type: "MarkMacro")
