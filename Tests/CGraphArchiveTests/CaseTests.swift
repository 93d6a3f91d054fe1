import CGraphArchiveCases
import GraphCodableTestSupport
import Testing

/// The tests of `CGraphArchive`, which are written in C: `make sanitize` runs them without Swift, and shows the check
/// that failed.
@Suite("C kernels")
struct CaseTests {
  /// In a separate process, because one of them changes the mask of permissions, and a failed check ends it.
  @Test func allChecksHold() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for number in 0..<test_count() { run_test(number, folder.url.path) }
      #expect(test_count() > 30)
    }
  }
}
