@_exported public import Foundation

// `InstallationIDDidChange` is a member of `NSNotification.Name` and comes along with any name of its module.
@_exported public import let Hearth.InstallationIDDidChangeAppNameKey
@_exported public import class Hearth.Installations
@_exported public import class Hearth.InstallationsAuthTokenResult
@_exported public import struct Hearth.InstallationsErrorCode
@_exported public import let Hearth.InstallationsErrorDomain
