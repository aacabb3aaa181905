import HearthCatalog
import HearthHTTP
import HearthTargeting
import HearthWire

/// What a device says about itself when it asks for a model: `x-hearth-app-version`, `x-hearth-os`,
/// `x-hearth-language`, `x-hearth-country`, `x-hearth-tags`.
///
/// Each header may be missing or false. They decide only which release the device gets. A malformed value counts as
/// missing.
package struct DeviceHeaders {
    private let head: RequestHead
    private let countryHeader: String?

    static let languageLimit = 16

    /// - Parameter countryHeader: the header field in which a trusted proxy says the client's country, from the settings.
    init(_ head: RequestHead, countryHeader: String?) {
        self.head = head
        self.countryHeader = countryHeader
    }

    /// The facts that the conditions of these releases need.
    func facts(installationID: String, appID: String, for releases: [TargetedRelease]) -> DeviceFacts {
        var facts = DeviceFacts(installationID: installationID, appID: appID)
        if releases.contains(where: { $0.served.release.pausedMicroseconds != nil }) { facts.knownHash = knownHash }
        if releases.contains(where: { !$0.served.release.audience.isEverybody }) { fill(to: &facts) }
        return facts
    }

    /// Fills in all facts that the headers state.
    func fill(to facts: inout DeviceFacts) {
        facts.appVersion = word(WireHeader.appVersion, limit: 64)
        facts.operatingSystem = operatingSystem
        facts.languages = languages
        facts.country = country
        facts.tags = tags
    }

    private func word(_ name: String, limit: Int) -> String? {
        guard let text = head.headers[name]?.filter({ $0 != " " }), (1...limit).contains(text.utf8.count) else {
            return nil
        }
        return text
    }

    /// The device's own name for its operating system, in lower case.
    var namedOperatingSystem: String? { word(WireHeader.operatingSystem, limit: 32)?.lowercased() }

    private var operatingSystem: String? { namedOperatingSystem ?? Self.systemOfApp(head.headers) }

    /// The system of clients that send no `x-hearth-os`, as those of other makers: the header that names their app shows
    /// it.
    static func systemOfApp(_ headers: HTTPHeaders) -> String? {
        if headers.contains("X-Android-Package") { return "android" }
        return headers.contains(WireHeader.bundleID) ? "ios" : nil
    }

    private var languages: [String] {
        if let language = word(WireHeader.language, limit: 35) { return [language] }
        return Self.acceptedLanguages(head.headers["Accept-Language"] ?? "")
    }

    /// The most wanted language first (RFC 9110, 12.5.4).
    static func acceptedLanguages(_ header: String) -> [String] {
        let items = header.split(separator: ",").prefix(languageLimit).compactMap { item -> (String, Double)? in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first, (1...35).contains(tag.utf8.count), tag != "*" else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return weight > 0 ? (tag, weight) : nil
        }
        // Stable: of equal weights, the first one stays first.
        return items.enumerated().sorted { left, right in
            left.element.1 == right.element.1 ? left.offset < right.offset : left.element.1 > right.element.1
        }.map(\.element.0)
    }

    /// From the device's header, otherwise from a trusted proxy.
    private var country: String? {
        let code = head.headers[WireHeader.country]?.filter { $0 != " " }.uppercased()
        if let code, code.utf8.count == 2, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) { return code }
        return ProxyCountry.of(head, countryHeader)
    }

    var tags: [String] {
        let items = (head.headers[WireHeader.tags] ?? "").split(separator: ",").prefix(DeviceFacts.tagLimit)
        return items.map { String($0.filter { $0 != " " }) }.filter(WireNames.isDisplayName)
    }

    /// The first hash that an `If-None-Match` names.
    var knownHash: String? { head.headers["If-None-Match"].flatMap(EntityTags.first).map(String.init) }
}

/// The country of a client, as the proxy in front of the server knows it.
enum ProxyCountry {
    /// Two capital letters (ISO 3166-1). Nil when `name` is nil, the peer is not a trusted proxy, or the value is not a
    /// country.
    ///
    /// - Parameter name: of the header field, from the settings.
    static func of(_ head: RequestHead, _ name: String?) -> String? {
        guard let name, head.forwarded != nil else { return nil }
        // A client may have sent the field too; the last value is from the nearest proxy.
        guard let value = head.headers.values(name).last?.uppercased() else { return nil }
        let isCountry = value.utf8.count == 2 && value.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return isCountry && !unknown.contains(value) ? value : nil
    }

    /// What proxies send when they do not know the country.
    private static let unknown: Set<String> = ["XX", "ZZ"]
}
