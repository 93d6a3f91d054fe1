/// W1's element in a model that is `Codable` and nothing else, as the compiler writes it.
struct PlainRecord: Codable, Equatable {
  var id: Int
  var name: String
  var x: Double
  var y: Double
  var z: Double
  var flag: Bool

  init(_ record: Record) {
    id = record.id
    name = record.name
    x = record.x
    y = record.y
    z = record.z
    flag = record.flag
  }
}
