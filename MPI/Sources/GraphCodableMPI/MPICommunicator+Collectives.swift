import CGraphCodableMPI
import COpenMPI
import GraphCodable

/// Bytes between all ranks.
extension MPICommunicator {
  /// Sends the bytes of one rank to all others.
  ///
  /// Collective.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to send, used only on the rank `root`.
  ///   - root: the rank that has them.
  /// - Throws: ``MPIError``.
  /// - Complexity: O(n log p) for n bytes and p ranks.
  public func broadcast(_ bytes: [UInt8], from root: Int = 0) throws -> [UInt8] {
    var counts = [Int64(bytes.count)]
    try broadcastElements(&counts, from: root)
    var bytes = rank == root ? bytes : [UInt8](repeating: 0, count: Int(counts[0]))
    try broadcastElements(&bytes, from: root)
    return bytes
  }

  private func broadcastElements<Element: BitwiseCopyable>(
    _ elements: inout [Element], from root: Int
  ) throws {
    // Safe because the elements stay where they are until all is done, and such elements are their bytes.
    try unsafe elements.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: Self.longest) {
        let piece = unsafe UnsafeMutableRawBufferPointer(
          rebasing: bytes[start..<min(start + Self.longest, bytes.count)])
        try unsafe complete("MPI_Ibcast") { request in
          unsafe MPI_Ibcast(
            piece.baseAddress, Int32(piece.count), gca_mpi_byte(), Int32(root), handle, request)
        }
      }
    }
  }

  /// Gathers the numbers of all ranks on each of them, in the order of the ranks.
  ///
  /// Collective; each rank has the same number of them.
  ///
  /// - Throws: ``MPIError``; `GCodableError` with the code `limitExceeded` for more than 2 GiB.
  /// - Complexity: O(n p) for n numbers of each of p ranks.
  public func allGather<Number: BitwiseCopyable>(_ numbers: [Number]) throws -> [Number] {
    let byteCount = try Self.count(numbers.count * MemoryLayout<Number>.stride)
    _ = try Self.count(numbers.count * MemoryLayout<Number>.stride * size)
    // Safe because there is room for all, and both stay where they are until all is done.
    return try unsafe [Number](unsafeUninitializedCapacity: numbers.count * size) { buffer, initialized in
      let all = UnsafeMutableRawBufferPointer(buffer)
      try unsafe numbers.withUnsafeBytes { own in
        try unsafe complete("MPI_Iallgather") { request in
          unsafe MPI_Iallgather(
            own.baseAddress, byteCount, gca_mpi_byte(), all.baseAddress, byteCount, gca_mpi_byte(), handle,
            request)
        }
      }
      initialized = numbers.count * size
    }
  }

  /// The offset of this rank's elements among those of all ranks in order, and the total number.
  ///
  /// Collective.
  ///
  /// - Throws: ``MPIError``.
  /// - Complexity: O(p) for p ranks.
  public func place(of count: Int) throws -> (offset: Int, total: Int) {
    let counts = try allGather([count])
    return (counts[..<rank].reduce(0, +), counts.reduce(0, +))
  }

  /// The smallest of the numbers of all ranks.
  func minimum(_ number: Int) throws -> Int {
    var (own, least) = (Int64(number), Int64(0))
    // Safe because both stay where they are until all is done.
    try unsafe withUnsafePointer(to: &own) { own in
      try unsafe withUnsafeMutablePointer(to: &least) { least in
        try unsafe complete("MPI_Iallreduce") { request in
          unsafe MPI_Iallreduce(own, least, 1, gca_mpi_int64(), gca_mpi_minimum(), handle, request)
        }
      }
    }
    return Int(least)
  }
}
