import Foundation
import _GraphFiles
import _GraphReading
import _GraphSupport

/// A series that is a folder of archives, to which a writer adds some; used by one thread at a time.
final class SeriesFolder: SeriesTarget {
  let list: SeriesList
  private let folder: EntryFolder
  private let catalog: CatalogWriter

  /// Opens a folder, or creates it, and locks it.
  ///
  /// - Throws: `locked`; `file`.
  init(_ url: URL) throws {
    folder = try EntryFolder(url, EntryCatalog.archives)
    catalog = try CatalogWriter(folder)
    list = SeriesList(GraphArchiveSeries(folder.lock.file, catalog.list))
  }

  /// Writes an entry, which is there when its file has its name.
  func append(
    _ graph: EncodedGraph, _ writer: ArchiveWriter, _ label: SeriesLabel,
    _ sharing: GraphArchiveSeries.Writer.Sharing, _ progress: ProgressReport?
  ) throws {
    try progress?.checkCancellation()
    let new = try catalog.add { number in
      var entry = FolderEntry(number: number, label)
      var writer = writer
      writer.progress = progress
      writer.metadata = entry.archiveMetadata(writer.metadata)
      let sink = try FileSink(URL(fileURLWithPath: folder.catalog.path(number)), followsLink: false)
      let header = try writer.writeArchive(graph, to: sink)
      try writer.readBack(sink)
      try folder.publish(sink, number, by: writer)
      (entry.byteCount, entry.hash) = (header.byteCount, header.hash)
      return entry
    }
    list.change { $0.add(new) }
  }

  func append(_ archive: GraphArchive, _ label: SeriesLabel, _ progress: ProgressReport?) throws {
    throw GCodableError(
      .invalidValue,
      "the archives of \(folder.catalog.name) have their steps in them: they are encoded there")
  }

  func keep(_ entries: [GraphArchiveSeries.Entry], _ progress: ProgressReport?) throws {
    defer { list.change { $0.setList(catalog.list) } }
    try catalog.remove(Set(list.current.map(\.number)).subtracting(entries.map(\.number)))
  }
}
