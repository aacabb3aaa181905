import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// The tables of keys.
enum KeyTables {
    /// - Parameter width: of the terminal; nil shows all, as for a file. The same holds for the other tables.
    static func apiKeys(_ keys: [KeyBodies.APIKey], width: Int? = nil, now: Timestamp = .now) -> String {
        var table = TextTable([
            "ID", .text("NAME", isTruncatable: true), .text("APP", dropOrder: 2),
            .text("FOR", dropOrder: 1, isTruncatable: true),
            .text("CREATED (UTC)", dropOrder: 3), "STATE",
        ])
        for key in keys {
            table.append([
                key.id, key.name, key.appId, key.bundleIds.map { $0.joined(separator: ", ") } ?? "any app",
                TimeArgument.short(key.createTime), state(key.endTime, hasEnded: key.ended == true, now: now),
            ])
        }
        return text(table, width)
    }

    /// A line per key of an account.
    ///
    /// - Parameter project: the project of the accounts.
    static func accounts(
        _ accounts: [KeyBodies.ServiceAccount], project: String? = nil, width: Int? = nil, now: Timestamp = .now
    ) -> String {
        var table = TextTable([
            "ACCOUNT", .text("ROLE", dropOrder: 1), "KEY", .text("CREATED (UTC)", dropOrder: 2), "STATE",
        ])
        for account in accounts {
            let name = ServiceAccountName.short(account.email, project: project)
            let role = account.role + (account.operator == true ? ", operator" : "")
            if (account.keys ?? []).isEmpty {
                table.append([name, role, "none", TimeArgument.short(account.createTime), ""])
            }
            for key in account.keys ?? [] {
                table.append([
                    name, role, key.id, TimeArgument.short(key.createTime), state(key.endTime, now: now),
                ])
            }
        }
        return text(table, width)
    }

    /// - Parameter project: the project of the tokens; nil for tokens of the server.
    static func tokens(
        _ tokens: [KeyBodies.AdminToken], project: String? = nil, width: Int? = nil, now: Timestamp = .now
    ) -> String {
        var table = TextTable([
            "ID", .text("NAME", isTruncatable: true), "ROLE", .text("PROJECT", dropOrder: 3),
            .text("CREATED (UTC)", dropOrder: 2), .text("BY", dropOrder: 1, isTruncatable: true), "STATE",
        ])
        for token in tokens {
            table.append([
                token.id, token.name, token.role, token.projectId ?? "all", TimeArgument.short(token.createTime),
                ServiceAccountName.short(token.createdBy, project: project),
                state(token.endTime, hasEnded: token.ended == true, now: now),
            ])
        }
        return text(table, width)
    }

    /// - Parameter hasEnded: whether the server says so. The date alone is not enough.
    /// - Returns: `active`, `until 2026-12-01 09:00`, or `ended`.
    static func state(_ endTime: String?, hasEnded: Bool = false, now: Timestamp) -> String {
        guard !hasEnded else { return "ended" }
        guard let endTime else { return "active" }
        guard let end = Timestamp(rfc3339: endTime), end > now else { return "ended" }
        return "until \(TimeArgument.short(endTime))"
    }

    private static func text(_ table: TextTable, _ width: Int?) -> String {
        table.isEmpty ? "none" : table.text(width: width)
    }
}
