// The name under which the Swift additions were a module of their own.
@_exported public import FirebaseRemoteConfig
