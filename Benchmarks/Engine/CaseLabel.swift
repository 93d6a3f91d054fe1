/// What is done with a workload.
enum Operation: String, Codable {
  /// From the model to bytes in memory, and back.
  case encode, decode
  /// From the model to a file that is safely on the disk, and back.
  case save, load
  /// No coding at all: what the machine needs for the same bytes.
  case limit
}

/// The coder that does it.
enum Subject: String, Codable {
  case graphNone = "GraphCodable.none"
  /// Without waiting for the device.
  case graphNoneUnsynchronized = "GraphCodable.none-unsynced"
  case graphLZ4 = "GraphCodable.lz4"
  case graphLZ4OneThread = "GraphCodable.lz4-1thread"
  case graphLZ4TwoThreads = "GraphCodable.lz4-2threads"
  /// Into existing arrays.
  case graphLZ4OneThreadTouched = "GraphCodable.lz4-1thread-touched"
  case graphLZ4TwoThreadsTouched = "GraphCodable.lz4-2threads-touched"
  case graphLZ4HC = "GraphCodable.lz4hc"
  /// With 30 bits of mantissa.
  case graphLZ4Rounded = "GraphCodable.lz4-30bits"
  /// On a thread with a stack of 512 KiB.
  case graphSmallStack = "GraphCodable.none-512KiB"
  /// With sets and dictionaries sorted.
  case graphCanonical = "GraphCodable.none-canonical"
  /// With one coder for many messages.
  case graphReused = "GraphCodable.none-reused"
  /// As a stream of messages.
  case graphStream = "GraphCodable.stream"
  /// Both, of a model that the macro codes; the last one by `write(contentsOf:)`.
  case graphReusedMacro = "GraphCodable.none-reused-macro"
  case graphStreamMacro = "GraphCodable.stream-macro"
  case graphStreamMacroAll = "GraphCodable.stream-macro-all"
  /// Of a model that is `Codable` alone.
  case graphCodable = "GraphCodable.none-Codable"
  /// The frames of a trajectory alone, to an error in ångström, on one thread.
  case trajectoryFine = "GraphCodable.lz4-0.005"
  case trajectoryFineThorough = "GraphCodable.lz4hc-0.005"
  case trajectoryFineSmall = "GraphCodable.small-0.005"
  case trajectoryCoarse = "GraphCodable.lz4-0.05"
  case trajectoryCoarseSmall = "GraphCodable.small-0.05"
  /// One of its frames.
  case trajectoryFrame = "GraphCodable.lz4-0.005-frame"
  case trajectoryFrameThorough = "GraphCodable.lz4hc-0.005-frame"
  case trajectoryFrameSmall = "GraphCodable.small-0.005-frame"
  case trajectoryFrameCoarseSmall = "GraphCodable.small-0.05-frame"

  case json = "JSON"
  /// Of what CyclicCoding makes of the model.
  case cyclicJSON = "JSON-CyclicCoding"
  case plist
  case keyedArchiver = "NSKeyedArchiver"
  case protobuf
  /// With the conversion from and to the model's types.
  case protobufConverted = "protobuf-converted"
  case handPacking = "hand-packing"
  /// A coder that does nothing but hand out containers.
  case containers = "Codable-containers"

  case walk
  case clone
  case freshCopy = "copy-fresh"
  case warmCopy = "copy-warm"
  case write
  case synchronizedWrite = "write-fsync"
  case read
  case compression = "lz4-compress"
  case expansion = "lz4-expand"
  case hash = "xxh3"
}

/// The name of one measurement, such as `W1.encode.JSON` or `W1/10.decode.plist`.
struct CaseLabel: Hashable {
  /// With its size.
  var workload: String
  var operation: Operation
  var subject: Subject

  var name: String {
    "\(workload).\(operation.rawValue).\(subject.rawValue)"
  }
}
