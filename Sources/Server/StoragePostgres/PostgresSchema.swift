import Foundation
import HearthStorage
import HearthStorageSQL

/// The tables, and the steps that create them. A released step is never edited.
///
/// Servers of two releases run beside each other while an operator replaces them one by one. So a step leaves the database
/// usable for the program before it: it adds tables, indexes, and columns with defaults. What an older program must not
/// see goes in two steps of two releases.
enum PostgresSchema {
    struct Step {
        let sql: String
        /// The program with the fewest steps that can use the database after this step.
        let oldestProgram: Int

        /// - Parameter text: the statements, without the collation of texts. Texts are compared by their bytes, as SQLite
        ///   compares them, whatever the language of the database.
        init(_ text: String, oldestProgram: Int) {
            sql = text.replacingOccurrences(of: " TEXT", with: #" TEXT COLLATE "C""#)
            self.oldestProgram = oldestProgram
        }
    }

    static let steps: [Step] = [
        Step(records, oldestProgram: 1),
        // Which server validates a file.
        Step(
            """
            CREATE TABLE validation_claim (
                sha256 TEXT PRIMARY KEY, server TEXT NOT NULL, ends_at TIMESTAMPTZ NOT NULL
            )
            """, oldestProgram: 1),
        Step(signingKeys, oldestProgram: 1),
        Step(sharedMemory, oldestProgram: 1),
        // What is said about all of the data: that it is read-only, or not complete yet.
        Step("CREATE TABLE data_mark (name TEXT PRIMARY KEY, value TEXT NOT NULL)", oldestProgram: 1),
        // The installations that registered at a follower and that its main server does not know yet.
        Step(
            """
            CREATE TABLE unsent_installation (
                project TEXT NOT NULL, fid TEXT NOT NULL, PRIMARY KEY (project, fid),
                FOREIGN KEY (project, fid) REFERENCES installation(project, fid) ON DELETE CASCADE
            )
            """, oldestProgram: 1),
        Step(servingMarks, oldestProgram: 1),
    ]

    /// One of the keys of the locks that programs agree on; the same in all releases.
    private static let lockKey: Int64 = 0x4845_4152_5448_0001

