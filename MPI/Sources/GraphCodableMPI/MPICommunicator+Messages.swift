import CGraphCodableMPI
import COpenMPI
import Foundation
import GraphCodable

/// Bytes from one rank to another.
extension MPICommunicator {
  /// What a message is about, so that none is taken for another.
  enum Tag: Int32 { case exchange = 1, outcome, graph }

  /// Sends elements to one rank, and receives those that another sends at the same time.
  ///
  /// Use it for halos: every rank sends to its neighbour above, and receives from its neighbour below.
  ///
  /// - Parameters:
  ///   - elements: the elements, which are sent as their bytes, up to 2 GiB.
  ///   - target: the rank that receives them; it may be this one.
  ///   - source: the rank to receive from.
  /// - Throws: ``MPIError``; `GCodableError` with the code `limitExceeded` for more than 2 GiB, `invalidValue` for ranks
  ///   that do not exist, or if the other one sends elements of another size.
  /// - Complexity: O(n) in the elements sent and received.
  public func sendReceive<Element: BitwiseCopyable>(
    _ elements: [Element], to target: Int, from source: Int
  ) throws -> [Element] {
    let (target, source) = try (number(target), number(source))
    // Safe because the elements stay where they are until the message has left, and such elements are their bytes.
    return try unsafe elements.withUnsafeBytes { bytes in
      let count = try Self.count(bytes.count)
      var request: MPI_Request? = unsafe gca_mpi_no_request()
      try MPIError.check(
        unsafe MPI_Isend(
          bytes.baseAddress, count, gca_mpi_byte(), target, Tag.exchange.rawValue, handle, &request),
        "MPI_Isend")
      let received = Result { try receive(from: source, .exchange).elements as [Element] }
      // In any case: the elements have to stay until then.
      try unsafe finish(&request, "MPI_Isend")
      return try received.get()
    }
  }

  /// Sends bytes of any number, which ``receiveLong(from:)`` receives.
  func sendLong(_ bytes: [UInt8], to target: Int) throws {
    try send([Int64(bytes.count)], to: target, .graph)
    for start in stride(from: 0, to: bytes.count, by: Self.longest) {
      try send([UInt8](bytes[start..<min(start + Self.longest, bytes.count)]), to: target, .graph)
    }
  }

  func receiveLong(from source: Int) throws -> [UInt8] {
    let counts: [Int64] = try receive(from: Int32(source), .graph).elements
    let count = Int(counts.first ?? 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += try receive(from: Int32(source), .graph).elements as [UInt8] }
    return bytes
  }

  func send<Element: BitwiseCopyable>(_ elements: [Element], to target: Int, _ tag: Tag) throws {
    // Safe because the elements stay where they are until the message has left.
    try unsafe elements.withUnsafeBytes { bytes in
      let count = try Self.count(bytes.count)
      try unsafe complete("MPI_Isend") { request in
        unsafe MPI_Isend(
          bytes.baseAddress, count, gca_mpi_byte(), Int32(target), tag.rawValue, handle, request)
      }
    }
  }

  /// Waits for a message from a rank.
  private func receive<Element: BitwiseCopyable>(
    from source: Int32, _ tag: Tag
  ) throws -> (source: Int, elements: [Element]) {
    var pause = Pause()
    while true {
      if let received: (Int, [Element]) = try receiveIfThere(from: source, tag) { return received }
      pause.wait()
    }
  }

  /// Receives a message from a rank, or from any for nil; nil if there is none yet.
  func receiveIfThere<Element: BitwiseCopyable>(
    from source: Int32?, _ tag: Tag
  ) throws -> (source: Int, elements: [Element])? {
    var (status, isThere, byteCount) = (MPI_Status(), Int32(0), Int32(0))
    // Safe because the three are where MPI writes to, for the time of each call.
    try MPIError.check(
      unsafe MPI_Iprobe(source ?? Int32(MPI_ANY_SOURCE), tag.rawValue, handle, &isThere, &status),
      "MPI_Iprobe")
    guard isThere != 0 else { return nil }
    try MPIError.check(unsafe MPI_Get_count(&status, gca_mpi_byte(), &byteCount), "MPI_Get_count")
    let (count, rest) = Int(byteCount).quotientAndRemainder(dividingBy: MemoryLayout<Element>.stride)
    let elements = try unsafe [Element](unsafeUninitializedCapacity: count + (rest > 0 ? 1 : 0)) {
      // Safe because there is room for all bytes of the message, and such elements are their bytes.
      buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      try unsafe complete("MPI_Irecv") { request in
        unsafe MPI_Irecv(
          bytes.baseAddress, byteCount, gca_mpi_byte(), status.MPI_SOURCE, tag.rawValue, handle, request)
      }
      initialized = count
    }
    guard rest == 0 else {
      throw GCodableError(
        .invalidValue, "rank \(status.MPI_SOURCE) has sent \(byteCount) bytes, which are no \(Element.self)s")
    }
    return (Int(status.MPI_SOURCE), elements)
  }

  /// Bytes of the longest message: MPI counts by `int`.
  static let longest = 1 << 30

  static func count(_ byteCount: Int) throws -> Int32 {
    guard let count = Int32(exactly: byteCount) else {
      throw GCodableError(.limitExceeded, "\(byteCount) bytes are too many for a message of MPI")
    }
    return count
  }

  private func number(_ rank: Int) throws -> Int32 {
    guard 0..<size ~= rank else { throw GCodableError(.invalidValue, "there is no rank \(rank) of \(size)") }
    return Int32(rank)
  }
}

/// Waiting.
extension MPICommunicator {
  /// Begins a call of MPI, and waits until it is done.
  ///
  /// What the call reads and writes must stay where it is meanwhile.
  func complete(_ function: String, _ begin: (UnsafeMutablePointer<MPI_Request?>) -> Int32) throws {
    var request: MPI_Request? = unsafe gca_mpi_no_request()
    // Safe because the request is there until it is finished.
    try unsafe MPIError.check(begin(&request), function)
    try unsafe finish(&request, function)
  }

  /// Waits until all ranks have called this.
  ///
  /// - Parameter limit: how long; nil for ever.
  /// - Returns: false when the time is over.
  func isEntered(within limit: Duration?) throws -> Bool {
    var request: MPI_Request? = unsafe gca_mpi_no_request()
    try unsafe MPIError.check(MPI_Ibarrier(handle, &request), "MPI_Ibarrier")
    return try unsafe finish(&request, "MPI_Ibarrier", before: limit.map { ContinuousClock.now + $0 })
  }

  /// - Returns: false if it has not finished in time.
  @discardableResult
  private func finish(
    _ request: inout MPI_Request?, _ function: String, before end: ContinuousClock.Instant? = nil
  ) throws -> Bool {
    var pause = Pause()
    while true {
      var isDone: Int32 = 0
      // Safe because the request was begun.
      try unsafe MPIError.check(MPI_Test(&request, &isDone, nil), function)
      if isDone != 0 { return true }
      if let end, ContinuousClock.now >= end { return false }
      pause.wait()
    }
  }

  /// Waits longer each time: at first for the next turn of the processor, in the end for 2 ms.
  ///
  /// MPI itself would keep a processor busy, which another rank may need to write its part.
  struct Pause {
    private var count = 0

    mutating func wait() {
      count += 1
      if count < 200 {
        sched_yield()
      } else {
        usleep(UInt32(min(20 * (count - 199), 2000)))
      }
    }
  }
}
