import _GraphFiles
import _GraphSupport

/// The shapes of records and the layouts of packed structs that an encoder has met, and their numbers in the graph.
package struct EncoderShapes {
  /// Follows the last field of every shape and matches nothing.
  let end = Self.makeSentinel()
  /// The current node in dictionary mode; matches nothing either.
  let overflow = Self.makeSentinel()
  private var nodes: [Pinned<ShapeTransition>] = []

  private(set) var list: [Shape] = []
  /// Their keys are numbers in `EncoderKeys.names`, plus one.
  private(set) var layouts: [Contents.Layout] = []
  /// The records in dictionary mode being written, the innermost one last.
  var openOverflows: [OpenOverflow] = []

  struct Shape: Equatable {
    var end: Pinned<ShapeTransition>
    var type: Pinned<EncoderType>
    var isOpen: Bool
  }

  /// A record in dictionary mode, with overflow fields, while it is being written.
  struct OpenOverflow {
    /// The last field before these.
    var node: Pinned<ShapeTransition>
    /// Where their head is.
    var start: Int
    var fieldCount: UInt32 = 0
    var unkeyedCount: UInt32 = 0
    var keyNumbers: Set<UInt32> = []
  }

  private static func makeSentinel() -> Pinned<ShapeTransition> {
    .make { ShapeTransition(token: FieldToken.end, prediction: $0) }
  }

  /// How many fields are known.
  var fieldCount: Int { nodes.count }

  mutating func own(_ node: ShapeTransition) -> Pinned<ShapeTransition> {
    let stored = Pinned.make(node)
    nodes.append(stored)
    return stored
  }

  /// The number of the shape that ends at a node, with or without overflow fields; it gets one if it is new.
  mutating func number(
    of node: Pinned<ShapeTransition>, _ type: Pinned<EncoderType>, isOpen: Bool
  ) -> UInt32 {
    let known = isOpen ? node.pointee.openShape : node.pointee.shape
    if known != 0 { return known }
    list.append(Shape(end: node, type: type, isOpen: isOpen))
    let number = UInt32(list.count)
    if isOpen { node.pointee.openShape = number } else { node.pointee.shape = number }
    return number
  }

  /// The number of a layout of packed structs, which gets one if it is new.
  package mutating func number(of layout: Contents.Layout) -> UInt32 {
    if let known = layouts.firstIndex(of: layout) { return UInt32(known + 1) }
    layouts.append(layout)
    return UInt32(layouts.count)
  }

  /// Resets the numbers; the fields stay known.
  mutating func forgetGraph() {
    while let shape = list.popLast() {
      (shape.end.pointee.shape, shape.end.pointee.openShape) = (0, 0)
      // Only a type that has a shape has a predicted one.
      (shape.type.pointee.predictedEnd, shape.type.pointee.predictedShape) = (nil, 0)
    }
    if !layouts.isEmpty { layouts = [] }
  }

  @unsafe func release() {
    for node in nodes + [end, overflow] { unsafe node.release() }
  }
}
