/// The records that a follower copies from a main server: all that answers devices, and the accounts and tokens of admins.
///
/// Rows, not typed records, so that a column that is added to a table needs a line in one place.
package struct MirrorRecords: Sendable, Codable, Equatable {
    package typealias Row = [MirrorValue]

    /// By the table's name, in the order of the tables' keys.
    package var tables: [String: [Row]]

    package init(tables: [String: [Row]] = [:]) { self.tables = tables }

    package subscript(table: MirrorTable) -> [Row] {
        get { tables[table.name] ?? [] }
        set { tables[table.name] = newValue }
    }

    /// What is wrong with its form; nil if every table is there and each row has the columns of its table.
    package var formProblem: String? {
        guard Set(tables.keys) == Set(MirrorTable.all.map(\.name)) else {
            return "it has other tables than this version of Hearth knows"
        }
        for table in MirrorTable.all {
            for row in self[table] where !table.fits(row) { return "a row of the table \(table.name) has another form" }
        }
        return self[.project].isEmpty ? "it has no project" : nil
    }
}

/// A value of a mirrored row.
package enum MirrorValue: Sendable, Hashable, Codable {
    case null
    case integer(Int64)
    case text(String)

    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .integer(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        }
    }
}

/// A table that is mirrored, with its columns. All tables are the same in both engines.
package struct MirrorTable: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let isInteger: Bool
    }

    package let name: String
    package let columns: [Column]
    /// The columns that identify a row; empty for a table whose rows are replaced together.
    package let key: [String]
    /// Which rows are mirrored; nil for all.
    package let condition: String?
    /// The order of the rows.
    package let order: String

    /// - Parameter columns: names, those of integers with `#` before.
    private init(_ name: String, key: String, _ columns: String, where condition: String? = nil, order: String? = nil) {
        self.name = name
        self.key = key.split(separator: " ").map(String.init)
        self.columns = columns.split(separator: " ").map { text in
            Column(name: text.hasPrefix("#") ? String(text.dropFirst()) : String(text), isInteger: text.hasPrefix("#"))
        }
        self.condition = condition
        self.order = order ?? self.key.joined(separator: ", ")
    }

    package func index(_ column: String) -> Int { columns.firstIndex { $0.name == column } ?? 0 }

    fileprivate func fits(_ row: MirrorRecords.Row) -> Bool {
        row.count == columns.count
            && zip(row, columns).allSatisfy { value, column in
                switch value {
                case .null: !key.contains(column.name)
                case .integer: column.isInteger
                case .text: !column.isInteger
                }
            }
    }
}

extension MirrorTable {
    package static let project = MirrorTable("project", key: "id", "id #number #created_us")
    package static let model = MirrorTable(
        "model", key: "id",
        """
        #id project display_name tags #newest_version #is_published #released_version #publish_when_validated \
        contract_check rehearsal_gate rehearsal_check #revision #created_us #updated_us
        """)
    package static let version = MirrorTable(
        "version", key: "model number",
        "#model #number sha256 #size_bytes source_uri #created_us created_by note")
    package static let release = MirrorTable(
        "release", key: "model number",
        """
        #model #number #version kind #share stages audience #paused_us #ended_us guarding #created_us created_by
        """)
    package static let experiment = MirrorTable(
        "experiment", key: "project name", "project name body #is_running #ended_us #created_us created_by")
    package static let pin = MirrorTable(
        "pin", key: "", "project kind device #model #version experiment variant #created_us created_by",
        order: "created_us, rowid")

    /// A table comes after those that it refers to.
    package static let all: [MirrorTable] = [
        project,
        MirrorTable("account", key: "email", "email project role #is_operator #created_us"),
        MirrorTable(
            "account_key", key: "id",
            "id email client_id public_key_pem client_secret_hash #created_us #ends_us #has_ended"),
        MirrorTable(
            "api_key", key: "id", "id project name app_id bundle_ids secret_hash #created_us #ends_us #has_ended"),
        MirrorTable(
            "admin_token", key: "id", "id project name role secret_hash #created_us created_by #ends_us #has_ended"),
        // The last id of a model, so that a follower that becomes a main server gives no id twice.
        MirrorTable("counter", key: "name", "name #value", where: "name = 'model'"),
        model, version,
        MirrorTable("version_alias", key: "model name", "#model name #version #moved_us moved_by"),
        MirrorTable(
            "validation", key: "sha256",
            """
            sha256 #size_bytes verdict verdict_message contract figures #requested_us #finished_us #is_provisional
            """, where: "sha256 IN (SELECT sha256 FROM version)"),
        release,
        // The active templates only: their history may have hundreds of megabytes.
        MirrorTable(
            "config_template", key: "project namespace number",
            "project namespace #number #created_us created_by description origin kind #rollback_source body",
            where: """
                number = (SELECT max(newest.number) FROM config_template newest
                WHERE newest.project = config_template.project AND newest.namespace = config_template.namespace)
                """),
        experiment, pin,
    ]
}

/// Where a list of installations continues: the last one of the page before.
package struct InstallationCursor: Sendable, Hashable, Codable {
    package var createdMicroseconds: Int64
    package var projectID: String
    package var fid: String

    package static let start = InstallationCursor(createdMicroseconds: .min, projectID: "", fid: "")

    package init(createdMicroseconds: Int64, projectID: String, fid: String) {
        self.createdMicroseconds = createdMicroseconds
        self.projectID = projectID
        self.fid = fid
    }
}
