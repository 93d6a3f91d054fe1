import GraphCodable

extension Workload {
  /// The measurements of GraphCodable on a model that is `Codable` alone, without compression.
  func codableCases<Form: Codable & Equatable>(form: @escaping () throws -> Form) -> [MeasuredCase] {
    func encode(_ form: Form) throws -> [UInt8] {
      try GraphVariant.none.makeEncoder().encode(codable: form)
    }
    func decode(_ bytes: [UInt8]) throws -> Form {
      try GraphDecoder().decode(codable: Form.self, from: bytes)
    }

    let encoding = MeasuredCase(label(.encode, .graphCodable)) {
      try form()
    } work: { form in
      try encode(form)
    } check: { form, bytes in
      try require(decode(bytes) == form)
      return bytes.count
    }
    let decoding = MeasuredCase(label(.decode, .graphCodable)) {
      try encode(form())
    } work: { bytes in
      try decode(bytes)
    } check: { bytes, decoded in
      try require(decoded == form())
      return bytes.count
    }
    return [encoding, decoding]
  }

  /// What a `Codable` model takes with a coder that hands out a new container whenever it is asked, and codes nothing.
  ///
  /// Enums with raw values need a case for 0 or "", which is all that is decoded.
  func containerCases<Form: Codable & Equatable>(
    unitCount: @escaping (Form) -> Int, form: @escaping () throws -> Form
  ) -> [MeasuredCase] {
    let encoding = MeasuredCase(label(.encode, .containers)) {
      try form()
    } work: { form in
      try form.encode(to: ContainerEncoder())
    } check: { _, _ in
      0
    }
    let decoding = MeasuredCase(label(.decode, .containers)) {
      try ContainerTape(of: form())
    } work: { tape in
      try Form(from: ContainerDecoder(tape))
    } check: { _, decoded in
      try require(unitCount(decoded) == unitCount(form()))
      return 0
    }
    return [encoding, decoding]
  }
}
