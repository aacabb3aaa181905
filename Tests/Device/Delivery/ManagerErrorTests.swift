import Foundation
import Testing

@testable import HearthDelivery

@Suite("Errors of the model manager")
struct ManagerErrorTests {
    private static let accidents: [(DownloadFailure.Code, Int)] = [
        (.cancelled, 1), (.invalidArgument, 3), (.notFound, 5), (.permissionDenied, 7), (.serverBusy, 8),
        (.tooLarge, 8),
        (.noSpace, 8), (.notConfigured, 9), (.conditionsNotMet, 9), (.unusable, 9), (.newerStore, 9),
        (.storeFailed, 13), (.storeRemoved, 13),
        (.notWritable, 13), (.truncated, 2), (.wrongHash, 2), (.cannotConnect, 2),
        (DownloadFailure.Code(rawValue: "new"), 2),
    ]

    @Test("each accident has its canonical code; those of the network that of the original", arguments: accidents)
    func codes(code: DownloadFailure.Code, expected: Int) {
        let failure = DownloadFailure(code, "It went wrong.", error: .failedPrecondition)
        let error = ModelManagerError.download(failure)
        #expect(error.domain == "com.google.mlkit")
        #expect(error.code == expected)
        #expect(error.localizedDescription == "Failed to download the model from the server. It went wrong.")
        #expect(error.localizedFailureReason == "It went wrong.")
        #expect(error.userInfo[NSUnderlyingErrorKey] as? DownloadFailure == failure)
    }

    @Test("an empty name is an invalid argument")
    func emptyName() {
        let failure = DownloadFailure.emptyName
        #expect(ModelManagerError.download(failure).code == 3)
    }

    @Test("existing code catches it as NSError")
    func caught() {
        func message() -> String {
            do {
                throw ModelManagerError.notDownloaded("digits")
            } catch let error as NSError {
                return error.localizedDescription
            }
        }
        #expect(message() == "The model 'digits' is not on this device. Download it first.")
    }
}
