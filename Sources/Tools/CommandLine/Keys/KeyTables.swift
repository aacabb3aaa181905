import HearthArguments
import HearthLocalCommands
import HearthWire

/// Keys for people to read.
enum KeyTables {
    static func apiKeys(_ keys: [KeyBodies.APIKey], now: Timestamp = .now) -> String {
        var table = TextTable(["ID", "NAME", "APP", "FOR", "CREATED (UTC)", "STATE"])
        for key in keys {
            table.append([
                key.id, key.name, key.appId, key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app",
                Moment.short(key.createTime), state(key.endTime, hasEnded: key.ended == true, now: now),
            ])
        }
        return text(table)
    }

    /// A line per key of an account.
    static func accounts(_ accounts: [KeyBodies.ServiceAccount], now: Timestamp = .now) -> String {
        var table = TextTable(["ACCOUNT", "ROLE", "KEY", "CREATED (UTC)", "STATE"])
        for account in accounts {
            let role = account.role + (account.operator == true ? ", operator" : "")
            if (account.keys ?? []).isEmpty {
                table.append([account.email, role, "none", Moment.short(account.createTime), ""])
            }
            for key in account.keys ?? [] {
                table.append([
                    account.email, role, key.id, Moment.short(key.createTime), state(key.endTime, now: now),
                ])
            }
        }
        return text(table)
    }

    static func tokens(_ tokens: [KeyBodies.AdminToken], now: Timestamp = .now) -> String {
        var table = TextTable(["ID", "NAME", "ROLE", "PROJECT", "CREATED (UTC)", "BY", "STATE"])
        for token in tokens {
            table.append([
                token.id, token.name, token.role, token.projectId ?? "all", Moment.short(token.createTime),
                token.createdBy, state(token.endTime, hasEnded: token.ended == true, now: now),
            ])
        }
        return text(table)
    }

    /// - Parameter hasEnded: whether the server says so. The date alone does not tell.
    /// - Returns: `active`, `until 2026-12-01 09:00`, or `ended`.
    static func state(_ endTime: String?, hasEnded: Bool = false, now: Timestamp) -> String {
        guard !hasEnded else { return "ended" }
        guard let endTime else { return "active" }
        guard let end = Timestamp(rfc3339: endTime), end > now else { return "ended" }
        return "until \(Moment.short(endTime))"
    }

    private static func text(_ table: TextTable) -> String { table.isEmpty ? "none" : table.description }
}
