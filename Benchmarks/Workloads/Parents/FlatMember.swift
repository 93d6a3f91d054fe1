/// W6 for coders without identity: the parent as an index, from which the children follow.
///
/// As for W2, the time to turn the tree into this form and back is *not* counted, in favour of the peers.
struct FlatMember: Codable, Equatable {
  var id: Int
  var name: String
  var parent: Int?

  init(_ member: Member) {
    id = member.id
    name = member.name
    parent = member.parent?.id
  }

  /// The nodes of a tree, parents before their children.
  static func list(_ tree: Member) -> [FlatMember] {
    var members = [tree]
    var next = 0
    while next < members.count {
      members += members[next].children
      next += 1
    }
    return members.map(FlatMember.init)
  }
}
