@_exported public import Foundation
// Whole, unlike its neighbours: an operator such as the one that `catch InstallationsErrorCode.serverUnreachable` takes cannot be
// made visible by name. Beyond the original's names, the module has those of FirebaseCore, `DeviceDescription` and `NSErrorWrapper`.
@_exported public import HearthApp
