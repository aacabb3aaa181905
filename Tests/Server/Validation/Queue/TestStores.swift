import HearthStorage
import HearthStorageSQLite
import HearthTestSupport

/// The stores of a data folder, which goes with them.
struct TestStores: Sendable {
    let folder: TemporaryFolder
    let metadata: any MetadataStore
    let blobs: any BlobStore

    init() throws {
        folder = try TemporaryFolder()
        metadata = try SQLiteMetadataStore(path: folder.path + "/hearth.sqlite")
        blobs = try FileBlobStore(folder: folder.path + "/blobs")
    }
}
