/// The names of the header fields that devices and servers exchange, as the server writes them. Header names have no case.
package enum WireHeader {
    /// The API key of an app.
    package static let apiKey = "x-goog-api-key"
    /// The bundle identifier of an app.
    package static let bundleID = "x-ios-bundle-identifier"
    /// The token of an installation.
    package static let installationToken = "x-goog-firebase-installations-auth"
    /// Why a device fetches the Remote Config template: `BASE/1` or `REALTIME/ATTEMPT`.
    package static let fetchKind = "x-firebase-rc-fetch-type"

    /// The version of the app on a device.
    package static let appVersion = "x-hearth-app-version"
    package static let operatingSystem = "x-hearth-os"
    package static let language = "x-hearth-language"
    package static let country = "x-hearth-country"
    /// The tags of a device, separated by commas.
    package static let tags = "x-hearth-tags"
    /// `conditions` if the device will not download the version now, because the download's conditions are not met.
    package static let waitsFor = "x-hearth-waits-for"
    /// Versions that the device does not install, and why; see `CannotInstall`.
    package static let cannotInstall = "x-hearth-cannot-install"

    /// The number of the version that a device gets.
    package static let modelVersion = "X-Hearth-Model-Version"
    /// The experiment for which the server chose the version: `EXPERIMENT/VARIANT/START`. May come more than once.
    package static let experiment = "X-Hearth-Experiment"
    /// Where the next page of a list begins.
    package static let nextPageToken = "X-Hearth-Next-Page-Token"
}
