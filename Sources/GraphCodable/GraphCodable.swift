// The one import of users. The modules beneath it are no part of the API: names and borders may change.
@_exported import _GraphCoding
@_exported import _GraphFiles
@_exported import _GraphMaintenance
@_exported import _GraphReading
@_exported import _GraphRepair
@_exported import _GraphStorage
@_exported import _GraphSupport
