import Foundation
import HearthModelSource
import Testing

@Suite("Download conditions")
struct ModelDownloadConditionsTests {
    @Test("any connection and no background by default")
    func defaults() {
        let conditions = ModelDownloadConditions()
        #expect(conditions.allowsCellularAccess)
        #expect(!conditions.allowsBackgroundDownloading)
    }

    @Test("equal by value, copies too")
    func equality() {
        let conditions = ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: true)
        #expect(conditions.copy() as? ModelDownloadConditions == conditions)
        #expect(Set([conditions, ModelDownloadConditions(allowsCellularAccess: false)]).count == 2)
        #expect(!conditions.isEqual(NSString("conditions")))
    }

    @Test("the names of 2018 and 2019 still work")
    @available(*, deprecated)
    func olderNames() {
        let oldest = ModelDownloadConditions(wiFiRequired: true, idleRequired: true)
        #expect(!oldest.allowsCellularAccess)
        #expect(oldest.isWiFiRequired)
        #expect(!oldest.isIdleRequired)
        let older = ModelDownloadConditions(isWiFiRequired: false, canDownloadInBackground: true)
        #expect(older.allowsCellularAccess)
        #expect(older.canDownloadInBackground)
    }
}
