import HearthConfiguration
import HearthHTTP
import HearthIdentity
import HearthTargeting
import HearthWire

/// What a fetch for a configuration tells of its device: the body, which existing clients fill in, and the headers of
/// Hearth's own. All of it may be made up.
enum ConfigSignals {
    static func facts(
        _ body: FetchBody, _ head: RequestHead, _ installation: InstallationTokens.Claims, _ services: Services
    ) -> DeviceFacts {
        let headers = DeviceHeaders(head, services)
        var facts = DeviceFacts(installationID: installation.fid, appID: installation.appId)
        headers.addAll(to: &facts)
        facts.appVersion = body.appVersion ?? facts.appVersion
        facts.appBuild = body.appBuild
        // A device that says nothing of its own is what its app was registered for.
        facts.operatingSystem =
            headers.namedOperatingSystem ?? platform(of: installation.appId) ?? facts.operatingSystem
        if let language = body.languageCode, !language.isEmpty { facts.languages = [language] }
        if let country = body.countryCode, country.utf8.count == 2 { facts.country = country.uppercased() }
        facts.userProperties = body.userProperties
        facts.customSignals = body.customSignals
        facts.firstOpenMicroseconds = body.firstOpenTime.flatMap { Timestamp(rfc3339: $0) }?.microseconds
        return facts
    }

    /// An app's id is `1:{number}:{platform}:{hash}`.
    private static func platform(of appID: String) -> String? {
        let parts = appID.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 4 && !parts[2].isEmpty ? Substring(parts[2]).lowercased() : nil
    }
}
