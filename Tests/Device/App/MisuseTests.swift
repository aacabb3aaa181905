import Foundation
import HearthTestSupport
import Testing

@testable import HearthApp

/// Mistakes after which Google's library raises an exception end the process; no other does.
@Suite("Programming errors")
struct MisuseTests {
    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("The default app configured twice")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(options: TestDevice.options())
            FirebaseApp.configure(options: TestDevice.options())
        }
        #expect(Self.text(result).contains("Default app has already been configured."))
    }

    @Test("A named app configured twice")
    func namedTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(name: "kiosk", options: TestDevice.options())
            FirebaseApp.configure(name: "kiosk", options: TestDevice.options())
        }
        #expect(Self.text(result).contains("App named kiosk has already been configured."))
    }

    @Test("No options in any source")
    func noOptions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure()
        }
        #expect(Self.text(result).contains("could not find a valid GoogleService-Info.plist"))
    }

    @Test("The output is the text: no crash report follows, but a debugger still stops")
    func onlyTheSentence() async {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
        ) {
            unsetenv(CrashReport.variable)
            Misuse.stop("The sentence.")
        }
        #expect(
            Self.text(result) == """
                Fatal error: The sentence.
                To see where: run it in a debugger, or with SWIFT_BACKTRACE=enable=yes.

                """)
    }

    @Test("With crash reports disabled, the output says how to get one")
    func switchedOff() async {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
        ) {
            signal(SIGABRT, SIG_DFL)
            setenv(CrashReport.variable, "enable=no", 1)
            Misuse.stop("The sentence.")
        }
        #expect(Self.text(result).contains("or with SWIFT_BACKTRACE=enable=yes."))
    }

    @Test("With crash reports in any form, the output does not say how to get one")
    func switchedOn() async {
        let result = await #expect(processExitsWith: .exitCode(42), observing: [\.standardErrorContent]) {
            signal(SIGABRT) { _ in _exit(42) }
            setenv(CrashReport.variable, "color=no", 1)
            Misuse.stop("The sentence.")
        }
        #expect(Self.text(result) == "Fatal error: The sentence.\n")
    }

    #if compiler(>=6.3)  // Swift Testing lends values to another process from Swift 6.3 on.
        /// Some crash reporters handle every signal that ends a process, including the one for a core dump.
        @Test("The app's own crash reporter stays, no matter which signals it handles", arguments: [false, true])
        func reporters(takesQuit: Bool) async {
            await #expect(processExitsWith: .exitCode(42)) { [takesQuit] in
                unsetenv(CrashReport.variable)
                for number in takesQuit ? [SIGABRT, SIGQUIT, SIGSEGV] : [SIGABRT] {
                    signal(number) { _ in _exit(42) }
                }
                Misuse.stop("The sentence.")
            }
        }
    #endif

    @Test("A malformed app id")
    func appID() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(options: FirebaseOptions(googleAppID: "x", gcmSenderID: ""))
        }
        #expect(Self.text(result).contains("Configuration fails. It may be caused by an invalid GOOGLE_APP_ID"))
    }

    @Test("A name that leads out of the store's folder")
    func name() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(name: "../x", options: TestDevice.options())
        }
        #expect(
            Self.text(result).contains(
                "App name can only contain alphanumeric, hyphen (-), and underscore (_) characters"))
    }

    @Test("An empty name")
    func emptyName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(name: "", options: TestDevice.options())
        }
        #expect(Self.text(result).contains("Name cannot be empty."))
    }

    @Test("Options that belong to an app are changed, or a copy of them")
    func lockedOptions() async {
        let original = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(options: TestDevice.options())
            FirebaseApp.app()?.options.apiKey = "changed"
        }
        let copy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            FirebaseApp.configure(options: TestDevice.options())
            let copy = FirebaseApp.app()?.options.copy() as? FirebaseOptions
            copy?.googleAppID = "1:1:ios:b"
        }
        for result in [original, copy] {
            #expect(Self.text(result).contains("Attempted to modify options after it's set on FIRApp"))
        }
    }

    @Test("Installations before there is an app")
    func installations() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Installations.installations()
        }
        #expect(Self.text(result).contains("The default FirebaseApp instance must be configured before the default"))
    }
}
