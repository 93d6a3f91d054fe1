import CGraphArchive
import Foundation
import Testing

@Suite("Files")
final class FileTests {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "gca-\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ pieces: [[UInt8]], to path: String) -> gca_status {
    var file = gca_file(descriptor: -1)
    guard gca_file_create(&file, path, 0o644) == GCA_OK else { return GCA_FILE_OPEN }
    defer { gca_file_close(&file) }
    let joined = pieces.flatMap { $0 }
    return joined.withUnsafeBytes { bytes in
      var offset = 0
      var list = pieces.map { piece in
        defer { offset += piece.count }
        return gca_piece(bytes: bytes.baseAddress.map { $0 + offset }, byteCount: piece.count)
      }
      return gca_file_write(file, &list, list.count, 0)
    }
  }

  private func contents(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  @Test func manyPiecesAreWrittenInOrder() {
    let pieces = (0..<1000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0 % 37) }
    #expect(write(pieces, to: folder + "/a") == GCA_OK)
    #expect(contents(folder + "/a") == pieces.flatMap { $0 })
    #expect(write([], to: folder + "/b") == GCA_OK)
    #expect(contents(folder + "/b") == [])
  }

  @Test func aFileThatExistsIsNotCreatedAgain() {
    #expect(write([[1]], to: folder + "/a") == GCA_OK)
    #expect(write([[2]], to: folder + "/a") == GCA_FILE_OPEN)
    #expect(contents(folder + "/a") == [1])
  }

  @Test func bytesAreOverwrittenAndReadAtTheirPlace() {
    var file = gca_file(descriptor: -1)
    #expect(gca_file_create(&file, folder + "/a", 0o644) == GCA_OK)
    let bytes = [UInt8](0..<100)
    bytes.withUnsafeBytes {
      var piece = gca_piece(bytes: $0.baseAddress, byteCount: $0.count)
      #expect(gca_file_write(file, &piece, 1, 0) == GCA_OK)
    }
    ([200, 201, 202] as [UInt8]).withUnsafeBytes {
      var piece = gca_piece(bytes: $0.baseAddress, byteCount: $0.count)
      #expect(gca_file_write(file, &piece, 1, 10) == GCA_OK)
    }
    #expect(gca_file_sync(&file) == GCA_OK)
    gca_file_close(&file)
    #expect(file.descriptor == -1)

    var byteCount: UInt64 = 0
    #expect(gca_file_open(&file, folder + "/a", &byteCount) == GCA_OK)
    defer { gca_file_close(&file) }
    #expect(byteCount == 100)
    var read = [UInt8](repeating: 0, count: 5)
    #expect(gca_file_read(file, &read, 5, 9) == GCA_OK)
    #expect(read == [9, 200, 201, 202, 13])
    #expect(gca_file_read(file, &read, 5, 96) == GCA_FILE_SHORT)
    #expect(gca_file_read(file, &read, 0, 100) == GCA_OK)
  }

  @Test func whatIsNoFileIsRefused() {
    var file = gca_file(descriptor: -1)
    var byteCount: UInt64 = 0
    #expect(gca_file_open(&file, folder, &byteCount) == GCA_FILE_OPEN)
    #expect(errno == EISDIR)
    #expect(gca_file_open(&file, folder + "/none", &byteCount) == GCA_FILE_OPEN)
    #expect(errno == ENOENT)
    #expect(gca_file_open(&file, "/dev/null", &byteCount) == GCA_FILE_OPEN)
    #expect(errno == EINVAL)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(gca_file_open(&file, folder + "/pipe", &byteCount) == GCA_FILE_OPEN)
    #expect(file.descriptor == -1)
  }

  @Test func publishingReplacesWhatWasThere() {
    #expect(write([[1]], to: folder + "/old") == GCA_OK)
    #expect(write([[2, 3]], to: folder + "/new") == GCA_OK)
    #expect(gca_file_publish(folder + "/new", folder + "/old", folder) == GCA_OK)
    #expect(contents(folder + "/old") == [2, 3])
    #expect(contents(folder + "/new") == nil)
  }

  @Test func publishingOverAFolderFailsAndKeepsBoth() throws {
    try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: false)
    #expect(write([[2]], to: folder + "/new") == GCA_OK)
    #expect(gca_file_publish(folder + "/new", folder + "/sub", folder) == GCA_FILE_RENAME)
    #expect(contents(folder + "/new") == [2])
  }

  @Test func aClosedFileIsRefused() {
    var file = gca_file(descriptor: -1)
    [1 as UInt8].withUnsafeBytes {
      var piece = gca_piece(bytes: $0.baseAddress, byteCount: 1)
      #expect(gca_file_write(file, &piece, 1, 0) == GCA_FILE_WRITE)
    }
    #expect(gca_file_sync(&file) == GCA_FILE_SYNC)
    gca_file_close(&file)
  }
}
