public import CycleBreaking

/// A class that inherits its coding on purpose: its own stored properties are left out.
///
///     final class CachedPlane: Plane, InheritsCoding {
///       var cache: [String: Image] = [:]
///     }
///
/// Encoding an instance of another class is an error if the class adds stored properties and does not override
/// `encode(to:)`.
public typealias InheritsCoding = CycleBreaking.InheritsCoding
