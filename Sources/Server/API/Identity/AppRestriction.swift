import HearthHTTP
import HearthWire

/// Whether an API key may be used by the app that the caller says it is. Apps can lie about that: it keeps a key out of
/// other apps by honest mistake only.
enum AppRestriction {
    /// Nil where a key with these bundle ids may be used.
    static func refusal(of head: RequestHead, allowing bundleIDs: [String]) -> APIError? {
        guard !bundleIDs.isEmpty else { return nil }
        let android = head.headers["X-Android-Package"]
        let shown = head.headers["x-ios-bundle-identifier"] ?? android
        if let shown, bundleIDs.contains(shown) { return nil }
        let name = shown.map { String($0.prefix(128)) } ?? ""
        return APIError(
            .permissionDenied,
            "Requests from this \(android == nil ? "iOS" : "Android") client application"
                + " \(name.isEmpty ? "<empty>" : name) are blocked.")
    }
}
