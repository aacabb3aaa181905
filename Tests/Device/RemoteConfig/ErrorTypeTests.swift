import Foundation
import HearthApp
import HearthTestSupport
import Testing

@testable import HearthRemoteConfig

@Suite("Errors, as existing apps look at them", .limitedTime)
struct ErrorTypeTests {
    private func fetchError() async throws -> any Error {
        let device = try TestDevice()
        device.server.answer("{}", status: 403)
        let config = device.config()
        do {
            try await config.fetch()
        } catch {
            return error
        }
        throw TestFailure()
    }

    private struct TestFailure: Error {}

    @Test("A fetch's error is a RemoteConfigError by a cast, an NSError by a catch, and one of its code by a pattern")
    func casts() async throws {
        let error = try await fetchError()
        let found = try #require(error as? RemoteConfigError)
        #expect(found.code == .internalError && found.errorCode == 8003)
        #expect(found.localizedDescription == "Internal Error. Status code: 403")
        #expect(error.localizedDescription == found.localizedDescription)
        #expect(found._nsError === error as NSError)
        #expect(error is RemoteConfigError && error as? RemoteConfigUpdateError == nil)
        switch found.code {
        case .internalError: break
        default: Issue.record("another code")
        }
        do {
            throw error
        } catch let error as NSError {
            #expect(error.domain == RemoteConfigError.errorDomain)
        }
        do {
            throw error
        } catch let error as RemoteConfigError {
            #expect(error == found)
        }
    }

    @Test("An error of another domain does not match")
    func foreign() {
        let error: any Error = NSError(domain: "elsewhere", code: 8002)
        #expect(error as? RemoteConfigError == nil && !(error is RemoteConfigError))
        #expect(CancellationError() as any Error as? RemoteConfigError == nil)
        #expect(RemoteConfigError(_nsError: error as NSError).code == .unknown)
        #expect(RemoteConfigUpdateError(_nsError: NSError(domain: "", code: 0)).code == .streamError)
        #expect(RemoteConfigError(_nsError: NSError(domain: RemoteConfigErrorDomain, code: 1)).code == .unknown)
    }

    @Test("Errors of mocks match like Hearth's own")
    func mocks() {
        let errors: [any Error] = [
            RemoteConfigError(.throttled, userInfo: [NSLocalizedDescriptionKey: "later"]),
            RemoteConfigError(_nsError: NSError(domain: RemoteConfigErrorDomain, code: 8002)),
        ]
        for error in errors {
            do {
                throw error
            } catch RemoteConfigError.throttled {
                #expect((error as NSError).code == 8002 && (error as NSError).domain == RemoteConfigErrorDomain)
            } catch {
                Issue.record("not matched")
            }
        }
        #expect(errors.first?.localizedDescription == "later")
        #expect(RemoteConfigError.errorDomain == RemoteConfigErrorDomain)
        #expect(RemoteConfigUpdateError.errorDomain == RemoteConfigUpdateErrorDomain)
        #expect(RemoteConfigCustomSignalsError.errorDomain == RemoteConfigCustomSignalsErrorDomain)
        #expect(InstallationsErrorCode.errorDomain == InstallationsErrorDomain)
        let type: RemoteConfigError.Code._ErrorType = RemoteConfigError(.unknown)
        #expect(type.userInfo.isEmpty && Set([type, type]).count == 1)
    }

    @Test("Each error says in its localized description what is wrong")
    func texts() {
        let errors: [any Error] = [
            RemoteConfigCodableError.invalidSetDefaultsInput("what"),
            RemoteConfigValueCodableError.unsupportedType("what"),
            RemoteConfigError(.internalError, userInfo: [NSLocalizedDescriptionKey: "what"]),
            InstallationsErrorCode(.keychain, userInfo: [NSLocalizedDescriptionKey: "what"]),
        ]
        for error in errors { #expect(error.localizedDescription == "what") }
    }
}
