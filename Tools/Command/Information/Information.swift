/// What `info` says of a file: its properties are the keys in JSON.
protocol Information: Encodable {
  /// Writes it for people.
  func write(to output: Output) throws
}
