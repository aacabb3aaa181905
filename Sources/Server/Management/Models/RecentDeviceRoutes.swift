import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthTargeting
import HearthWire

/// The installations whose last calls for a model the server remembers
/// (`/hearth/v1/projects/{project}/models/{model}/recentDevices`), to find one and ask what it gets.
struct RecentDeviceRoutes {
    private let context: RouteContext

    private let calls: RecentCalls

    init(_ context: RouteContext, _ calls: RecentCalls) {
        self.context = context
        self.calls = calls
    }

    private static let usualSize = 100
    private static let largestSize = 1000

    var routes: [CallRoute] {
        [
            context.on(ModelCalls.recentDevices) { try list($0) }
        ]
    }

    private func list(_ call: ReadCall) throws -> DeviceBodies.RecentList {
        let size = try call.query.number("pageSize", 1...Self.largestSize) ?? Self.usualSize
        let filter = try Filter(call.query)
        let target = try ModelPath(call)
        let (model, versions) = try call.read { store in
            let model = try target.model(store)
            return (model, try store.versions(model: model.id))
        }
        let numbers = Dictionary(versions.map { ($0.sha256, $0.number) }) { first, _ in first }
        let found = try calls.calls(project: call.project.id, model: model.displayName)
            .map { (call: $0, version: $0.facts.knownHash.flatMap { numbers[$0] }) }
            .filter { filter.takes($0.call.facts, version: $0.version) }
            .sorted { left, right in
                (left.call.atMicroseconds, left.call.facts.installationID)
                    > (right.call.atMicroseconds, right.call.facts.installationID)
            }
        let shown = found.prefix(size).map { Self.device($0.call, version: $0.version) }
        return DeviceBodies.RecentList(devices: shown.isEmpty ? nil : shown, totalSize: found.count)
    }

    private static func device(_ call: DownloadMemory.Call, version: Int?) -> DeviceBodies.Recent {
        let facts = call.facts
        // A client that knows the id can register as that installation.
        var device = DeviceBodies.Recent(
            installation: InstallationLogName(id: facts.installationID).description,
            lastCallTime: WireTime.text(call.atMicroseconds))
        device.version = version
        device.os = facts.operatingSystem
        device.appVersion = facts.appVersion
        device.language = facts.languages.first
        device.country = facts.country
        device.tags = facts.tags.isEmpty ? nil : facts.tags
        return device
    }

    /// Which of them a caller wants.
    private struct Filter {
        private let version: Int?
        private let os: String?
        private let appVersion: String?
        private let language: String?
        private let country: String?
        private let tag: String?

        init(_ query: QueryItems) throws(APIError) {
            func text(_ name: String) -> String? { query.first(name).flatMap { $0.isEmpty ? nil : $0.lowercased() } }
            version = try query.number("version", 1...Int.max)
            os = text("os")
            appVersion = text("appVersion")
            language = text("language")
            country = text("country")
            tag = query.first("tag").flatMap { $0.isEmpty ? nil : $0 }
        }

        func takes(_ facts: DeviceFacts, version known: Int?) -> Bool {
            (version == nil || version == known)
                && (os == nil || os == facts.operatingSystem?.lowercased())
                && (appVersion == nil || appVersion == facts.appVersion?.lowercased())
                && (language == nil || language == facts.languages.first?.lowercased())
                && (country == nil || country == facts.country?.lowercased())
                && (tag.map { facts.tags.contains($0) } ?? true)
        }
    }
}

extension QueryItems {
    /// The whole number of that name; nil if there is none.
    ///
    /// - Throws: 400 for any other text.
    fileprivate func number(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = first(name), !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
            let problem = "This must be a whole number, \(range.lowerBound)\(most.isEmpty ? " or more" : most)."
            throw .invalid(name, problem, message: "\(name): \(problem)")
        }
        return number
    }
}
