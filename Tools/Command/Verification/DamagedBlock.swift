import GraphCodable

/// A damaged block of an archive, and what lives in it; its properties are the keys in JSON.
struct DamagedBlock: Encodable {
  /// `graph`, `objectIndex` or `bulk`.
  let segment: String
  /// The number of a bulk segment.
  let segmentNumber: Int?
  /// Its number in the segment; absent for the header of the segment, with which nothing is lost.
  let block: Int?
  /// From the start of the file.
  let byteOffset: UInt64
  let bytes: UInt64
  /// How many objects have bytes in it.
  let objects: Int?
  let losses: [Loss]

  struct Loss: Encodable {
    let object: Int?
    let className: String?
    let path: String?
    let firstLostPath: String?
    let firstElement: Int?
    let elements: Int?
    fileprivate let text: String

    private enum CodingKeys: String, CodingKey {
      case object
      case className = "class"
      case path, firstLostPath, firstElement, elements
    }
  }

  private enum CodingKeys: CodingKey {
    case segment, segmentNumber, block, byteOffset, bytes, objects, losses
  }

  /// - Parameter entry: the entry whose archive it is of, in a series.
  init(_ damaged: GraphDamage.Block, in entry: GraphArchiveSeries.Entry?) {
    self.init(damaged) { entry?.place(ofByte: $0) ?? $0 }
  }

  /// - Parameter place: where a byte of the archive is in the file.
  init(_ damaged: GraphDamage.Block, _ place: (UInt64) -> UInt64) {
    segment = "\(damaged.segment)"
    segmentNumber = damaged.segment == .bulk ? damaged.segmentNumber : nil
    block = damaged.number
    byteOffset = place(damaged.byteRange.lowerBound)
    bytes = UInt64(damaged.byteRange.count)
    objects = damaged.objectCount
    losses = damaged.losses.map { loss in
      Loss(
        object: loss.objectNumber, className: loss.className, path: loss.path?.description,
        firstLostPath: loss.firstLostPath?.description, firstElement: loss.elements?.lowerBound,
        elements: loss.elements?.count, text: loss.description)
    }
  }

  /// A line for people.
  var text: String {
    let name =
      switch segment {
      case "graph": "the graph stream"
      case "objectIndex": "the object index"
      default: "bulk segment \(segmentNumber ?? 0)"
      }
    let place = "\(name) (byte \(byteOffset), \(count(bytes, "byte", "bytes")))"
    guard let block else { return "header of \(place): nothing is lost with it" }
    var lost = losses.prefix(Self.shownCount).map(\.text)
    let objectsLeft = (objects ?? 0) - losses.prefix(Self.shownCount).count { $0.object != nil }
    if objectsLeft > 0 { lost.append(count(objectsLeft, "more object", "more objects")) }
    return "block \(block) of \(place)" + (lost.isEmpty ? "" : ": " + lost.joined(separator: "; "))
  }

  private static let shownCount = 8
}
