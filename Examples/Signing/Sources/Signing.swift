import Crypto
import Foundation

func sign(_ archive: Data, with key: Curve25519.Signing.PrivateKey) throws -> Data {
  try key.signature(for: archive) + archive
}

func open(_ signed: Data, from signer: Curve25519.Signing.PublicKey) throws -> Data {
  let archive = Data(signed.dropFirst(64))
  guard signer.isValidSignature(signed.prefix(64), for: archive) else {
    throw CocoaError(.fileReadCorruptFile)
  }
  return archive
}
