import Foundation
import GraphCodable

/// What all ranks have to agree on before anything is written.
struct SaveTerms: GCodable {
  var step: Int
  var time: Double
  var aggregation: MPIAggregation

  /// Compares them with those of rank 0.
  ///
  /// - Throws: `invalidValue`.
  func check(_ lead: SaveTerms, _ rank: Int) throws {
    func refuse(_ text: String) -> GCodableError { GCodableError(.invalidValue, text) }
    guard lead.step == step, lead.time.bitPattern == time.bitPattern else {
      throw refuse("it saves step \(step) at \(time), and rank 0 saves step \(lead.step) at \(lead.time)")
    }
    guard lead.aggregation.number == aggregation.number else {
      throw refuse(
        "it disagrees with rank 0 on the number of parts: aggregation \(aggregation), and \(lead.aggregation)"
      )
    }
    if case .groups(let count) = aggregation, count < 1 {
      throw refuse("groups of \(count) ranks cannot have a part")
    }
  }

  init(step: Int, time: Double, aggregation: MPIAggregation) {
    (self.step, self.time, self.aggregation) = (step, time, aggregation)
  }

  private enum Key: String { case step, time, aggregation }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(time, for: Key.time)
    try encoder.encode(aggregation.number, for: Key.aggregation)
  }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    time = try decoder.decode(for: Key.time)
    let number: Int = try decoder.decode(for: Key.aggregation)
    aggregation = number == 0 ? .perNode : number == 1 ? .none : .groups(of: number)
  }
}

/// What rank 0 says when it has begun a set.
struct BegunSave: GCodable {
  let token: String
  /// Of the set's folder in that of its series; empty where the set is none of a series.
  let name: String
  let terms: SaveTerms

  init(token: String, name: String, terms: SaveTerms) {
    (self.token, self.name, self.terms) = (token, name, terms)
  }

  private enum Key: String { case token, name, terms }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(token, for: Key.token)
    try encoder.encode(name, for: Key.name)
    try encoder.encode(terms, for: Key.terms)
  }

  init(from decoder: GDecoder) throws {
    token = try decoder.decode(for: Key.token)
    name = try decoder.decode(for: Key.name)
    terms = try decoder.decode(for: Key.terms)
  }
}

/// What came of a part: one of both.
struct SaveOutcome: GCodable {
  var receipt: GraphArchiveSet.Receipt?
  var failure: RankFailure?

  init() {}

  /// Reads what a rank has sent; what cannot be read is its failure, so that the others are heard all the same.
  init(_ bytes: [UInt8], from rank: Int) {
    do { self = try GraphDecoder().decode(Self.self, from: bytes) } catch {
      failure = RankFailure(error, of: rank)
    }
  }

  private enum Key: String { case receipt, failure }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(receipt, for: Key.receipt)
    try encoder.encode(failure, for: Key.failure)
  }

  init(from decoder: GDecoder) throws {
    receipt = try decoder.decode(for: Key.receipt)
    failure = try decoder.decode(for: Key.failure)
  }
}
