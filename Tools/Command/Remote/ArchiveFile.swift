import Foundation
import GraphCodable

/// A file that is an archive: here, on a server, or what standard input has.
enum ArchiveFile {
  case file(URL)
  case source(any GraphSource)

  func open() throws -> GraphArchive {
    switch self {
    case .file(let url): try GraphArchive(url)
    case .source(let source): try GraphArchive(source: source)
    }
  }
}

/// Whether a name on the command line is an address on a server.
func isAddress(_ name: String) -> Bool {
  let name = name.lowercased()
  return name.hasPrefix("http://") || name.hasPrefix("https://")
}

/// What messages call the file of a name on the command line: of an address not who asks, nor the query, which may be a signature.
func shownName(_ name: String) -> String {
  guard isAddress(name) else { return name }
  let path = String(name.prefix { $0 != "?" && $0 != "#" })
  let shown = path.replacing(/^(\w+:\/\/)[^\/]*@/) { $0.1 }
  return path == name ? shown : shown + "?…"
}

/// Whether a name on the command line is one that series have.
func hasNameOfSeries(_ name: String) -> Bool { path(of: name).hasSuffix(".gcseries") }

/// Whether a name on the command line is that of a stream of messages.
func hasNameOfStream(_ name: String) -> Bool { path(of: name).hasSuffix(".gclog") }

/// A name, or an address without what stands behind its path.
private func path(of name: String) -> String {
  isAddress(name) ? String(name.prefix { $0 != "?" && $0 != "#" }) : name
}

/// Whether a name on the command line is a file's address.
func isFileAddress(_ name: String) -> Bool { name.lowercased().hasPrefix("file://") }

/// Checks that a name on the command line is none that looks like an address and is not known.
///
/// - Throws: `file`.
func checkScheme(of name: String) throws(GCodableError) {
  guard let match = name.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.-]+):\/\//), !isFileAddress(name),
    !FileManager.default.fileExists(atPath: name)
  else { return }
  throw GCodableError(
    .file,
    "\(match.1): is not known, but http:, https: and file: are; a store signs addresses of objects for https:"
  )
}

/// The file of a name that is written to, or changed where it is.
///
/// - Throws: `Failure` for an address.
func writableURL(_ name: String) throws(Failure) -> URL {
  guard !isAddress(name) else {
    throw Failure(
      "\(shownName(name)): only files are written, and a server is only read", status: .validationFailure)
  }
  guard name != StandardInput.name else {
    throw Failure("-: standard input is only read; a file of that name is ./-", status: .validationFailure)
  }
  guard FileName.isUTF8(name.split(separator: "/").last.map(String.init) ?? "") else {
    throw Failure(
      "\(name): a file whose name is not UTF-8 is only read; give the new one another name, or rename it",
      status: .validationFailure)
  }
  return fileURL(name)
}

/// The file of a name on the command line.
///
/// Foundation would take a tilde for a home folder, as shells do, which have had their turn.
func fileURL(_ name: String) -> URL {
  if isFileAddress(name), let url = URL(string: name), url.isFileURL {
    guard url.path.isEmpty else { return url }
    return fileURL(FileName.text(ofPercentEncoded: url.path(percentEncoded: true)))
  }
  guard FileName.isUTF8(name) else { return URL(fileURLWithPath: OpenNames.shared.path(name)) }
  return URL(fileURLWithPath: name.hasPrefix("~") ? "./\(name)" : name)
}
