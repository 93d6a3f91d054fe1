import Foundation
import GraphCodable

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a request was not answered properly.
struct HTTPFailure: Error {
  let message: String
  /// Whether it may be answered if it is sent again.
  let isPassing: Bool
  /// How many seconds the server asks to wait.
  var delay: Double?

  /// For good.
  init(_ message: String) { (self.message, isPassing) = (message, false) }

  /// For now.
  init(retrying message: String) { (self.message, isPassing) = (message, true) }

  /// - Parameter retryAfter: the header of that name.
  init(status: Int, retryAfter: String?) {
    message =
      switch status {
      case 300..<400: "the server sends somewhere else, which is not followed (\(status))"
      case 401, 403: "access is denied (\(status))"
      case 404, 410: "there is no such file (\(status))"
      case 412, 416: "it was replaced while it was read (\(status))"
      case 429: "the server has too many requests (429)"
      default: "the server answers with an error (\(status))"
      }
    isPassing = [408, 425, 429, 500, 502, 503, 504].contains(status)
    delay = retryAfter.flatMap(Double.init)
  }

  init(_ error: any Error) {
    guard let error = error as? URLError else {
      self.init("the request has failed: \(error)")
      return
    }
    switch error.code {
    case .timedOut: self.init(retrying: "the server does not answer in time")
    case .networkConnectionLost, .badServerResponse, .resourceUnavailable:
      self.init(retrying: "the connection was lost")
    case .cannotConnectToHost: self.init(retrying: "there is no connection to the server")
    case .cannotFindHost, .dnsLookupFailed: self.init("the server is not found")
    case .notConnectedToInternet: self.init("there is no connection to the network")
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      self.init("the server cannot be trusted: \(error.localizedDescription)")
    case .httpTooManyRedirects: self.init("the server sends from one place to the next")
    // What is left has many reasons, as an answer that ends early, most of which pass.
    default: self.init(retrying: "the request has failed: \(error.localizedDescription)")
    }
  }
}