    /// Brings the database up to date, in one transaction, of which only one server runs at a time.
    ///
    /// - Throws: `.newer` if this program cannot use the database any more.
    static func migrate(_ connection: PostgresConnection) throws(StorageError) {
        try connection.begin("BEGIN")
        do throws(StorageError) {
            try connection.execute("SET LOCAL lock_timeout = '60s'; SET LOCAL statement_timeout = '3600s'")
            try connection.execute("SELECT pg_advisory_xact_lock(\(lockKey))")
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS hearth_schema (
                    step BIGINT PRIMARY KEY, oldest_program BIGINT NOT NULL,
                    taken_at TIMESTAMPTZ NOT NULL DEFAULT now())
                """)
            let taken = try state(connection).steps
            for (index, step) in steps.enumerated().dropFirst(taken) {
                try connection.execute(step.sql)
                try connection.run(
                    "INSERT INTO hearth_schema (step, oldest_program) VALUES (?, ?)",
                    [.integer(Int64(index + 1)), .integer(Int64(step.oldestProgram))])
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
        try checkIsKnown(connection)
    }

    /// - Throws: `.newer` if this program cannot use the database any more.
    static func checkIsKnown(_ connection: PostgresConnection) throws(StorageError) {
        let state = try state(connection)
        guard state.oldestProgram <= steps.count else {
            throw StorageError(
                .newer,
                """
                The database was upgraded by a newer Hearth: it has schema \(state.steps), and this one knows up to \
                \(steps.count). Install that version or a newer one
                """)
        }
    }

    /// Whether no program has made tables in the database yet.
    static func isAbsent(_ connection: PostgresConnection) throws(StorageError) -> Bool {
        guard try connection.integer("SELECT to_regclass('hearth_schema') IS NOT NULL") == 1 else { return true }
        return try state(connection).steps == 0
    }

    /// Changes nothing.
    ///
    /// - Throws: `.older` unless the database has taken all steps, `.newer` if this program cannot use it any more.
    static func checkIsCurrent(_ connection: PostgresConnection, _ place: String) throws(StorageError) {
        guard try !isAbsent(connection) else {
            throw StorageError(
                .older, "\(place) has no tables of a Hearth server. Correct the address of the database.")
        }
        let taken = try state(connection).steps
        guard taken >= steps.count else {
            throw StorageError(
                .older,
                """
                \(place) was made by an earlier Hearth: it has schema \(taken), and this program needs \(steps.count). \
                Nothing was changed. Start a server of this version over it first, which brings it up to date, or use the \
                `hearth` of the version of its servers.
                """)
        }
        try checkIsKnown(connection)
    }

    /// The steps that the database has taken, and the program with the fewest steps that can use it.
    static func state(
        _ connection: PostgresConnection
    ) throws(StorageError) -> (steps: Int, oldestProgram: Int) {
        let row = try connection.row(
            "SELECT coalesce(max(step), 0) AS step, coalesce(max(oldest_program), 0) AS oldest_program FROM hearth_schema"
        ) { row in (steps: row.int(.step), oldestProgram: row.int(.oldest_program)) }
        return row ?? (0, 0)
    }

    /// The records, as the tables of SQLite have them after its nineteenth step.
    private static let records = """
        CREATE TABLE folder (id TEXT NOT NULL);
        INSERT INTO folder VALUES (replace(CAST(gen_random_uuid() AS VARCHAR), '-', ''));
        -- Grows with every change of what a serving snapshot contains.
        CREATE TABLE serving (revision BIGINT NOT NULL);
        INSERT INTO serving VALUES (1);
        CREATE TABLE counter (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
        INSERT INTO counter VALUES ('model', 1000000);

        CREATE TABLE project (id TEXT PRIMARY KEY, number BIGINT NOT NULL UNIQUE, created_us BIGINT NOT NULL);
        CREATE TABLE account (
            email TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), role TEXT NOT NULL,
            is_operator BIGINT NOT NULL, created_us BIGINT NOT NULL
        );
        CREATE TABLE account_key (
            id TEXT PRIMARY KEY, email TEXT NOT NULL REFERENCES account(email), client_id TEXT NOT NULL UNIQUE,
            public_key_pem TEXT NOT NULL, client_secret_hash TEXT NOT NULL, created_us BIGINT NOT NULL, ends_us BIGINT,
            has_ended BIGINT NOT NULL
        );
        CREATE TABLE api_key (
            id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), name TEXT NOT NULL,
            app_id TEXT NOT NULL, bundle_ids TEXT NOT NULL, secret_hash TEXT NOT NULL UNIQUE,
            created_us BIGINT NOT NULL, ends_us BIGINT, has_ended BIGINT NOT NULL
        );
        CREATE TABLE admin_token (
            id TEXT PRIMARY KEY, project TEXT REFERENCES project(id), name TEXT NOT NULL, role TEXT NOT NULL,
            secret_hash TEXT NOT NULL, created_us BIGINT NOT NULL, created_by TEXT NOT NULL, ends_us BIGINT,
            has_ended BIGINT NOT NULL
        );
        CREATE TABLE installation (
            project TEXT NOT NULL REFERENCES project(id), fid TEXT NOT NULL, app_id TEXT NOT NULL,
            created_us BIGINT NOT NULL, PRIMARY KEY (project, fid)
        );
        -- To count ten million rows takes long. Several rows a project, so that servers do not wait for each other.
        CREATE TABLE installation_count (
            project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, slot BIGINT NOT NULL, count BIGINT NOT NULL,
            PRIMARY KEY (project, slot)
        );

        CREATE TABLE model (
            id BIGINT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), display_name TEXT NOT NULL,
            tags TEXT NOT NULL, newest_version BIGINT, is_published BIGINT NOT NULL, released_version BIGINT,
            publish_when_validated BIGINT, contract_check TEXT NOT NULL, rehearsal_gate TEXT,
            rehearsal_check TEXT NOT NULL, revision BIGINT NOT NULL, created_us BIGINT NOT NULL,
            updated_us BIGINT NOT NULL, UNIQUE (project, display_name)
        );
        CREATE TABLE version (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, number BIGINT NOT NULL,
            sha256 TEXT NOT NULL, size_bytes BIGINT NOT NULL, source_uri TEXT NOT NULL, created_us BIGINT NOT NULL,
            created_by TEXT NOT NULL, note TEXT, PRIMARY KEY (model, number)
        );
        CREATE INDEX version_by_hash ON version (sha256);
        CREATE TABLE version_alias (
            model BIGINT NOT NULL, name TEXT NOT NULL, version BIGINT NOT NULL, moved_us BIGINT NOT NULL,
            moved_by TEXT NOT NULL, PRIMARY KEY (model, name),
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE
        );
        CREATE TABLE release (
            model BIGINT NOT NULL, number BIGINT NOT NULL, version BIGINT NOT NULL, kind TEXT NOT NULL,
            share BIGINT NOT NULL, stages TEXT NOT NULL, audience TEXT NOT NULL, paused_us BIGINT, ended_us BIGINT,
            guarding TEXT, created_us BIGINT NOT NULL, created_by TEXT NOT NULL, PRIMARY KEY (model, number),
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE
        );
        CREATE INDEX release_served ON release (model) WHERE ended_us IS NULL;
        CREATE TABLE rollout_watch (
            model BIGINT NOT NULL, release BIGINT NOT NULL, tests TEXT NOT NULL, devices BYTEA NOT NULL,
            outside BYTEA NOT NULL, PRIMARY KEY (model, release),
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE
        );
        CREATE TABLE rehearsal_image (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, name TEXT NOT NULL, sha256 TEXT NOT NULL,
            size_bytes BIGINT NOT NULL, label TEXT, created_us BIGINT NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (model, name)
        );
        CREATE INDEX rehearsal_image_by_hash ON rehearsal_image (sha256);
        CREATE TABLE rehearsal (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, candidate_sha256 TEXT NOT NULL,
            baseline_sha256 TEXT NOT NULL, image_set TEXT NOT NULL, candidate_version BIGINT NOT NULL,
            baseline_version BIGINT, created_us BIGINT NOT NULL, created_by TEXT NOT NULL, summary TEXT NOT NULL,
            images TEXT NOT NULL, rowid BIGINT GENERATED BY DEFAULT AS IDENTITY,
            PRIMARY KEY (model, candidate_sha256, baseline_sha256, image_set)
        );

