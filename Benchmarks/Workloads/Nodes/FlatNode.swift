/// W2 for coders without identity: the neighbours as indices into one array.
///
/// `Codable` would write a shared node once per path that leads to it, which here is more than 4¹² times.
/// What the peers get is therefore what a person would write by hand for them; the time to turn the graph
/// into this form and back is *not* counted, which is in their favour.
struct FlatNode: Codable, Equatable {
  var id: Int
  var name: String
  var neighbours: [Int]

  init(_ node: Node) {
    id = node.id
    name = node.name
    neighbours = node.neighbours.map(\.id)
  }
}
