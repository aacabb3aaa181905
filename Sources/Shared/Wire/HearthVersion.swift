/// The version of this package, in one place: for `hearth --version`, `FirebaseVersion()` and the store on a device, which
/// tries models again that did not load under another version.
package enum HearthVersion {
    package static let text = "0.1.0"
}
