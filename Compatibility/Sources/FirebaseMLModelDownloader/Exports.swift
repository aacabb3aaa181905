@_exported public import struct Hearth.CustomModel
@_exported public import enum Hearth.DownloadError
@_exported public import enum Hearth.DownloadedModelError
@_exported public import class Hearth.ModelDownloadConditions
@_exported public import enum Hearth.ModelDownloadType
@_exported public import class Hearth.ModelDownloader
