/// Changes the entries of a catalog; used by one thread at a time.
protocol EntryStorage: AnyObject {
  var catalog: EntryCatalog { get }
  /// Whether others may write at the same time.
  var hasOthers: Bool { get }
  /// Checks that nobody else has the catalog.
  func check() throws
  /// Makes sure that a number is free.
  ///
  /// - Returns: this number, or a higher one.
  func freeNumber(from number: Int) throws -> Int
  /// Begins a set.
  func begin(_ number: Int, of series: CatalogWriter) throws -> SetCommitter
  /// Determines whether a set was committed; from then on, it cannot be.
  func settle(_ number: Int) throws -> FolderEntry?
  /// Makes sure that a system crash does not lose sets committed by others.
  func keep(_ numbers: [Int]) throws
  /// Writes the index over the one that was there when it was last looked at.
  ///
  /// - Returns: false if another one is there.
  func write(_ index: FolderIndex) throws -> Bool
  /// Lets the next index overwrite the one found, because the entries have been listed again since.
  func acceptFoundIndex()
  /// Takes entries away from readers, each in one step.
  func retire(_ numbers: [Int]) throws
  /// Removes files that belong to no entry.
  ///
  /// - Throws: `file` for what cannot be removed, and is tried again by the next call; of sets, once.
  func removeRemains() throws
}

extension Sequence {
  /// Calls `body` for each element, and throws the first error when it has done so.
  func tryEach(_ body: (Element) throws -> Void) throws {
    var failure: (any Error)?
    for element in self {
      do { try body(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
