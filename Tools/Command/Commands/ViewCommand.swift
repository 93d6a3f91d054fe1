import ArgumentParser
import Foundation
import GraphCodable

/// Makes a page for browsers.
struct ViewCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Make a page that shows what is in archives, series and sets, for a browser.",
    discussion: """
      The page is one file that needs no network: the values as a tree, where the bytes go, the blocks, previews of \
      arrays, the entries of series, the objects around a value, and damage where there is some. Of large files only \
      samples are read, and the page says which. The page also opens archives and series that are dropped on it, in the \
      browser alone; without files, it does that only.
      """)

  @Argument(help: "Archives, series or sets.", completion: .file())
  var files: [String] = []

  @Option(
    name: .shortAndLong,
    help: "The page. (default: the name of the first file, with .html behind it; reader.html without files)",
    completion: .file())
  var output: String?

  @OptionGroup(title: "Options for one entry of each series in place of the last one") var entry: EntryOptions

  func validate() throws {
    _ = try output ?? defaultName()
    guard !files.isEmpty || entry.choice == nil else {
      throw ValidationError("Name the series whose entry the page is to show.")
    }
  }

  func write(to out: Output) throws {
    let pages = try files.map { file throws(Failure) in
      do { return try PageFile(file, entry.choice) } catch { throw Failure(error, in: file) }
    }
    let name = try output ?? defaultName()
    let page = Data(try Page(files: pages).html().utf8)
    try NewFile.write(page, to: name)
    try out.line("\(name): a page of \(decimalSize(UInt64(page.count))); open it in a browser")
  }

  /// In the current folder, whatever folder or server the file is in.
  private func defaultName() throws -> String {
    guard !files.isEmpty else { return "reader.html" }
    let shown = isAddress(files[0]) ? files[0].prefix { $0 != "?" && $0 != "#" } : files[0][...]
    guard let last = shown.split(separator: "/").last, FileName.isUTF8(String(last)),
      files[0] != StandardInput.name
    else { throw ValidationError("Say with -o what the page is to be called.") }
    return last + ".html"
  }
}
