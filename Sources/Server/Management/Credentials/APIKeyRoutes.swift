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
            CallRoute(APIKeyCalls.list) { head, path in
                context.lookUp(head) { try list(owner(head, path)) }
            },
            CallRoute(APIKeyCalls.create) { head, path in
                context.queuedWrite(head, check: { try owner(head, path) }) { call, _, bytes in
                    try create(
                        call, RequestJSON.decode(KeyBodies.CreateAPIKeyRequest.self, bytes, what: "a new API key"))
                }
            },
            CallRoute(APIKeyCalls.lookUp) { head, path in
                context.queuedWrite(head, check: { try owner(head, path) }) { call, _, bytes in
                    try lookUp(call, RequestJSON.decode(KeyBodies.LookUpAPIKeyRequest.self, bytes, what: "a look-up"))
                }
            },
            CallRoute(APIKeyCalls.update) { head, path in
                context.queuedWrite(head, check: { try owner(head, path) }) { call, _, bytes in
                    try update(
                        call, path["key"],
                        RequestJSON.decode(KeyBodies.UpdateAPIKeyRequest.self, bytes, what: "a change of an API key"))
                }
            },
            CallRoute(APIKeyCalls.rotate) { head, path in
                context.queuedWrite(head, check: { try owner(head, path) }) { call, _, bytes in
                    try rotate(
                        call, path["key"],
                        RequestJSON.decode(KeyBodies.RotateRequest.self, bytes, what: "a rotation", isOptional: true))
                }
            },
            CallRoute(APIKeyCalls.revoke) { head, path in
                context.queuedWrite(head, check: { try owner(head, path) }) { call, _, _ in
                    try end(call, path["key"])
                }
            },
        ]
    }

    private func owner(_ head: RequestHead, _ path: RouteParameters) throws -> AdminCall {
        try context.adminCall(head, project: path["project"], atLeast: .owner)
    }

    private func keys(_ call: AdminCall, _ store: any MetadataReader) throws -> [APIKey] {
        try store.apiKeys().filter { $0.projectID == call.project.id }
    }

    private func list(_ call: AdminCall) throws -> Response {
        let found = try context.services.metadata.read { try keys(call, $0) }.map { KeyBodies.APIKey($0) }
        return try context.json(KeyBodies.APIKeyList(apiKeys: found.isEmpty ? nil : found))
    }

    /// Returns the record of the key that the caller holds.
    private func lookUp(_ call: AdminCall, _ body: KeyBodies.LookUpAPIKeyRequest) throws -> Response {
        let record = try context.found { snapshot in
            guard let key = snapshot.projects[call.project.id]?.apiKey(body.key) else {
                throw APIError(.notFound, "This project has no such API key.")
            }
            return key.record
        }
        return try context.json(KeyBodies.APIKey(record))
    }

    private func create(_ call: AdminCall, _ body: KeyBodies.CreateAPIKeyRequest) throws -> Response {
        let platform = body.platform ?? "ios"
        guard KeyRules.platforms.contains(platform) else {
            throw APIError(.invalidArgument, "The platform must be ios, android or web.")
        }
        try KeyRules.checkName(body.name)
        try KeyRules.checkBundleIDs(body.bundleIds ?? [])
        let made = try context.change(by: call.principal, in: call.project.id) { store, log in
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

    private func update(_ call: AdminCall, _ id: String, _ body: KeyBodies.UpdateAPIKeyRequest) throws -> Response {
        if let name = body.name { try KeyRules.checkName(name) }
        if let ids = body.bundleIds { try KeyRules.checkBundleIDs(ids) }
        let updated = try context.change(by: call.principal, in: call.project.id) { store, log in
            var key = try key(id, call, store)
            try KeyRules.checkChange(of: key)
            key.name = body.name ?? key.name
            key.bundleIDs = body.bundleIds ?? key.bundleIDs
            try store.update(key)
            try log.add("apiKey.update", "apiKeys/\(id)", "\(key.name), \(key.bundleIDs.joined(separator: " "))")
            return key
        }
        return try context.json(KeyBodies.APIKey(updated))
    }

    private func rotate(_ call: AdminCall, _ id: String, _ body: KeyBodies.RotateRequest) throws -> Response {
        let now = context.nowMicroseconds
        let end = try KeyRules.end(
            afterSeconds: body.graceSeconds ?? KeyRules.defaultGraceSeconds, nowMicroseconds: now, atLeast: 0)
        let made = try context.change(by: call.principal, in: call.project.id) { store, log in
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
    private func end(_ call: AdminCall, _ id: String) throws -> Response {
        let now = context.nowMicroseconds
        let ended = try context.change(by: call.principal, in: call.project.id) { store, log in
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
        return try context.json(ended)
    }

    private func key(_ id: String, _ call: AdminCall, _ store: any MetadataReader) throws -> APIKey {
        guard let key = try store.apiKey(id: id, project: call.project.id) else {
            throw APIError(.notFound, "There is no API key '\(id)' in this project.")
        }
        return key
    }
}
