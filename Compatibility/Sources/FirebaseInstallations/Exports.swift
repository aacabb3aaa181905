@_exported public import class Hearth.Installations
@_exported public import class Hearth.InstallationsAuthTokenResult
@_exported public import struct Hearth.InstallationsErrorCode
@_exported public import let Hearth.InstallationsErrorDomain
