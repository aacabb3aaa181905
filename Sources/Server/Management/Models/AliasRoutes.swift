import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Lists, moves and removes the aliases of a model's versions.
///
/// An alias gives nothing to a device. So it stays where it is when its version is released, stopped, or turns out to be
/// malformed later: the calls that give versions to devices check each version themselves.
struct AliasRoutes {
    private let context: RouteContext

    private let verdicts: VerdictWait

    init(_ context: RouteContext, _ verdicts: VerdictWait) {
        self.context = context
        self.verdicts = verdicts
    }

    var routes: [CallRoute] {
        [
            context.on(AliasCalls.list) { try list($0) },
            context.onPending(AliasCalls.put) { try put($0) },
            context.on(AliasCalls.delete) { try remove($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> AliasBodies.List {
        let target = try ModelPath(call)
        let found = try call.read { try $0.aliases(model: target.model($0).id) }
        return AliasBodies.List(aliases: found.isEmpty ? nil : found.map(Self.body))
    }

    /// Waits for the verdict if the version is still being validated.
    private func put(_ call: ChangeCall<AliasBodies.PutRequest>) throws -> PendingAnswer<AliasBodies.Alias> {
        let name = call.path["alias"]
        guard WireNames.isVersionAlias(name) else {
            let text = "An alias has 1 to 32 small letters, digits and hyphens, of which the first is a letter."
            throw APIError.invalid("alias", text, message: text)
        }
        let body = try call.body("a request for an alias")
        let target = try ModelPath(call)
        let wanted = try call.read {
            try ModelPath.version(body.version, of: target.model($0), $0)
        }
        let answer = { @Sendable () throws in try move(name, to: body.version, of: target, call) }
        guard wanted.validation.verdict == .pending else { return .ready(try answer()) }
        return .later(verdicts.wait(for: wanted.version.sha256), then: answer)
    }

    private func move(
        _ name: String, to version: Int, of target: ModelPath, _ call: ChangeCall<AliasBodies.PutRequest>
    ) throws -> AliasBodies.Alias {
        try call.change { store, log in
            let model = try target.model(store)
            try Self.check(ModelPath.version(version, of: model, store))
            let present = try store.aliases(model: model.id)
            let before = present.first { $0.name == name }
            if let before, before.version == version {
                var body = Self.body(before)
                body.unchanged = true
                return body
            }
            guard before != nil || present.count < VersionAlias.limit else {
                throw CatalogError(
                    .failedPrecondition, "A model may have at most \(VersionAlias.limit) aliases; remove one first.")
            }
            let alias = VersionAlias(
                modelID: model.id, name: name, version: version, movedMicroseconds: log.atMicroseconds,
                movedBy: call.actor)
            try store.put(alias)
            let past = before.map { ", was version \($0.version)" } ?? ""
            try log.add("version.alias", "models/\(model.id)", "\(name): version \(version)\(past)")
            var body = Self.body(alias)
            body.previousVersion = before?.version
            return body
        }
    }

    private static func check(_ known: ModelLifecycle.KnownVersion) throws {
        let number = known.version.number
        switch known.validation.verdict {
        case .ok, .unsupported: break
        case .pending:
            throw CatalogError(
                .failedPrecondition, "Version \(number) is still being validated; try again when there is a verdict.")
        case .malformed(let reason):
            throw CatalogError(.failedPrecondition, "Version \(number) is malformed and gets no alias: \(reason)")
        }
    }

    private func remove(_ call: ChangeCall<NoBody>) throws -> AliasBodies.Alias {
        let target = try ModelPath(call)
        let removed = try call.change { store, log in
            let model = try target.model(store)
            let alias = try ModelPath.alias(call.path["alias"], of: model, store)
            try store.delete(alias)
            try log.add("version.unalias", "models/\(model.id)", "\(alias.name), was version \(alias.version)")
            return alias
        }
        return Self.body(removed)
    }

    private static func body(_ alias: VersionAlias) -> AliasBodies.Alias {
        AliasBodies.Alias(
            alias: alias.name, version: alias.version, updateTime: WireTime.text(alias.movedMicroseconds),
            updatedBy: alias.movedBy)
    }
}
