import Foundation

/// An object store that has a series of sets, through whatever client: S3 and what is like it.
///
///     let series = try GraphArchiveSetSeries(in: store)
///     let writer = try GraphArchiveSetSeries.Writer(in: store)
///
/// The objects have the names that files have in a series that is a folder, such as
/// `set-000000000012/part-00003-of-00008.1x9k2.gcodable`; so a series can be copied from one to the other. Names have digits,
/// small ASCII letters, `-`, `.` and `/` alone; put a prefix of your own in front.
///
/// A set is committed by ``create(_:as:)``, which must be atomic: a set with that number is one writer's alone. Nothing
/// else relies on order: what was written a moment ago may be missing in lists.
///
/// The methods are called on any thread, several at once. What they throw is thrown on, as the cause of a
/// `GCodableError` with the code `file`. Retries of requests are the business of the client. A method may not use the writer
/// that calls it.
public protocol GraphSetStore: Sendable {
  /// Reads an object, or a range of its bytes (`GET`, with `Range`).
  ///
  /// - Parameters:
  ///   - name: the object's name.
  ///   - range: of the bytes, which may reach beyond the end; nil for all.
  /// - Returns: the bytes, and how many the whole object has; nil if there is no such object.
  func read(_ name: String, range: Range<UInt64>?) throws -> (bytes: Data, byteCount: UInt64)?

  /// Writes an object, in the place of the one that has the name (`PUT`).
  func write(_ bytes: Data, as name: String) throws

  /// Writes an object unless there is one with the name (`PUT` with `If-None-Match: *`).
  ///
  /// - Returns: false if there is one.
  /// - Throws: where the answer is not known, too, as when a request has timed out: the object is read then.
  func create(_ bytes: Data, as name: String) throws -> Bool

  /// Removes an object; one that is not there is no error (`DELETE`).
  func remove(_ name: String) throws

  /// The names in a folder, in any order (`ListObjectsV2` with the prefix `folder/`, or none for "", and the delimiter `/`).
  ///
  /// - Returns: what stands behind the prefix, up to a slash; each once.
  func names(in folder: String) throws -> [String]
}
