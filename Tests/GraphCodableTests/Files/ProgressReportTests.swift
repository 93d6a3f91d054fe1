import GraphCodable
import Foundation
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Reports to a progress")
struct ProgressReportTests {
  /// A progress that tells when its count changes, as the views of a program do.
  private final class WatchedProgress: Progress, @unchecked Sendable {
    /// Called for the next change alone.
    var onChange: (() -> Void)?

    override var completedUnitCount: Int64 {
      get { super.completedUnitCount }
      set {
        super.completedUnitCount = newValue
        let next = onChange
        onChange = nil
        next?()
      }
    }
  }

  @Test func whoWatchesTheProgressDoesNotHoldUpOtherThreads() throws {
    let progress = WatchedProgress(parent: nil)
    let report = try #require(ProgressReport(progress))
    report.begin(byteCount: 100)
    let hasAdvanced = DispatchSemaphore(value: 0)
    var isFree = false
    progress.onChange = {
      DispatchQueue.global().async {
        report.advance(by: 20)
        hasAdvanced.signal()
      }
      isFree = hasAdvanced.wait(timeout: .now() + 10) == .success
    }
    report.advance(by: 10)
    #expect(isFree)
    #expect(progress.completedUnitCount == 30)
  }

  @Test func theCountNeverGoesBack() throws {
    let progress = CountingProgress(parent: nil)
    let report = try #require(ProgressReport(progress))
    report.begin(byteCount: 8000)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in for _ in 0..<1000 { report.advance(by: 1) } }
    #expect(progress.completedUnitCount == 8000 && !progress.isFinished)
    #expect(!progress.hasGoneBack)
    report.finish()
    #expect(progress.isFinished)
  }

  private final class CountingProgress: Progress, @unchecked Sendable {
    private(set) var hasGoneBack = false

    override var completedUnitCount: Int64 {
      get { super.completedUnitCount }
      set {
        if newValue < super.completedUnitCount { hasGoneBack = true }
        super.completedUnitCount = newValue
      }
    }
  }
}
