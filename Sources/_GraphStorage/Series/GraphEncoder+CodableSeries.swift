import Foundation
import _GraphCoding
import _GraphFiles

extension GraphEncoder {
  /// Encodes a graph of `Codable` values and appends it to a series.
  ///
  /// - Parameters: as in `append(_:to:step:time:metadata:progress:)`.
  /// - Throws: as `encode(codable:)`, and as `append(_:to:step:time:metadata:progress:)`.
  /// - Complexity: O(n) in the size of the graph, whatever is in the series already.
  public func append<Root: Encodable>(
    codable root: Root, to series: GraphArchiveSeries.Writer, step: Int, time: Double,
    metadata: [String: String] = [:], progress: Progress? = nil
  ) throws {
    try progress?.checkCancellation()
    try append(walk { try $0.writeRoot(codable: root) }, to: series, step, time, metadata, progress)
  }

  /// Encodes a graph of `Codable` values and appends it to a series in the background.
  ///
  /// - Parameters: as in `appendInBackground(_:to:step:time:metadata:progress:)`.
  /// - Throws: as `encode(codable:)`, and as `appendInBackground(_:to:step:time:metadata:progress:)`.
  public func appendInBackground<Root: Encodable>(
    codable root: Root, to series: GraphArchiveSeries.Writer, step: Int, time: Double,
    metadata: [String: String] = [:], progress: Progress? = nil
  ) throws -> BackgroundWrite {
    try progress?.checkCancellation()
    return try appendInBackground(
      walk { try $0.writeRoot(codable: root) }, to: series, step, time, metadata, progress)
  }
}
