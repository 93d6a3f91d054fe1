import GraphCodable
import Testing

/// Tests/Corpus/streams.
@Suite("Corpus: streams of messages") struct MessagesCorpusTests {
  @Test(arguments: MessagesCase.valid) func aValidStreamIsAccepted(item: MessagesCase) throws {
    let reader = GraphMessageReader(item.bytes)
    var number: UInt64 = 0
    while let message = try reader.nextMessage() {
      #expect(message.number == number)
      try message.archive().verify()
      number += 1
    }
    #expect(number == UInt64(try PlainMessages(item.bytes).messageCount))
  }

  @Test(arguments: MessagesCase.invalid) func aReaderMadeOfTheDocumentAloneNamesTheRules(item: MessagesCase) {
    #expect(item.refusal?.rule == item.rule, "\(item.reason)")
  }

  @Test(arguments: MessagesCase.invalid) func anInvalidStreamIsRefused(item: MessagesCase) throws {
    let reader = GraphMessageReader(item.bytes)
    #expect(throws: (any Error).self) {
      while let message = try reader.nextMessage() { try message.archive().verify() }
    }
  }
}
