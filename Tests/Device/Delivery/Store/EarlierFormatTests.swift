import Foundation
import HearthTestSupport
import Testing

@testable import HearthDelivery

/// The store of a device that Hearth at 859c831 made: a model with two versions.
@Suite("A device store of an earlier Hearth")
struct EarlierFormatTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore
    private let newest = "3aca6e3d1e44f8f1f11aeddebbc71609dcb637cf393ef9929428c9008a9ba28a"

    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path + "/store"
        try FileManager.default.copyItem(
            atPath: TestPaths.fixtures.appendingPathComponent("formats/859c831/device").path, toPath: path)
        store = try DeviceStore(path)
    }

    @Test("The installed version is found and verified")
    func finds() throws {
        guard case .installed(let model) = try store.find("adder") else {
            Issue.record("it is not installed")
            return
        }
        #expect(model.hash == newest && model.version == 2 && model.size == 380)
        #expect(try store.list().map(\.name) == ["adder"])
    }

    @Test("The version before it can be installed again")
    func goesBack() throws {
        let digest = try #require(store.pointers.pointer("adder")?.current?.digest)
        let previous = try #require(try store.reject(digest, of: "adder", reason: "test"))
        #expect(previous.version == 1 && previous.size == 468)
    }
}
