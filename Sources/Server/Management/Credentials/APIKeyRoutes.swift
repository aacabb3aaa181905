import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthServing
import HearthStorage
import HearthWire

/// `…/apiKeys`: the keys that are built into apps, for owners.
struct APIKeyRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            context.on(APIKeyCalls.list) { try list($0) },
            context.onResponse(APIKeyCalls.create) { try create($0) },
            context.on(APIKeyCalls.lookUp) { try lookUp($0) },
            context.on(APIKeyCalls.update) { try update($0) },
            context.onResponse(APIKeyCalls.rotate) { try rotate($0) },
            context.on(APIKeyCalls.revoke) { try end($0) },
        ]
    }

    private func keys(_ call: some LaneCall<AdminCall>, _ store: any MetadataReader) throws -> [APIKey] {
        try store.apiKeys().filter { $0.projectID == call.project.id }
    }

    private func list(_ call: ReadCall) throws -> KeyBodies.APIKeyList {
        let found = try call.read { try keys(call, $0) }.map { KeyBodies.APIKey($0) }
        return KeyBodies.APIKeyList(apiKeys: found.isEmpty ? nil : found)
    }

    /// Returns the record of the key that the caller holds.
    private func lookUp(_ call: ChangeCall<KeyBodies.LookUpAPIKeyRequest>) throws -> KeyBodies.APIKey {
        let body = try call.body("a look-up")
        let record = try context.found { snapshot in
            guard let key = snapshot.projects[call.project.id]?.apiKey(body.key) else {
                throw APIError(.notFound, "This project has no such API key.")
            }
            return key.record
        }
        return KeyBodies.APIKey(record)
    }

    private func create(_ call: ChangeCall<KeyBodies.CreateAPIKeyRequest>) throws -> Response {
        let body = try call.body("a new API key")
        let platform = body.platform ?? "ios"
        guard KeyRules.platforms.contains(platform) else {
            throw APIError(.invalidArgument, "The platform must be ios, android or web.")
        }
        try KeyRules.checkName(body.name)
        try KeyRules.checkBundleIDs(body.bundleIds ?? [])
        let made = try call.change { store, log in
            if let appID = body.appId, !(try keys(call, store).contains { $0.appID == appID }) {
                throw APIError(.invalidArgument, "No key of this project has that appId; leave it out for a new app.")
            }
            let made = NewAPIKey(
                projectID: call.project.id, name: body.name,
                appID: body.appId ?? NewAPIKey.newAppID(projectNumber: call.project.number, platform: platform),
                bundleIDs: body.bundleIds ?? [], nowMicroseconds: context.nowMicroseconds)
            try store.insert(made.record)
            try log.add("apiKey.create", "apiKeys/\(made.record.id)", "\(body.name), app \(made.record.appID)")
            return made
        }
        return try context.confidential(KeyBodies.APIKey(made.record, key: made.key))
    }

    private func update(_ call: ChangeCall<KeyBodies.UpdateAPIKeyRequest>) throws -> KeyBodies.APIKey {
        let (body, id) = (try call.body("a change of an API key"), call.path["key"])
        if let name = body.name { try KeyRules.checkName(name) }
        if let ids = body.bundleIds { try KeyRules.checkBundleIDs(ids) }
        let updated = try call.change { store, log in
            var key = try key(id, call, store)
            try KeyRules.checkChange(of: key)
            key.name = body.name ?? key.name
            key.bundleIDs = body.bundleIds ?? key.bundleIDs
            try store.update(key)
            try log.add("apiKey.update", "apiKeys/\(id)", "\(key.name), \(key.bundleIDs.joined(separator: " "))")
            return key
        }
        return KeyBodies.APIKey(updated)
    }

    private func rotate(_ call: ChangeCall<KeyBodies.RotateRequest>) throws -> Response {
        let (body, id) = (try call.body("a rotation", isOptional: true), call.path["key"])
        let now = context.nowMicroseconds
        let end = try KeyRules.end(
            afterSeconds: body.graceSeconds ?? KeyRules.defaultGraceSeconds, nowMicroseconds: now, atLeast: 0)
        let made = try call.change { store, log in
            var old = try key(id, call, store)
            try KeyRules.checkChange(of: old)
            let made = NewAPIKey(replacing: old, nowMicroseconds: now)
            old.end(atMicroseconds: end, nowMicroseconds: now)
            try store.update(old)
            try store.insert(made.record)
            try log.add("apiKey.rotate", "apiKeys/\(id)", "ends \(WireTime.text(end)), new key \(made.record.id)")
            return made
        }
        try context.clockKeeper.refreshPlannedEnds()
        return try context.confidential(KeyBodies.APIKey(made.record, key: made.key))
    }

    /// Ends the key, also during its time of grace. Ending it again is not an error.
    private func end(_ call: ChangeCall<NoBody>) throws -> KeyBodies.APIKey {
        let (id, now) = (call.path["key"], context.nowMicroseconds)
        return try call.change { store, log in
            var key = try key(id, call, store)
            guard !key.hasEnded else {
                var body = KeyBodies.APIKey(key)
                body.unchanged = true
                return body
            }
            key.end(atMicroseconds: now, nowMicroseconds: now)
            try store.update(key)
            try log.add("apiKey.end", "apiKeys/\(id)", key.name)
            return KeyBodies.APIKey(key)
        }
    }

    private func key(_ id: String, _ call: some LaneCall<AdminCall>, _ store: any MetadataReader) throws -> APIKey {
        guard let key = try store.apiKey(id: id, project: call.project.id) else {
            throw APIError(.notFound, "There is no API key '\(id)' in this project.")
        }
        return key
    }
}
