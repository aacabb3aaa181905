import HearthWire

/// The version of Hearth, for example `0.1.0`. It says nothing about a version of Google's library.
public func FirebaseVersion() -> String { HearthVersion.text }
