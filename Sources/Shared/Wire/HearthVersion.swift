/// The version of this package. `hearth --version`, `FirebaseVersion()` and the store on a device use it: the store
/// tries a model again that did not load under another version.
package enum HearthVersion {
    package static let text = "0.1.0"
    /// The engine that this version was made for and tested with; `scripts/bootstrap` installs it.
    package static let engine = "LiteRT 2.3.0"
}
