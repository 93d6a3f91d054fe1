import Foundation
import GraphCodable

/// Shows how much of an array has been written, where its elements do not go to a terminal themselves.
struct ArrayProgress {
  private let progress: Progress
  private let line: ProgressLine?

  init(_ array: GraphRawArrayView) {
    let byteCount = array.count.multipliedReportingOverflow(by: array.elementByteCount)
    progress = Progress(totalUnitCount: Int64(max(array.count, 1)))
    line =
      isatty(STDOUT_FILENO) == 1
      ? nil
      : ProgressLine(
        "elements", byteCount: UInt64(byteCount.overflow ? .max : byteCount.partialValue), progress)
  }

  func advance(by count: Int) { progress.completedUnitCount += Int64(count) }

  func end() { line?.end() }
}
