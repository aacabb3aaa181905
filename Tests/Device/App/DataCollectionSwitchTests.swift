import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("The data collection flag")
struct DataCollectionSwitchTests {
    private let device: TestDevice
    private var folder: String { device.folder.path + "/app" }

    init() throws { device = try TestDevice() }

    private func flag(info: Bool? = nil, files: any FileOperations = DiskFiles()) -> DataCollectionSwitch {
        DataCollectionSwitch(folder: folder, files: files, infoValue: info)
    }

    @Test(
        "The value that was set, otherwise that of Info.plist, otherwise true",
        arguments: [nil, true, false] as [Bool?]
    )
    func precedence(info: Bool?) {
        #expect(flag(info: info).isOn == (info ?? true))
        for value in [true, false, true] {
            let set = flag(info: info)
            set.isOn = value
            #expect(set.isOn == value)
            #expect(flag(info: info).isOn == value, "it outlives the process")
        }
        let cleared = flag(info: info)
        cleared.clear()
        #expect(cleared.isOn == (info ?? true))
        #expect(flag(info: info).isOn == (info ?? true))
    }

    @Test("A damaged file counts as missing", arguments: ["", "yes", "true\n", String(repeating: "x", count: 100_000)])
    func damaged(contents: String) throws {
        flag().isOn = false
        try Data(contents.utf8).write(to: URL(fileURLWithPath: folder + "/" + DataCollectionSwitch.fileName))
        #expect(flag().isOn)
        #expect(!flag(info: false).isOn)
    }

    @Test("On a disk that cannot be written, the value applies in this process")
    func disk() {
        let files = FailingFiles { if case .createFile = $0 { FileError(.noSpace, "the disk is full") } else { nil } }
        let flag = flag(files: files)
        flag.isOn = false
        #expect(!flag.isOn)
    }

    @Test("After a power loss it is the old value or the new one, and a reported one holds")
    func crashes() throws {
        let recording = RecordingFiles(root: device.folder.path)
        let flag = flag(files: recording)
        flag.isOn = false
        recording.note("off")
        flag.isOn = true
        recording.note("on")
        try CrashReplay(recording).forEachState { state in
            let found = DataCollectionSwitch(folder: state.folder + "/app", files: DiskFiles(), infoValue: nil)
            if state.notes.contains("on") { #expect(found.isOn, "\(state)") }
            if state.notes == ["off"] {
                #expect(FileManager.default.fileExists(atPath: state.folder + "/app"), "\(state)")
            }
        }
    }

    @Test("An app keeps it until it is deleted; models and identity stay")
    func app() async throws {
        let name = "collection-\(UUID().uuidString)"
        let options = TestDevice.options()
        let app = FirebaseApp.configure(name: name, options: options, environment: device.environment())
        #expect(app.isDataCollectionDefaultEnabled)
        app.isDataCollectionDefaultEnabled = false
        #expect(!app.isDataCollectionDefaultEnabled)
        let id = try await Installations.installations(app: app).installationID()
        #expect(await app.delete())
        let again = FirebaseApp.configure(name: name, options: options, environment: device.environment())
        #expect(again.isDataCollectionDefaultEnabled)
        #expect(try await Installations.installations(app: again).installationID() == id)
        _ = await again.delete()
    }
}