        CREATE TABLE object (
            project TEXT NOT NULL REFERENCES project(id), bucket TEXT NOT NULL, name TEXT NOT NULL,
            sha256 TEXT NOT NULL, size_bytes BIGINT NOT NULL, crc32c BIGINT NOT NULL, content_type TEXT NOT NULL,
            created_us BIGINT NOT NULL, details TEXT NOT NULL, PRIMARY KEY (project, bucket, name)
        );
        CREATE INDEX object_by_hash ON object (sha256);
        CREATE TABLE validation (
            sha256 TEXT PRIMARY KEY, size_bytes BIGINT NOT NULL, verdict TEXT NOT NULL, verdict_message TEXT NOT NULL,
            contract TEXT, figures TEXT, requested_us BIGINT NOT NULL, finished_us BIGINT,
            is_provisional BIGINT NOT NULL
        );
        CREATE INDEX validation_pending ON validation (requested_us) WHERE verdict = 'pending';
        CREATE TABLE upload_session (
            id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), bucket TEXT NOT NULL, name TEXT NOT NULL,
            file_name TEXT NOT NULL, content_type TEXT NOT NULL, total_bytes BIGINT, crc32c BIGINT,
            created_us BIGINT NOT NULL, created_by TEXT NOT NULL, touched_us BIGINT NOT NULL,
            received_bytes BIGINT NOT NULL, sha256 TEXT, finished_us BIGINT, details TEXT NOT NULL,
            conditions TEXT NOT NULL
        );

