import Dispatch
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("What an app tells of its device")
struct AppDescriptionTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private func configure(_ name: String) -> FirebaseApp {
        var environment = device.environment()
        environment.description = .found(appVersion: "2.1", language: "de-CH", country: "CH")
        return FirebaseApp.configure(name: name, options: TestDevice.options(), environment: environment)
    }

    @Test("what was found at first, then what the app says; another app keeps its own")
    func changes() async throws {
        let app = configure("description-1")
        let other = configure("description-2")
        #expect(app.deviceDescription.appVersion == "2.1")
        try app.deviceDescription.setTags(["beta"])
        try app.deviceDescription.setLanguage(nil)
        #expect(app.toldDescription.tags == ["beta"])
        #expect(app.toldDescription.language == nil)
        #expect(other.toldDescription.tags.isEmpty)
        #expect(other.toldDescription.language == "de-CH")
        for app in [app, other] { await app.delete() }
    }

    @Test("without the user's leave, neither language nor country is told; the rest is the device's own")
    func dataCollection() async throws {
        let app = configure("description-3")
        try app.deviceDescription.setTags(["kiosk"])
        app.isDataCollectionDefaultEnabled = false
        let told = app.toldDescription
        #expect(told.language == nil && told.country == nil)
        #expect(told.appVersion == "2.1" && told.tags == ["kiosk"])
        #expect(app.deviceDescription.country == "CH", "it is kept, and told again with leave")
        app.isDataCollectionDefaultEnabled = true
        #expect(app.toldDescription == app.deviceDescription)
        await app.delete()
    }

    @Test("many threads read and write it: each sees one that somebody wrote")
    func threads() async throws {
        let app = configure("description-4")
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            var description = DeviceDescription()
            try? description.setTags(["tag\(number)"])
            try? description.setAppVersion("\(number)")
            app.deviceDescription = description
            let seen = app.deviceDescription
            #expect(seen.tags == ["tag\(seen.appVersion ?? "")"])
        }
        await app.delete()
    }
}
