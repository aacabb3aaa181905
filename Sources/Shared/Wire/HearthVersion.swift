/// The version of this package. `hearth --version`, `FirebaseVersion()` and the store on a device use it: the store
/// tries a model again that did not load under another version.
package enum HearthVersion {
    package static let text = "0.1.0"
}
