// Error messages are made with these. The compiler prefers them to the standard library's generic functions, which it would copy,
// some hundred bytes each, to each of the places.

extension DefaultStringInterpolation {
  @usableFromInline
  @inline(never)
  package mutating func appendInterpolation(_ value: String) { appendLiteral(value) }

  @usableFromInline
  @inline(never)
  package mutating func appendInterpolation(_ value: Int) { appendLiteral(value.description) }

  @usableFromInline
  @inline(never)
  package mutating func appendInterpolation(_ value: UInt64) { appendLiteral(value.description) }

  @usableFromInline
  @inline(never)
  package mutating func appendInterpolation(_ value: UInt32) { appendLiteral(value.description) }

  @usableFromInline
  @inline(never)
  package mutating func appendInterpolation(_ value: UInt8) { appendLiteral(value.description) }
}
