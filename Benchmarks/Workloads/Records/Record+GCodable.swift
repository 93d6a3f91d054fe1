import GraphCodable

extension Record: GCodable {
  private enum Key: String {
    case id, name, x, y, z, flag
  }

  init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    name = try decoder.decode(for: Key.name)
    x = try decoder.decode(for: Key.x)
    y = try decoder.decode(for: Key.y)
    z = try decoder.decode(for: Key.z)
    flag = try decoder.decode(for: Key.flag)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(x, for: Key.x)
    try encoder.encode(y, for: Key.y)
    try encoder.encode(z, for: Key.z)
    try encoder.encode(flag, for: Key.flag)
  }
}
