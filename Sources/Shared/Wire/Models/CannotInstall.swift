/// Why a device does not install a version, as it says in the header `WireHeader.cannotInstall` of its next calls:
/// words like `rejected=0123456789abcdef`, separated by commas.
package enum CannotInstall: Sendable, Hashable {
    /// The version did not work there. With the first 16 digits of its hash.
    case rejected(String)
    /// There is no room for it.
    case storage(String)

    /// The most words of a call.
    package static let limit = 9
    private static let digits = 16

    package static func rejected(hash: String) -> CannotInstall { .rejected(String(hash.prefix(digits))) }
    package static func storage(hash: String) -> CannotInstall { .storage(String(hash.prefix(digits))) }

    /// Nil for another word.
    package init?(_ word: some StringProtocol) {
        let parts = word.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == Self.digits else { return nil }
        switch parts[0] {
        case "rejected": self = .rejected(String(parts[1]))
        case "storage": self = .storage(String(parts[1]))
        default: return nil
        }
    }

    package var word: String {
        switch self {
        case .rejected(let digits): "rejected=\(digits)"
        case .storage(let digits): "storage=\(digits)"
        }
    }
}
