// The only import that users need. The modules beneath it are not part of the API: their names and boundaries
// may change.
@_exported import _GraphCoding
@_exported import _GraphFiles
@_exported import _GraphMaintenance
@_exported import _GraphReading
@_exported import _GraphRepair
@_exported import _GraphStorage
@_exported import _GraphSupport
