/// What a series of sets is changed by, which one thread does at a time.
protocol SetSeriesStorage: AnyObject {
  var place: SetSeriesPlace { get }
  /// Whether others may write at the same time.
  var hasOthers: Bool { get }
  /// Checks that nobody else has the series.
  func check() throws
  /// Makes sure that a number is nobody's.
  ///
  /// - Returns: this number, or a higher one.
  func freeNumber(from number: Int) throws -> Int
  /// Begins a set.
  func begin(_ number: Int, of series: SetSeriesLead) throws -> any SetLeading
  /// Finds out whether a set was committed; from then on, it cannot be.
  func settle(_ number: Int) throws -> FolderEntry?
  /// Makes sure that a crash of the system does not take sets away that somebody else has committed.
  func keep(_ numbers: [Int]) throws
  /// Writes the index over the one that was there when it was last looked at.
  ///
  /// - Returns: false if another one is there.
  func write(_ index: FolderIndex) throws -> Bool
  /// Lets the next index be written over the one that was found, because the sets have been listed anew since then.
  func acceptFoundIndex()
  /// Takes sets away from readers, each in one step.
  func retire(_ numbers: [Int]) throws
  /// Removes what belongs to no set.
  ///
  /// - Throws: `file` for what cannot be removed, once; whenever this is called, it is tried again.
  func removeRemains() throws
  /// Gives locks back.
  func close()
}

/// What the one process has that begins a set and commits it.
protocol SetLeading: AnyObject, Sendable {
  var place: SetPlace { get }
  /// The set's number in its series.
  var number: Int? { get }
  /// Whether the set may still be committed.
  var isOpen: Bool { get }
  /// Looks at all parts, and makes them the set that readers see.
  func publish(_ manifest: SetManifest) throws
  /// Removes the parts with a token, unless they are those of the set that readers see.
  func abort(_ token: String) throws
  func close()
}
