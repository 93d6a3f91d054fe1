import Foundation

/// Access to an object store, such as S3, that holds a series of sets.
///
///     let series = try GraphArchiveSetSeries(in: store)
///     let writer = try GraphArchiveSetSeries.Writer(in: store)
///
/// The objects have the names of the files in a series that is a folder, such as
/// `set-000000000012/part-00003-of-00008.1x9k2.gcodable`, so a series can be copied from one to the other. Names consist of
/// digits, lowercase ASCII letters, `-`, `.` and `/`; add a prefix of your own.
///
/// A set is committed by ``create(_:as:)``, which must be atomic: only one writer commits a set with a given number. Nothing
/// else relies on consistency: lists may lack objects that were just written.
///
/// The methods are called on any thread, several at once. An error that one throws becomes the cause of a `GCodableError` with
/// the code `file`. Retries are up to the client. A method must not use the writer that calls it.
public protocol GraphSetStore: Sendable {
  /// Reads an object, or a range of its bytes (`GET`, with `Range`).
  ///
  /// - Parameters:
  ///   - name: the object's name.
  ///   - range: the range of bytes, which may reach beyond the end; nil for all.
  /// - Returns: the bytes, and the size of the whole object; nil if there is no such object.
  func read(_ name: String, range: Range<UInt64>?) throws -> (bytes: Data, byteCount: UInt64)?

  /// Writes an object, replacing one with the same name (`PUT`).
  func write(_ bytes: Data, as name: String) throws

  /// Writes an object unless there is one with the name (`PUT` with `If-None-Match: *`).
  ///
  /// - Returns: false if there is one.
  /// - Throws: an error, also if the outcome is not known, as after a timeout: the caller then reads the object.
  func create(_ bytes: Data, as name: String) throws -> Bool

  /// Removes an object, without an error if there is none (`DELETE`).
  func remove(_ name: String) throws

  /// The names in a folder, in any order (`ListObjectsV2` with the prefix `folder/`, or none for "", and the delimiter `/`).
  ///
  /// - Returns: the part of each name after the prefix, up to a slash, without duplicates.
  func names(in folder: String) throws -> [String]
}
