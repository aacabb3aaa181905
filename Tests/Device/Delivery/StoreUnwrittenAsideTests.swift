import HearthCrypto
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("Putting aside on a disk that cannot be written")
struct StoreUnwrittenAsideTests {
    private let folder: TemporaryFolder
    private let files = FailingFiles()
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(folder: folder.path, files: files)
    }

    private func makeReadOnly() {
        files.fail { step in
            if case .makeFolder = step { nil } else { FileError(.notPermitted, "The disk is read-only") }
        }
    }

    @Test("this process goes on with the version before it, and asks for the broken one no more")
    func previous() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        makeReadOnly()
        #expect(try store.putAside(Sample.v2, reason: "unknown operator") == old)
        #expect(try DeviceStore(folder: folder.path, files: files).find("digits") == .installed(old))
        #expect(try store.list() == [old])
        #expect(try store.reasonAside(Sample.v2) == "unknown operator")
    }

    @Test("without a version before it there is none, and its bytes stay as long as its record")
    func only() throws {
        let model = try store.install(Sample.v1)
        makeReadOnly()
        #expect(try store.putAside(Sample.v1) == nil)
        #expect(try store.find("digits") == .missing)
        #expect(!store.isInstalled("digits"))
        files.fail { _ in nil }
        #expect(try store.collect() == 0)
        #expect(model.contents == Sample.v1)
    }

    @Test("the next change of the record writes it down")
    func later() throws {
        let old = try store.install(Sample.v1)
        try store.install(Sample.v2)
        makeReadOnly()
        _ = try store.putAside(Sample.v2)
        files.fail { _ in nil }
        try store.install(Sample.v3)
        UnwrittenAsides.shared.forget(recordAt: folder.path + "/models/digits.json")
        #expect(try store.reasonAside(Sample.v2) == "no")
        #expect(try store.putAside(Sample.v3) == old)
    }

    @Test("who deletes the model may have it again")
    func deleted() throws {
        try store.install(Sample.v1)
        makeReadOnly()
        _ = try store.putAside(Sample.v1)
        files.fail { _ in nil }
        _ = try store.delete("digits")
        try store.install(Sample.v1)
        #expect(try store.contents() == Sample.v1)
    }
}
