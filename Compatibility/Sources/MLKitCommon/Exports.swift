@_exported public import Foundation

// The notifications are members of `NSNotification.Name` and come along with any name of their module.
@_exported public import class Hearth.CustomRemoteModel
@_exported public import class Hearth.LocalModel
@_exported public import class Hearth.ModelDownloadConditions
@_exported public import struct Hearth.ModelDownloadUserInfoKey
@_exported public import class Hearth.ModelManager
@_exported public import class Hearth.RemoteModel
@_exported public import class Hearth.RemoteModelSource
