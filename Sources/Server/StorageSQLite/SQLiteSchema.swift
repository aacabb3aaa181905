import HearthStorage
import HearthStorageSQL

/// The tables, and the steps that create them. `user_version` counts the steps that a database has taken. A released
/// step is never edited.
enum SQLiteSchema {
    static let steps: [String] = [
        """
        CREATE TABLE project (
            id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, api_key_hash TEXT NOT NULL, app_id TEXT NOT NULL,
            created_us INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE service_account (
            email TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), client_id TEXT NOT NULL UNIQUE,
            key_id TEXT NOT NULL, public_key_pem TEXT NOT NULL, client_secret_hash TEXT NOT NULL
        ) STRICT;
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
        INSERT INTO counter VALUES ('model', 1000000);
        CREATE TABLE model (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), display_name TEXT NOT NULL,
            tags TEXT NOT NULL, newest_version INTEGER, released_version INTEGER, revision INTEGER NOT NULL,
            created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL, UNIQUE (project, display_name)
        ) STRICT;
        CREATE TABLE version (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, number INTEGER NOT NULL,
            sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, source_uri TEXT NOT NULL, verdict TEXT NOT NULL,
            verdict_message TEXT NOT NULL, contract TEXT, created_us INTEGER NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (model, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE object (
            project TEXT NOT NULL REFERENCES project(id), bucket TEXT NOT NULL, name TEXT NOT NULL,
            sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, verdict TEXT NOT NULL, verdict_message TEXT NOT NULL,
            contract TEXT, created_us INTEGER NOT NULL, PRIMARY KEY (project, bucket, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
            subject TEXT NOT NULL, detail TEXT NOT NULL, at_us INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX audit_by_project ON audit (project, id);
        """,
        // Several keys per project and account, roles, tokens, installations, releases, resumable uploads, and verdicts
        // by content in place of verdicts by version.
        """
        CREATE TABLE account (
            email TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), role TEXT NOT NULL,
            is_operator INTEGER NOT NULL, created_us INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE account_key (
            id TEXT PRIMARY KEY, email TEXT NOT NULL REFERENCES account(email), client_id TEXT NOT NULL UNIQUE,
            public_key_pem TEXT NOT NULL, client_secret_hash TEXT NOT NULL, created_us INTEGER NOT NULL, ends_us INTEGER
        ) STRICT;
        INSERT INTO account SELECT email, project, 'owner', 1, project.created_us
            FROM service_account JOIN project ON project.id = project;
        INSERT INTO account_key SELECT key_id, email, client_id, public_key_pem, client_secret_hash, created_us, NULL
            FROM service_account JOIN project ON project.id = project;
        DROP TABLE service_account;
        CREATE TABLE api_key (
            id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), name TEXT NOT NULL,
            app_id TEXT NOT NULL, bundle_ids TEXT NOT NULL, secret_hash TEXT NOT NULL UNIQUE,
            created_us INTEGER NOT NULL, ends_us INTEGER
        ) STRICT;
        INSERT INTO api_key SELECT 'first-' || number, id, 'first', app_id, '[]', api_key_hash, created_us, NULL
            FROM project;
        ALTER TABLE project DROP COLUMN api_key_hash;
        ALTER TABLE project DROP COLUMN app_id;
        CREATE TABLE admin_token (
            id TEXT PRIMARY KEY, project TEXT REFERENCES project(id), name TEXT NOT NULL, role TEXT NOT NULL,
            secret_hash TEXT NOT NULL, created_us INTEGER NOT NULL, created_by TEXT NOT NULL, ends_us INTEGER
        ) STRICT;
        CREATE TABLE installation (
            project TEXT NOT NULL REFERENCES project(id), fid TEXT NOT NULL, app_id TEXT NOT NULL,
            created_us INTEGER NOT NULL, PRIMARY KEY (project, fid)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE validation (
            sha256 TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, verdict TEXT NOT NULL, verdict_message TEXT NOT NULL,
            contract TEXT, figures TEXT, requested_us INTEGER NOT NULL, finished_us INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO validation
            SELECT sha256, size_bytes, verdict, verdict_message, contract, NULL, created_us, created_us FROM (
                SELECT sha256, size_bytes, verdict, verdict_message, contract, created_us FROM version
                UNION ALL SELECT sha256, size_bytes, verdict, verdict_message, contract, created_us FROM object
            ) ORDER BY created_us DESC;
        CREATE INDEX validation_pending ON validation (requested_us) WHERE verdict = 'pending';
        ALTER TABLE version DROP COLUMN verdict;
        ALTER TABLE version DROP COLUMN verdict_message;
        ALTER TABLE version DROP COLUMN contract;
        CREATE INDEX version_by_hash ON version (sha256);
        ALTER TABLE object DROP COLUMN verdict;
        ALTER TABLE object DROP COLUMN verdict_message;
        ALTER TABLE object DROP COLUMN contract;
        ALTER TABLE object ADD COLUMN crc32c INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE object ADD COLUMN content_type TEXT NOT NULL DEFAULT 'application/octet-stream';

        ALTER TABLE model ADD COLUMN is_published INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE model ADD COLUMN publish_when_validated INTEGER;
        ALTER TABLE model ADD COLUMN contract_check TEXT NOT NULL DEFAULT 'warn';
        UPDATE model SET is_published = 1 WHERE released_version IS NOT NULL;
        CREATE TABLE release (
            model INTEGER NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL,
            share INTEGER NOT NULL, stages TEXT NOT NULL, audience TEXT NOT NULL, paused_us INTEGER, ended_us INTEGER,
            created_us INTEGER NOT NULL, created_by TEXT NOT NULL, PRIMARY KEY (model, number),
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX release_served ON release (model) WHERE ended_us IS NULL;
        INSERT INTO release
            SELECT model.id, 1, released_version, 'publish', 1000000, '[]', '{}', NULL, NULL, updated_us, created_by
            FROM model JOIN version ON version.model = model.id AND version.number = released_version;
        CREATE TABLE upload_session (
            id TEXT PRIMARY KEY, project TEXT NOT NULL REFERENCES project(id), bucket TEXT NOT NULL, name TEXT NOT NULL,
            file_name TEXT NOT NULL, content_type TEXT NOT NULL, total_bytes INTEGER, crc32c INTEGER,
            created_us INTEGER NOT NULL, created_by TEXT NOT NULL, touched_us INTEGER NOT NULL,
            received_bytes INTEGER NOT NULL, sha256 TEXT, finished_us INTEGER
        ) STRICT, WITHOUT ROWID;
        """,
        // Verdicts that another validation may change, and a fast look-up of objects by hash.
        """
        ALTER TABLE validation ADD COLUMN is_provisional INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX object_by_hash ON object (sha256);
        """,
        // Remote Config.
        """
        CREATE TABLE config_template (
            project TEXT NOT NULL REFERENCES project(id), namespace TEXT NOT NULL, number INTEGER NOT NULL,
            body TEXT NOT NULL, created_us INTEGER NOT NULL, created_by TEXT NOT NULL, description TEXT NOT NULL,
            origin TEXT NOT NULL, kind TEXT NOT NULL, rollback_source INTEGER, PRIMARY KEY (project, namespace, number)
        ) STRICT, WITHOUT ROWID;
        """,
        // Experiments, and the events that devices report.
        """
        CREATE TABLE experiment (
            project TEXT NOT NULL REFERENCES project(id), name TEXT NOT NULL, body TEXT NOT NULL,
            is_running INTEGER NOT NULL, created_us INTEGER NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (project, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE experiment_unit (
            project TEXT NOT NULL, experiment TEXT NOT NULL, installation TEXT NOT NULL, variant INTEGER NOT NULL,
            exposed_us INTEGER NOT NULL, PRIMARY KEY (project, experiment, installation),
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE experiment_total (
            project TEXT NOT NULL, experiment TEXT NOT NULL, installation TEXT NOT NULL, metric INTEGER NOT NULL,
            count INTEGER NOT NULL, sum REAL NOT NULL, PRIMARY KEY (project, experiment, installation, metric),
            FOREIGN KEY (project, experiment, installation)
                REFERENCES experiment_unit(project, experiment, installation) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE event_journal (
            project TEXT NOT NULL REFERENCES project(id), installation TEXT NOT NULL, name TEXT NOT NULL,
            last INTEGER NOT NULL, touched_us INTEGER NOT NULL, PRIMARY KEY (project, installation, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX event_journal_touched ON event_journal (touched_us);
        CREATE TABLE event_day (
            project TEXT NOT NULL REFERENCES project(id), day INTEGER NOT NULL, event TEXT NOT NULL,
            model TEXT NOT NULL, count INTEGER NOT NULL, sum REAL NOT NULL, PRIMARY KEY (project, day, event, model)
        ) STRICT, WITHOUT ROWID;
        """,
        // A template's text as the last column, so that reading the history skips megabytes of it.
        """
        ALTER TABLE config_template RENAME TO old_template;
        CREATE TABLE config_template (
            project TEXT NOT NULL REFERENCES project(id), namespace TEXT NOT NULL, number INTEGER NOT NULL,
            created_us INTEGER NOT NULL, created_by TEXT NOT NULL, description TEXT NOT NULL, origin TEXT NOT NULL,
            kind TEXT NOT NULL, rollback_source INTEGER, body TEXT NOT NULL, PRIMARY KEY (project, namespace, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO config_template
            SELECT project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, body
            FROM old_template;
        DROP TABLE old_template;
        """,
        // The id of the data folder that the database belongs to. A file beside the model files contains the same id.
        """
        CREATE TABLE folder (id TEXT NOT NULL) STRICT;
        INSERT INTO folder VALUES (lower(hex(randomblob(16))));
        """,
        // Whether a key or token has ended, in addition to its planned time: set for those that were ended on purpose,
        // and for those whose time was over at the newest entry of the audit log.
        """
        ALTER TABLE account_key ADD COLUMN has_ended INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE api_key ADD COLUMN has_ended INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE admin_token ADD COLUMN has_ended INTEGER NOT NULL DEFAULT 0;
        UPDATE account_key SET has_ended = 1 WHERE ends_us IS NOT NULL;
        UPDATE api_key SET has_ended = 1 WHERE ends_us <= (SELECT at_us FROM audit ORDER BY id DESC LIMIT 1)
            OR id IN (SELECT substr(subject, 9) FROM audit WHERE action = 'apiKey.end');
        UPDATE admin_token SET has_ended = 1 WHERE ends_us <= (SELECT at_us FROM audit ORDER BY id DESC LIMIT 1)
            OR id IN (SELECT substr(subject, 13) FROM audit WHERE action = 'adminToken.end');
        """,
        // What uploaders say about their files, and conditions on the objects that they replace, as JSON.
        """
        ALTER TABLE object ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
        ALTER TABLE upload_session ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
        ALTER TABLE upload_session ADD COLUMN conditions TEXT NOT NULL DEFAULT '{}';
        """,
        // A template's text outside of the key's tree. When rows are part of that tree, SQLite reads whole rows,
        // megabytes each, to compare their keys, and a change took longer with each kept version.
        """
        ALTER TABLE config_template RENAME TO old_template;
        CREATE TABLE config_template (
            project TEXT NOT NULL REFERENCES project(id), namespace TEXT NOT NULL, number INTEGER NOT NULL,
            created_us INTEGER NOT NULL, created_by TEXT NOT NULL, description TEXT NOT NULL, origin TEXT NOT NULL,
            kind TEXT NOT NULL, rollback_source INTEGER, body TEXT NOT NULL, PRIMARY KEY (project, namespace, number)
        ) STRICT;
        INSERT INTO config_template
            SELECT project, namespace, number, created_us, created_by, description, origin, kind, rollback_source, body
            FROM old_template ORDER BY project, namespace, number;
        DROP TABLE old_template;
        """,
        // Rehearsals: images, results, and what a model requires. Results are large, so their text is the last column.
        """
        ALTER TABLE model ADD COLUMN rehearsal_gate TEXT;
        ALTER TABLE model ADD COLUMN rehearsal_check TEXT NOT NULL DEFAULT 'warn';
        CREATE TABLE rehearsal_image (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, name TEXT NOT NULL, sha256 TEXT NOT NULL,
            size_bytes INTEGER NOT NULL, label TEXT, created_us INTEGER NOT NULL, created_by TEXT NOT NULL,
            PRIMARY KEY (model, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX rehearsal_image_by_hash ON rehearsal_image (sha256);
        CREATE TABLE rehearsal (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, candidate_sha256 TEXT NOT NULL,
            baseline_sha256 TEXT NOT NULL, image_set TEXT NOT NULL, candidate_version INTEGER NOT NULL,
            baseline_version INTEGER, created_us INTEGER NOT NULL, created_by TEXT NOT NULL, summary TEXT NOT NULL,
            images TEXT NOT NULL, PRIMARY KEY (model, candidate_sha256, baseline_sha256, image_set)
        ) STRICT;
        """,
        // Which versions installations have, as a sample for each version.
        """
        CREATE TABLE adoption_sample (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, version INTEGER NOT NULL,
            shift INTEGER NOT NULL, earlier_shift INTEGER NOT NULL, changed_day INTEGER NOT NULL,
            row_count INTEGER NOT NULL, cleaned_day INTEGER NOT NULL, PRIMARY KEY (model, version)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE adoption (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, installation INTEGER NOT NULL,
            version INTEGER NOT NULL, system TEXT NOT NULL, app_version TEXT NOT NULL, day INTEGER NOT NULL,
            PRIMARY KEY (model, installation)
        ) STRICT, WITHOUT ROWID;
        """,
        // Versions and variants that chosen devices get: of a model, or of an experiment.
        """
        CREATE TABLE pin (
            project TEXT NOT NULL REFERENCES project(id), kind TEXT NOT NULL, device TEXT NOT NULL, model INTEGER,
            version INTEGER, experiment TEXT, variant TEXT, created_us INTEGER NOT NULL, created_by TEXT NOT NULL,
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE,
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        ) STRICT;
        CREATE UNIQUE INDEX pin_of_model ON pin (project, kind, device, model) WHERE model IS NOT NULL;
        CREATE UNIQUE INDEX pin_of_experiment ON pin (project, kind, device, experiment) WHERE experiment IS NOT NULL;
        """,
        // What devices report about versions, by periods of so many minutes that begin at a minute since 1970.
        """
        CREATE TABLE health (
            model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE, version INTEGER NOT NULL,
            minutes INTEGER NOT NULL, start INTEGER NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (model, version, minutes, start)
        ) STRICT, WITHOUT ROWID;
        """,
        // How releases are watched, and what the watches have seen.
        """
        ALTER TABLE release ADD COLUMN guarding TEXT;
        CREATE TABLE rollout_watch (
            model INTEGER NOT NULL, release INTEGER NOT NULL, tests TEXT NOT NULL, devices BLOB NOT NULL,
            outside BLOB NOT NULL, PRIMARY KEY (model, release),
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE
        ) STRICT;
        """,
        // What people wrote about a version, and names for versions.
        """
        ALTER TABLE version ADD COLUMN note TEXT;
        CREATE TABLE version_alias (
            model INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, moved_us INTEGER NOT NULL,
            moved_by TEXT NOT NULL, PRIMARY KEY (model, name),
            FOREIGN KEY (model, version) REFERENCES version(model, number) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """,
        // Who is signed in to the console, and which pages are shared by a link.
        """
        CREATE TABLE console_session (
            id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL, account_key TEXT, admin_token TEXT,
            is_read_only INTEGER NOT NULL, created_us INTEGER NOT NULL, used_us INTEGER NOT NULL,
            ends_us INTEGER NOT NULL, address TEXT NOT NULL, browser TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE sign_in_code (
            secret_hash TEXT PRIMARY KEY, account_key TEXT, admin_token TEXT, is_read_only INTEGER NOT NULL,
            ends_us INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE shared_link (
            id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL,
            project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, model INTEGER, release INTEGER,
            experiment TEXT, created_by TEXT NOT NULL, created_us INTEGER NOT NULL, ends_us INTEGER NOT NULL,
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE,
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """,
        // The history of experiments, and what the overview of a project needs: to count a million installations takes
        // long, so the project's row counts them.
        """
        CREATE TABLE experiment_point (
            project TEXT NOT NULL, experiment TEXT NOT NULL, at_us INTEGER NOT NULL, variants TEXT NOT NULL,
            PRIMARY KEY (project, experiment, at_us),
            FOREIGN KEY (project, experiment) REFERENCES experiment(project, name) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE experiment ADD COLUMN ended_us INTEGER;
        UPDATE experiment SET ended_us = json_extract(body, '$.endedMicroseconds') WHERE json_valid(body);
        CREATE INDEX experiment_ended ON experiment (project, ended_us) WHERE ended_us IS NOT NULL;
        CREATE INDEX experiment_running ON experiment (project, name) WHERE is_running = 1;
        ALTER TABLE project ADD COLUMN installations INTEGER NOT NULL DEFAULT 0;
        UPDATE project SET installations =
            (SELECT count(*) FROM installation WHERE installation.project = project.id);
        CREATE TRIGGER installation_added AFTER INSERT ON installation BEGIN
            UPDATE project SET installations = installations + 1 WHERE id = NEW.project;
        END;
        CREATE TRIGGER installation_removed AFTER DELETE ON installation BEGIN
            UPDATE project SET installations = installations - 1 WHERE id = OLD.project;
        END;
        CREATE INDEX audit_of_stops ON audit (project, at_us)
            WHERE action IN ('release.end', 'release.rollback', 'model.unpublish');
        """,
        // The log of one model, of which its pages show a part again and again.
        "CREATE INDEX audit_by_subject ON audit (project, subject, id);",
        // The keys that sign tokens and links, for servers that have them in no files.
        """
        CREATE TABLE signing_key (
            number INTEGER PRIMARY KEY, secret BLOB NOT NULL, installation_hash_key BLOB NOT NULL,
            created_us INTEGER NOT NULL, retired_us INTEGER
        ) STRICT;
        """,
        // What several servers tell each other: pieces of what they saw of devices, and what pages of the console keep.
        """
        CREATE TABLE rollout_sighting (
            id INTEGER PRIMARY KEY, model INTEGER NOT NULL, release INTEGER NOT NULL, observations BLOB NOT NULL,
            FOREIGN KEY (model, release) REFERENCES release(model, number) ON DELETE CASCADE
        ) STRICT;
        CREATE INDEX rollout_sighting_by_release ON rollout_sighting (model, release);
        CREATE TABLE console_value (
            session TEXT NOT NULL REFERENCES console_session(id) ON DELETE CASCADE, name TEXT NOT NULL,
            value TEXT NOT NULL, used_us INTEGER NOT NULL, PRIMARY KEY (session, name)
        ) STRICT;
        CREATE TABLE recent_call (
            project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, model TEXT NOT NULL,
            installation TEXT NOT NULL, facts TEXT NOT NULL, at_us INTEGER NOT NULL,
            PRIMARY KEY (project, model, installation)
        ) STRICT;
        CREATE INDEX recent_call_by_time ON recent_call (at_us);
        CREATE TABLE open_rehearsal (
            id TEXT NOT NULL, server TEXT NOT NULL, model INTEGER NOT NULL REFERENCES model(id) ON DELETE CASCADE,
            body TEXT NOT NULL, touched_us INTEGER NOT NULL, PRIMARY KEY (id, server)
        ) STRICT;
        CREATE INDEX open_rehearsal_by_model ON open_rehearsal (model);
        """,
        // What is said about all of the data: that it is read-only, or not complete yet.
        "CREATE TABLE data_mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;",
        // The installations that registered at a follower and that its main server does not know yet.
        """
        CREATE TABLE unsent_installation (
            project TEXT NOT NULL, fid TEXT NOT NULL, PRIMARY KEY (project, fid),
            FOREIGN KEY (project, fid) REFERENCES installation(project, fid) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Brings the database up to date, in one transaction.
    ///
    /// - Throws: `.newer` for a database with steps that this program does not know.
    static func migrate(_ connection: SQLiteConnection) throws(StorageError) {
        guard try stepsTaken(connection) < steps.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            // Counted again after no other process can write, because another one may have been faster.
            for index in try stepsTaken(connection)..<steps.count {
                try connection.execute("\(steps[index]) PRAGMA user_version = \(index + 1)")
            }
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// - Throws: `.newer` or `.corrupt` unless the database has taken exactly the known steps.
    static func checkIsCurrent(_ connection: SQLiteConnection) throws(StorageError) {
        let taken = try stepsTaken(connection)
        guard taken > 0 else {
            throw StorageError(.corrupt, "The database is empty, or does not belong to a Hearth server")
        }
        guard taken == steps.count else {
            throw StorageError(
                .corrupt,
                "The database has schema \(taken) of \(steps.count): start the server once, which brings it up to date")
        }
    }

    /// The id of the data folder that the database belongs to.
    static func folderID(_ connection: SQLiteConnection) throws(StorageError) -> String {
        let id = try connection.text("SELECT id FROM folder")
        guard let id, !id.isEmpty else {
            throw StorageError(.corrupt, "The database does not name its data folder")
        }
        return id
    }

    private static func stepsTaken(_ connection: SQLiteConnection) throws(StorageError) -> Int {
        let taken = Int(try connection.integer("PRAGMA user_version") ?? 0)
        guard taken >= 0 else { throw StorageError(.corrupt, "The database does not belong to a Hearth server") }
        guard taken <= steps.count else {
            throw StorageError(
                .newer,
                "The database was written by a newer Hearth: it has schema \(taken), and this one knows up to \(steps.count)"
            )
        }
        return taken
    }
}
