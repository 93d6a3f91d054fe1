import CGraphArchive

/// What the codec for numbers is told of an array: only the width of the numbers is needed to read it.
package struct NumbersForm: Equatable, Sendable {
  /// Of a number: 1, 2, 4 or 8.
  package let byteCount: Int
  /// Whether their bits are those of floating-point numbers.
  let areFloats: Bool
  /// Numbers of an element, or of a vector along the last dimension; 0 where nothing is known of a number's neighbours.
  let laneCount: Int
  /// Numbers of a row; 0 where there are no rows.
  let rowCount: Int

  /// The form of an array's numbers behind the filters that its precision requires; nil where its elements are no numbers that the
  /// codec takes.
  init?(_ source: SegmentWriter.Source, quantised: Segment.Filter?) {
    guard let scalar = source.format.scalar, scalar != .byte, [1, 2, 4, 8].contains(scalar.byteCount) else {
      return nil
    }
    byteCount = scalar.byteCount
    areFloats = scalar.isFloatingPoint && quantised == nil
    let lanes = source.elementByteCount / byteCount
    // Three numbers in the last dimension are a vector, as they would be in an element.
    let areVectors = lanes == 1 && (source.innerStrides.last ?? source.rowElementCount) == Self.vectorCount
    laneCount = areVectors ? Self.vectorCount : lanes > 1 ? lanes : 0
    rowCount = source.rowElementCount > max(laneCount / lanes, 1) ? source.rowElementCount * lanes : 0
  }

  private static let vectorCount = 3

  /// The form by which blocks of a segment are written again.
  package init?(_ segment: Segment) {
    guard segment.hasNumbers else { return nil }
    byteCount = Int(segment.codecParameter)
    (areFloats, laneCount, rowCount) = (false, 0, 0)
  }

  /// For the C target.
  var hint: gca_numbers_hint {
    gca_numbers_hint(
      areFloats: areFloats, lanes: UInt32(clamping: laneCount), row: UInt32(clamping: rowCount))
  }
}

extension Segment {
  /// Whether its blocks have the codec for numbers of a width that this version knows.
  package var hasNumbers: Bool {
    codec == UInt8(GCA_CODEC_NUMBERS.rawValue) && [1, 2, 4, 8].contains(codecParameter)
  }
}
