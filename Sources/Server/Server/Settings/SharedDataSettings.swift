import HearthManagement
import HearthRouting
import HearthStorage
import HearthStoragePostgres
import HearthStorageS3

/// A database and a store that several servers share.
package enum SharedDataSettings: SettingSection {
    package static let title = "Several servers"

    package static let settings: [ServerSetting] = [
        .optional(
            "database", \.databaseURL, "url",
            "PostgreSQL database that several servers share; the data folder then has only files of this server.",
            expectation: """
                postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full; the password does not belong here but into PGPASSWORD \
                or a password file (PGPASSFILE)
                """,
            problem: { text in
                do throws(StorageError) {
                    return try PostgresConfiguration(url: text).hasPassword
                        ? "the address has a password, which administrators could read" : nil
                } catch {
                    return error.message
                }
            }),
        .optional(
            "blobs", \.blobsURL, "url", "S3-compatible store for the model files; goes with --database.",
            expectation: """
                s3://BUCKET/PREFIX?endpoint=https://HOST:PORT; the keys do not belong here but into AWS_ACCESS_KEY_ID and \
                AWS_SECRET_ACCESS_KEY, or a credentials file (AWS_SHARED_CREDENTIALS_FILE)
                """,
            problem: { text in
                do throws(S3ConfigurationError) {
                    _ = try S3Configuration(url: text)
                    return nil
                } catch {
                    return error.message
                }
            }),
        .number(
            "blob-cache-mebibytes", \.blobCacheMebibytes, 64...1_073_741_824,
            "MiB of model files that this server keeps of those in --blobs."),
        .links(
            "model-links", \.modelLinks,
            "From where devices fetch model files: this server, the store of --blobs, or a CDN's address."),
        .number(
            "stale-serving-hours", \.requests.staleServingHours, 0...8760,
            "How long devices are answered from memory while --database is away; revoked keys stay valid that long."),
        .number(
            "database-writers", \.databaseWriters, 1...100, "Maximum connections to --database for changes."),
        .number(
            "database-readers", \.databaseReaders, 1...1000, "Maximum connections to --database for look-ups."),
    ]
}
