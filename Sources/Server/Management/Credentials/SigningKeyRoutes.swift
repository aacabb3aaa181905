import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthWire

/// `/hearth/v1/server/signingKeys`: the keys that sign tokens and links, for operators.
struct SigningKeyRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    /// The id of the keys of the former main server, after `hearth follow --promote`.
    private static let formerID = "former"

    private var secret: ServerSecret { context.services.secret }

    var routes: [CallRoute] {
        [
            context.on(SigningKeyCalls.list) { (_: NowCall<Principal>) in list() },
            context.on(SigningKeyCalls.rotate) { try rotate($0) },
            context.on(SigningKeyCalls.retire) { try retire($0) },
        ]
    }

    private func list() -> SigningKeyBodies.List {
        let keys = secret.list(nowMicroseconds: context.nowMicroseconds).map(SigningKeyBodies.Key.init)
        let former = secret.formerKeysMicroseconds.map { Self.former($0) }
        return SigningKeyBodies.List(signingKeys: [former].compactMap { $0 } + keys)
    }

    private func rotate(_ call: ServerChangeCall<NoBody>) throws -> SigningKeyBodies.Key {
        let now = context.nowMicroseconds
        let (made, keys) = try call.change { store, log in
            try secret.rotate(in: store, nowMicroseconds: now) { try log.add("signingKey.create", "signingKeys/\($0)") }
        }
        try secret.accept(keys, nowMicroseconds: now)
        return try answer(made.number, now)
    }

    /// Retiring a key again is not an error.
    private func retire(_ call: ServerChangeCall<NoBody>) throws -> SigningKeyBodies.Key {
        let id = call.path["key"]
        let now = context.nowMicroseconds
        if id == Self.formerID, let written = secret.formerKeysMicroseconds {
            try call.change { _, log in
                try log.add("signingKey.retire", "signingKeys/\(Self.formerID)")
            }
            try secret.retireFormerKeys()
            return Self.former(written, retiredMicroseconds: now)
        }
        guard let number = Int(id), String(number) == id else {
            throw APIError(.notFound, "There is no signing key '\(id)'.")
        }
        let (keys, isChanged) = try call.change { store, log in
            try secret.retire(number, in: store, nowMicroseconds: now) {
                try log.add("signingKey.retire", "signingKeys/\(number)")
            }
        }
        try secret.accept(keys, nowMicroseconds: now)
        return try answer(number, now, isUnchanged: !isChanged)
    }

    private static func former(_ written: Int64, retiredMicroseconds: Int64? = nil) -> SigningKeyBodies.Key {
        SigningKeyBodies.Key(
            id: formerID, createTime: WireTime.text(written),
            state: (retiredMicroseconds == nil ? ServerSecret.Listed.State.valid : .retired).rawValue,
            signsFromTime: nil, retireTime: retiredMicroseconds.map { WireTime.text($0) })
    }

    private func answer(_ number: Int, _ now: Int64, isUnchanged: Bool = false) throws -> SigningKeyBodies.Key {
        guard let key = secret.list(nowMicroseconds: now).first(where: { $0.number == number }) else {
            throw APIError(.internal, "The signing key \(number) is not there.")
        }
        var body = SigningKeyBodies.Key(key)
        if isUnchanged { body.unchanged = true }
        return body
    }
}

extension SigningKeyBodies.Key {
    fileprivate init(_ key: ServerSecret.Listed) {
        self.init(
            id: String(key.number), createTime: WireTime.text(key.createdMicroseconds), state: key.state.rawValue,
            signsFromTime: key.signsFromMicroseconds.map { WireTime.text($0) },
            retireTime: key.retiredMicroseconds.map { WireTime.text($0) })
    }
}
