import Foundation
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("The log of the app's objects")
struct LoggingTests {
    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("The levels have the original's numbers; notice is the default")
    func levels() {
        #expect(FirebaseLoggerLevel.error.rawValue == 3)
        #expect(FirebaseLoggerLevel.warning.rawValue == 4)
        #expect(FirebaseLoggerLevel.notice.rawValue == 5)
        #expect(FirebaseLoggerLevel.info.rawValue == 6)
        #expect(FirebaseLoggerLevel.debug.rawValue == 7)
        #expect(FirebaseLoggerLevel.min == .error)
        #expect(FirebaseLoggerLevel.max == .debug)
        #expect(FirebaseConfiguration.shared === FirebaseConfiguration.shared)
        #expect(FirebaseConfiguration.shared.loggerLevel() == .notice)
    }

    @Test("Missing apps are reported on standard error")
    func missing() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            #expect(FirebaseApp.allApps == nil)
            #expect(FirebaseApp.app() == nil)
            #expect(FirebaseApp.app(name: "kiosk") == nil)
            #expect(FirebaseApp.registered() == nil)
        }
        let lines = Self.text(result).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("[FirebaseCore]") }.map { $0.prefix(28) } == [
                "[FirebaseCore][I-COR000005] ", "[FirebaseCore][I-COR000003] ", "[FirebaseCore][I-COR000004] ",
            ])
    }

    @Test("Messages below the level are not written")
    func quiet() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let device = try TestDevice()
            let options = TestDevice.options()
            options.googleAppID = "2:later"
            for (level, name) in [(FirebaseLoggerLevel.notice, "quiet"), (.debug, "loud")] {
                FirebaseConfiguration.shared.setLoggerLevel(level)
                #expect(FirebaseConfiguration.shared.loggerLevel() == level)
                FirebaseApp.configure(name: name, options: options, environment: device.environment())
            }
        }
        let text = Self.text(result)
        #expect(text.components(separatedBy: "Unknown GOOGLE_APP_ID version").count == 2)
    }

    @Test("Options that installations cannot use are reported once, without the key")
    func incomplete() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let device = try TestDevice()
            let options = TestDevice.options()
            options.apiKey = "secret-key"
            let app = FirebaseApp.configure(name: "odd", options: options, environment: device.environment())
            #expect(Installations.installations(app: app) === Installations.installations(app: app))
        }
        let text = Self.text(result)
        #expect(text.components(separatedBy: "[FirebaseInstallations][I-FIS008000]").count == 2)
        #expect(!text.contains("secret-key"))
    }

    @Test("An options file without an app id is reported")
    func noAppID() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let path = try folder.write(
                "<plist><dict><key>API_KEY</key><string>secret</string></dict></plist>".utf8, to: "a.plist")
            #expect(OptionsSource(environment: ["HEARTH_APP_CONFIG": path]).options() == nil)
        }
        let text = Self.text(result)
        #expect(text.contains("a.plist names no GOOGLE_APP_ID"))
        #expect(!text.contains("secret"))
    }

    @Test(
        "Another program's bundle id is reported",
        arguments: [
            ("app.example", "app.example", true), ("app.example", "app.example.extension", true),
            ("app.example", "app.examples", false), ("app.example", "app", false), ("app.example", nil, true),
            ("", "app.example", true),
        ] as [(String, String?, Bool)])
    func bundleID(options: String, running: String?, fits: Bool) {
        #expect(AppRegistry.fits(bundleID: options, running: running) == fits)
    }

    @Test("The version has the form of one")
    func version() {
        #expect(FirebaseVersion().split(separator: ".").count == 3)
    }
}
