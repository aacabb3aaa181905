import Foundation
import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Quota and free space")
struct StoreQuotaTests {
    private let folder: TemporaryFolder
    private let files = FailingFiles()

    init() throws { folder = try TemporaryFolder() }

    private func store(quota: UInt64? = nil, reserved: UInt64 = 0) throws -> DeviceStore {
        try DeviceStore(folder: folder.path, files: files, quotaBytes: quota, reservedFreeBytes: reserved)
    }

    /// Simulates the end of the process that used the paths.
    private func forgetLeases(_ name: String = "digits") {
        LeasedFiles.shared.release(.init(folder: folder.path, name: name))
    }

    private func bytes(_ value: UInt8, count: Int = 1000) -> [UInt8] { [UInt8](repeating: value, count: count) }

    @Test(
        "The quota allows exactly its number of bytes",
        arguments: [(3000, nil), (2999, .noSpace)] as [(UInt64, FileError.Code?)])
    func quota(bytes quota: UInt64, expected: FileError.Code?) throws {
        try store().install(bytes(1))
        try store().install(bytes(2), as: "birds")
        let code = fileErrorCode { _ = try store(quota: quota).begin(bytes(3), as: "fish") }
        #expect(code == expected)
        #expect(try DiskFiles().list(folder.path + "/files").count == 2, "no download has begun, and no model is lost")
    }

