import HearthCatalog
import HearthStorage

extension SQLiteSession {
    func object(bucket: String, name: String, project: String) throws -> UploadedObject? {
        try connection.row(
            "SELECT \(Columns.object) FROM object WHERE project = ? AND bucket = ? AND name = ?",
            [.text(project), .text(bucket), .text(name)], Columns.object)
    }

    func objects(project: String) throws -> [UploadedObject] {
        try connection.rows(
            "SELECT \(Columns.object) FROM object WHERE project = ? ORDER BY bucket, name", [.text(project)],
            Columns.object)
    }

    func put(_ object: UploadedObject) throws {
        try replace(in: "object", Columns.object, try Columns.values(of: object))
    }

    func delete(_ object: UploadedObject) throws {
        try delete(
            from: "object", where: "project = ? AND bucket = ? AND name = ?",
            [.text(object.projectID), .text(object.bucket), .text(object.name)])
    }

    func validation(sha256: String) throws -> Validation? {
        try connection.row(
            "SELECT \(Columns.validation) FROM validation WHERE sha256 = ?", [.text(sha256)], Columns.validation)
    }

    func pendingValidations() throws -> [Validation] {
        try connection.rows(
            "SELECT \(Columns.validation) FROM validation WHERE verdict = 'pending' ORDER BY requested_us, sha256", [],
            Columns.validation)
    }

    func validations() throws -> [Validation] {
        try connection.rows("SELECT \(Columns.validation) FROM validation ORDER BY sha256", [], Columns.validation)
    }

    func referencedHashes() throws -> Set<String> {
        Set(
            try connection.rows(
                """
                SELECT sha256 FROM version UNION SELECT sha256 FROM object
                UNION SELECT sha256 FROM upload_session WHERE sha256 IS NOT NULL AND finished_us IS NULL
                """
            ) { (row) throws(StorageError) in row.text(0)
            })
    }

    func isReferenced(sha256: String) throws -> Bool {
        try count(
            """
            SELECT EXISTS (SELECT 1 FROM version WHERE sha256 = ?1) OR EXISTS (SELECT 1 FROM object WHERE sha256 = ?1)
                OR EXISTS (SELECT 1 FROM upload_session WHERE sha256 = ?1 AND finished_us IS NULL)
            """, [.text(sha256)]) != 0
    }

    func hasVersion(of object: UploadedObject) throws -> Bool {
        try count(
            """
            SELECT EXISTS (
                SELECT 1 FROM version JOIN model ON model.id = version.model
                WHERE version.sha256 = ? AND source_uri = ? AND project = ?)
            """, [.text(object.sha256), .text(object.uri), .text(object.projectID)]) != 0
    }

    func put(_ validation: Validation) throws {
        try replace(in: "validation", Columns.validation, try Columns.values(of: validation))
        if case .malformed = validation.verdict { changesServing = true }
    }

    func delete(_ validation: Validation) throws {
        try delete(from: "validation", where: "sha256 = ?", [.text(validation.sha256)])
    }

    func uploadSession(id: String) throws -> UploadSession? {
        try connection.row(
            "SELECT \(Columns.session) FROM upload_session WHERE id = ?", [.text(id)], Columns.session)
    }

    func uploadSessions() throws -> [UploadSession] {
        try connection.rows(
            "SELECT \(Columns.session) FROM upload_session ORDER BY created_us, id", [], Columns.session)
    }

    func insert(_ session: UploadSession) throws {
        try insert(into: "upload_session", Columns.session, try Columns.values(of: session))
    }

    func update(_ session: UploadSession) throws {
        try update(
            "upload_session", Columns.session, try Columns.values(of: session), where: "id = ?", [.text(session.id)])
    }

    func delete(_ session: UploadSession) throws {
        try delete(from: "upload_session", where: "id = ?", [.text(session.id)])
    }
}
