import Foundation
import HearthApp
import HearthTestSupport
import Testing

@testable import HearthRemoteConfig

/// Of the default app, as the original is.
@Suite("Parameters as properties", .serialized, .limitedTime)
struct PropertyTests {
    private struct Screen {
        @RemoteConfigProperty(key: "greeting", fallback: "Hello") var greeting: String
        @RemoteConfigProperty(key: "columns", fallback: 2) var columns: Int
        @RemoteConfigProperty(key: "colors", fallback: []) var colors: [String]
        @RemoteConfigProperty(key: "hint", fallback: "") var hint: String?
    }

    @Test("they read the fallback, then what was activated, and then what was activated next")
    func life() async throws {
        let device = try TestDevice(name: "__FIRAPP_DEFAULT")
        let config = device.config()
        let screen = Screen()
        #expect(screen.greeting == "Hello" && screen.columns == 2 && screen.colors.isEmpty && screen.hint == "")
        config.setDefaults(["columns": 3 as NSNumber])
        #expect(screen.columns == 3)
        device.server.serve(["greeting": "Hi", "columns": "4", "colors": #"["red"]"#], version: 1)
        try await config.fetchAndActivate()
        #expect(screen.greeting == "Hi" && screen.columns == 4 && screen.colors == ["red"])
        device.server.serve(["greeting": "Hey", "colors": "not JSON"], version: 2)
        try await config.fetch(withExpirationDuration: 0)
        #expect(screen.greeting == "Hi", "not activated yet")
        try await config.activate()
        #expect(screen.greeting == "Hey" && screen.columns == 3)
        #expect(screen.colors.isEmpty, "what does not fit is the fallback")
        await config.core.app.delete()
    }
}
