package import HearthCatalog

/// Whether a release includes a device, and what decides it.
package enum ReleaseVerdict: Sendable, Hashable {
    /// The number of the installation is below the share; nil if the release is for all devices of its audience.
    case included(number: Int?)
    /// The release is paused, and the device does not have its version.
    case paused
    /// The device does not match this part of the audience.
    case audience(AudienceTerm)
    /// The number of the installation is not below the share; both in millionths.
    case share(number: Int, share: Int)

    package var isIncluded: Bool {
        if case .included = self { true } else { false }
    }
}

/// A part of an audience.
package enum AudienceTerm: String, Sendable, Hashable {
    case operatingSystem
    case country
    case tag
    case language
    case appVersion
    case condition
}

/// A release, and whether it includes a device.
package struct ReleaseFinding: Sendable {
    package let release: Release
    package let verdict: ReleaseVerdict
}