        CREATE TABLE config_template (
            project TEXT NOT NULL REFERENCES project(id), namespace TEXT NOT NULL, number BIGINT NOT NULL,
            created_us BIGINT NOT NULL, created_by TEXT NOT NULL, description TEXT NOT NULL, origin TEXT NOT NULL,
            kind TEXT NOT NULL, rollback_source BIGINT, body TEXT NOT NULL, PRIMARY KEY (project, namespace, number)
        );
        CREATE TABLE experiment (
            project TEXT NOT NULL REFERENCES project(id), name TEXT NOT NULL, body TEXT NOT NULL,
            is_running BIGINT NOT NULL, ended_us BIGINT, created_us BIGINT NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (project, name)
        );
        CREATE INDEX experiment_ended ON experiment (project, ended_us) WHERE ended_us IS NOT NULL;
        CREATE INDEX experiment_running ON experiment (project, name) WHERE is_running = 1;
        CREATE TABLE experiment_unit (
            project TEXT NOT NULL, experiment TEXT NOT NULL, installation TEXT NOT NULL, variant BIGINT NOT NULL,
            exposed_us BIGINT NOT NULL, PRIMARY KEY (project, experiment, installation),
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        );
        CREATE TABLE experiment_total (
            project TEXT NOT NULL, experiment TEXT NOT NULL, installation TEXT NOT NULL, metric BIGINT NOT NULL,
            count BIGINT NOT NULL, sum DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (project, experiment, installation, metric),
            FOREIGN KEY (project, experiment, installation)
                REFERENCES experiment_unit(project, experiment, installation) ON DELETE CASCADE
        );
        CREATE TABLE experiment_point (
            project TEXT NOT NULL, experiment TEXT NOT NULL, at_us BIGINT NOT NULL, variants TEXT NOT NULL,
            PRIMARY KEY (project, experiment, at_us),
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        );
        CREATE TABLE event_journal (
            project TEXT NOT NULL REFERENCES project(id), installation TEXT NOT NULL, name TEXT NOT NULL,
            last BIGINT NOT NULL, touched_us BIGINT NOT NULL, PRIMARY KEY (project, installation, name)
        );
        CREATE INDEX event_journal_touched ON event_journal (touched_us);
        CREATE TABLE event_day (
            project TEXT NOT NULL REFERENCES project(id), day BIGINT NOT NULL, event TEXT NOT NULL,
            model TEXT NOT NULL, count BIGINT NOT NULL, sum DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (project, day, event, model)
        );
        CREATE TABLE health (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, version BIGINT NOT NULL,
            minutes BIGINT NOT NULL, start BIGINT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (model, version, minutes, start)
        );
        -- Shifts are the second operands of >>, which takes no larger type.
        CREATE TABLE adoption_sample (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, version BIGINT NOT NULL,
            shift INTEGER NOT NULL, earlier_shift INTEGER NOT NULL, changed_day BIGINT NOT NULL,
            row_count BIGINT NOT NULL, cleaned_day BIGINT NOT NULL, PRIMARY KEY (model, version)
        );
        CREATE TABLE adoption (
            model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE, installation BIGINT NOT NULL,
            version BIGINT NOT NULL, system TEXT NOT NULL, app_version TEXT NOT NULL, day BIGINT NOT NULL,
            PRIMARY KEY (model, installation)
        );
        CREATE TABLE pin (
            project TEXT NOT NULL REFERENCES project(id), kind TEXT NOT NULL, device TEXT NOT NULL, model BIGINT,
            version BIGINT, experiment TEXT, variant TEXT, created_us BIGINT NOT NULL, created_by TEXT NOT NULL,
            rowid BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE,
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        );
        CREATE UNIQUE INDEX pin_of_model ON pin (project, kind, device, model) WHERE model IS NOT NULL;
        CREATE UNIQUE INDEX pin_of_experiment ON pin (project, kind, device, experiment) WHERE experiment IS NOT NULL;

