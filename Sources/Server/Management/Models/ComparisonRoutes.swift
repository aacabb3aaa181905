import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage

/// Compares two versions of a model by what is known about their files. Runs nothing.
struct ComparisonRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    /// The most differences of an answer.
    static let differenceLimit = 100

    var routes: [CallRoute] {
        [
            context.on(VersionCalls.compare) { try compare($0) }
        ]
    }

    private func compare(_ call: ReadCall) throws -> VersionComparison {
        let target = try ModelPath(call)
        guard let other = call.query.first("with") else {
            let text = "The query needs with=VERSION, the version to compare with."
            throw APIError.invalid("with", text, message: text)
        }
        let (new, old) = try call.read { store in
            let model = try target.model(store)
            return (
                try ModelPath.version(named: call.path["version"], of: model, store),
                try ModelPath.version(named: other, of: model, store)
            )
        }
        return Self.comparison(of: new, with: old)
    }

    static func comparison(
        of new: ModelLifecycle.KnownVersion, with old: ModelLifecycle.KnownVersion
    ) -> VersionComparison {
        var affecting = ContractComparison.details(from: old, to: new)
        if old.contract == nil, new.contract == nil, old.version.sha256 != new.version.sha256 {
            // No release asks for this, and nothing is known here.
            affecting = [ContractComparison.unknown(old), ContractComparison.unknown(new)]
        }
        var others: [ContractComparison.Difference] = []
        if let old = old.contract, let new = new.contract {
            others = ContractComparison.otherDetails(from: old, to: new)
        }
        let all = affecting.map { body($0, affectsApps: true) } + others.map { body($0, affectsApps: false) }
        let omitted = all.count - differenceLimit
        return VersionComparison(
            version: .init(ReleasePresentation.version(new, [])), with: .init(ReleasePresentation.version(old, [])),
            fitsApps: affecting.isEmpty, differences: Array(all.prefix(differenceLimit)),
            omittedDifferences: omitted > 0 ? omitted : nil)
    }

    private static func body(
        _ difference: ContractComparison.Difference, affectsApps: Bool
    ) -> VersionComparison.Difference {
        VersionComparison.Difference(
            place: difference.place.rawValue, name: difference.name, before: difference.before, after: difference.after,
            text: difference.text, affectsApps: affectsApps)
    }
}