    @Test("The text says how many bytes are needed and how many are left")
    func texts() throws {
        try store().install(bytes(1))
        let quota = fileError { _ = try store(quota: 1500).begin(bytes(2)) }
        #expect(
            quota?.message
                == """
                The model digits needs 1000 bytes, but of the 1500 bytes that the store may hold 500 are left: delete a \
                model or raise the quota
                """)
        files.pretendFreeBytes(1499)
        let disk = fileError { _ = try store(reserved: 500).begin(bytes(2)) }
        #expect(
            disk?.message
                == "The model digits needs 1000 bytes, but the disk has 1499 bytes free, of which 500 must stay free: free some space"
        )
    }

    @Test(
        "The disk's reserved bytes stay free",
        arguments: [(1500, nil), (1499, .noSpace)] as [(UInt64, FileError.Code?)]
    )
    func freeSpace(free: UInt64, expected: FileError.Code?) throws {
        files.pretendFreeBytes(free)
        #expect(fileErrorCode { _ = try store(reserved: 500).begin(bytes(1)) } == expected)
    }

    @Test("A resumed download needs space only for its missing part, but counts whole for the quota")
    func resumed() throws {
        do { try store().begin(bytes(1)).add(bytes(1), upTo: 900) }
        files.pretendFreeBytes(100)
        #expect(try store(quota: 1000).begin(bytes(1)).size == 900)
        #expect(fileErrorCode { _ = try store(quota: 999).begin(bytes(1)) } == .noSpace)
        files.pretendFreeBytes(99)
        #expect(fileErrorCode { _ = try store().begin(bytes(1)) } == .noSpace)
        files.pretendFreeBytes(nil)
        #expect(try store().begin(bytes(1)).size == 900, "a refusal does not cost its bytes")
    }

    @Test("Files that are being written count whole")
    func concurrent() throws {
        let first = try store().begin(bytes(1))
        #expect(fileErrorCode { _ = try store(quota: 1999).begin(bytes(2), as: "birds") } == .noSpace)
        files.pretendFreeBytes(1999)
        #expect(fileErrorCode { _ = try store().begin(bytes(2), as: "birds") } == .noSpace)
        files.pretendFreeBytes(2000)
        _ = try store(quota: 2000).begin(bytes(2), as: "birds")
        #expect(fileErrorCode { _ = try store(quota: 1999).begin(bytes(1), as: "birds") } == .noSpace, "a private file")
        withExtendedLifetime(first) {}
    }

    @Test("Previous versions are evicted, this model's first, and only as many as needed")
    func previous() throws {
        for value: UInt8 in [1, 2] { try store().install(bytes(value)) }
        for value: UInt8 in [3, 4] { try store().install(bytes(value), as: "birds") }
        forgetLeases()
        forgetLeases("birds")
        let store = try store(quota: 4000)
        try store.install(bytes(5))
        #expect(try store.reject(bytes(4), of: "birds")?.hash == Sample.hash(bytes(3)), "it is still there")
        #expect(try store.contents() == bytes(5))
    }

    @Test("A previous version that two models share is evicted when both give it up, and counts once")
    func sharedPrevious() throws {
        for name in ["digits", "birds"] { try store().install(bytes(1), as: name) }
        try store().install(bytes(2))
        try store().install(bytes(3), as: "birds")
        forgetLeases()
        let tight = try store(quota: 3000)
        #expect(fileErrorCode { _ = try tight.begin(bytes(4), as: "fish") } == .noSpace, "birds still uses it")
        forgetLeases("birds")
        #expect(try tight.install(bytes(4), as: "fish").contents == bytes(4))
        #expect(try tight.reject(bytes(2)) == nil, "given up")
        #expect(try tight.reject(bytes(3), of: "birds") == nil, "given up")
    }

    @Test("It is not evicted when that would not free enough bytes")
    func sharedInVain() throws {
        for name in ["digits", "birds"] { try store().install(bytes(1), as: name) }
        try store().install(bytes(2))
        try store().install(bytes(3), as: "birds")
        forgetLeases()
        forgetLeases("birds")
        #expect(fileErrorCode { _ = try store(quota: 3000).begin(bytes(4, count: 1001), as: "fish") } == .noSpace)
        #expect(try store().reject(bytes(2))?.contents == bytes(1))
        #expect(try store().reject(bytes(3), of: "birds")?.contents == bytes(1))
    }

    @Test("It stays for a model whose current version is damaged")
    func sharedWithDamaged() throws {
        for name in ["digits", "birds"] { try store().install(bytes(1), as: name) }
        try store().install(bytes(2))
        let birds = try store().install(bytes(3), as: "birds")
        forgetLeases()
        forgetLeases("birds")
        try Data(bytes(9)).write(to: URL(fileURLWithPath: birds.path))
        #expect(fileErrorCode { _ = try store(quota: 3000).begin(bytes(4), as: "fish") } == .noSpace)
        #expect(try store().reject(bytes(2))?.contents == bytes(1))
    }

    @Test("Neither a current version, nor one in use, nor the last whole one is evicted")
    func keeps() throws {
        let old = try store().install(bytes(1))
        let new = try store().install(bytes(2))
        let tight = try store(quota: 2000)
        #expect(fileErrorCode { _ = try tight.begin(bytes(3)) } == .noSpace, "both paths are in use")
        forgetLeases()
        try Data(bytes(9)).write(to: URL(fileURLWithPath: new.path))
        #expect(fileErrorCode { _ = try tight.begin(bytes(3)) } == .noSpace, "the current one is damaged")
        #expect(try tight.find("digits") == .damaged(previous: old))
        #expect(fileErrorCode { _ = try tight.begin(bytes(3, count: 1001)) } == .noSpace)
    }

    @Test("Versions are not evicted in vain")
    func inVain() throws {
        let old = try store().install(bytes(1))
        try store().install(bytes(2))
        forgetLeases()
        #expect(fileErrorCode { _ = try store(quota: 2000).begin(bytes(3, count: 1001)) } == .noSpace)
        #expect(try store().reject(bytes(2)) == old)
    }

    @Test("A damaged model can be downloaded again under a quota for one copy")
    func healing() throws {
        let model = try store().install(bytes(1))
        try Data(bytes(9)).write(to: URL(fileURLWithPath: model.path))
        #expect(try store(quota: 1000).install(bytes(1)).contents == bytes(1))
    }

    @Test("Garbage is deleted for a download")
    func garbage() throws {
        _ = try folder.write(bytes(1), to: "files/" + Sample.hash(bytes(1)))
        _ = try folder.write(bytes(1), to: "files/incoming-3w5e11264sgs")
        #expect(try store(quota: 1000).install(bytes(2)).contents == bytes(2))
    }

    @Test("Absurd sizes are refused without a crash", arguments: [1 << 50, UInt64.max])
    func absurd(size: UInt64) throws {
        let digest = SHA256Hasher.hash([1])
        for store in try [store(), store(quota: .max), store(quota: 0), store(reserved: .max)] {
            #expect(fileErrorCode { _ = try store.begin(name: "digits", digest: digest, size: size) } == .noSpace)
        }
    }

    @Test("An empty model needs no space")
    func empty() throws {
        files.pretendFreeBytes(0)
        #expect(try store(quota: 0).install([]).contents == [])
    }
}