        CREATE TABLE audit (
            id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, project TEXT NOT NULL, actor TEXT NOT NULL,
            action TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL, at_us BIGINT NOT NULL
        );
        CREATE INDEX audit_by_project ON audit (project, id);
        CREATE INDEX audit_by_subject ON audit (project, subject, id);
        CREATE INDEX audit_of_stops ON audit (project, at_us)
            WHERE action IN ('release.end', 'release.rollback', 'model.unpublish');
        CREATE TABLE console_session (
            id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, account_key TEXT, admin_token TEXT,
            is_read_only BIGINT NOT NULL, created_us BIGINT NOT NULL, used_us BIGINT NOT NULL,
            ends_us BIGINT NOT NULL, address TEXT NOT NULL, browser TEXT NOT NULL
        );
        CREATE TABLE sign_in_code (
            secret_hash TEXT PRIMARY KEY, account_key TEXT, admin_token TEXT, is_read_only BIGINT NOT NULL,
            ends_us BIGINT NOT NULL
        );
        CREATE TABLE shared_link (
            id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL,
            project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, model BIGINT, release BIGINT,
            experiment TEXT, created_by TEXT NOT NULL, created_us BIGINT NOT NULL, ends_us BIGINT NOT NULL,
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE,
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        );
        """

    /// The keys that sign tokens and links.
    private static let signingKeys = """
        CREATE TABLE signing_key (
            number BIGINT PRIMARY KEY, secret BYTEA NOT NULL, installation_hash_key BYTEA NOT NULL,
            created_us BIGINT NOT NULL, retired_us BIGINT
        );
        """

    /// Each change of what is served leaves a random mark, so that a database that went back can be told from one that went
    /// on. A trigger draws it, because the program before only raises the number. A server that missed more than the last 10,000
    /// changes takes the database for another one.
    private static let servingMarks = """
        ALTER TABLE serving ADD COLUMN mark TEXT NOT NULL DEFAULT '';
        CREATE TABLE serving_mark (mark TEXT PRIMARY KEY, revision BIGINT NOT NULL);
        CREATE INDEX serving_mark_by_revision ON serving_mark (revision);
        CREATE FUNCTION mark_serving() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
            NEW.mark := replace(CAST(gen_random_uuid() AS VARCHAR), '-', '');
            DELETE FROM serving_mark WHERE revision >= NEW.revision OR revision <= NEW.revision - 10000;
            INSERT INTO serving_mark (mark, revision) VALUES (NEW.mark, NEW.revision);
            RETURN NEW;
        END
        $$;
        CREATE TRIGGER serving_marked BEFORE UPDATE ON serving FOR EACH ROW EXECUTE FUNCTION mark_serving();
        UPDATE serving SET revision = revision;
        """

    /// What servers tell each other: pieces of what they saw of devices, and what pages of the console keep.
    private static let sharedMemory = """
        CREATE TABLE rollout_sighting (
            id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, model BIGINT NOT NULL, release BIGINT NOT NULL,
            observations BYTEA NOT NULL,
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE
        );
        CREATE INDEX rollout_sighting_by_release ON rollout_sighting (model, release);
        CREATE TABLE console_value (
            session TEXT NOT NULL REFERENCES console_session(id) ON DELETE CASCADE, name TEXT NOT NULL,
            value TEXT NOT NULL, used_us BIGINT NOT NULL, PRIMARY KEY (session, name)
        );
        CREATE TABLE recent_call (
            project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, model TEXT NOT NULL,
            installation TEXT NOT NULL, facts TEXT NOT NULL, at_us BIGINT NOT NULL,
            PRIMARY KEY (project, model, installation)
        );
        CREATE INDEX recent_call_by_time ON recent_call (at_us);
        CREATE TABLE open_rehearsal (
            id TEXT NOT NULL, server TEXT NOT NULL, model BIGINT NOT NULL REFERENCES model(id) ON DELETE CASCADE,
            body TEXT NOT NULL, touched_us BIGINT NOT NULL, PRIMARY KEY (id, server)
        );
        CREATE INDEX open_rehearsal_by_model ON open_rehearsal (model);
        """
}
