@_exported public import Foundation
// Whole, unlike its neighbours: an operator such as the one that `catch RemoteConfigError.throttled` takes cannot be made visible
// by name. The module has no name beyond the original's but those of FirebaseABTesting and `OptionalRemoteConfigText`.
@_exported public import HearthRemoteConfig
