import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
package import HearthRemoteConfigTemplates
import HearthRouting
package import HearthTargeting
import HearthWire

/// What a fetch says about its device: in the body, which existing clients fill in, and in Hearth's own headers. Any of
/// it may be false.
package enum ConfigSignals {
    static func facts(
        _ body: FetchBody, _ head: RequestHead, _ installation: InstallationTokens.Claims, _ services: Services
    ) -> DeviceFacts {
        let headers = DeviceHeaders(head, countryHeader: services.countryHeader)
        var facts = DeviceFacts(installationID: installation.fid, appID: installation.appId)
        headers.fill(to: &facts)
        apply(body, namedOperatingSystem: headers.namedOperatingSystem, to: &facts)
        return facts
    }

    /// Adds what a body says, which counts more than what is known already.
    ///
    /// - Parameter namedOperatingSystem: the device's own name for its system, in lower case.
    package static func apply(_ body: FetchBody, namedOperatingSystem: String?, to facts: inout DeviceFacts) {
        facts.appVersion = body.appVersion ?? facts.appVersion
        facts.appBuild = body.appBuild
        // A device that does not name its system has the one that its app was registered for.
        facts.operatingSystem = namedOperatingSystem ?? platform(of: facts.appID) ?? facts.operatingSystem
        if let language = body.languageCode, !language.isEmpty { facts.languages = [language] }
        if let country = body.countryCode, country.utf8.count == 2 { facts.country = country.uppercased() }
        facts.userProperties = body.userProperties
        facts.customSignals = body.customSignals
        facts.firstOpenMicroseconds = body.firstOpenTime.flatMap { Timestamp(rfc3339: $0) }?.microseconds
    }

    /// An app's id is `1:{number}:{platform}:{hash}`.
    private static func platform(of appID: String) -> String? {
        let parts = appID.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 4 && !parts[2].isEmpty ? Substring(parts[2]).lowercased() : nil
    }
}
