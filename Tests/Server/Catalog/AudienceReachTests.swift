import HearthWire
import Testing

@testable import HearthCatalog

@Suite("Whether one audience lies within another") struct AudienceReachTests {
    private func audience(_ edit: (inout Audience) -> Void) -> Audience {
        var audience = Audience()
        edit(&audience)
        return audience
    }

    @Test("A condition narrows; what another one means is not known, so it may reach others")
    func conditions() {
        let swiss = audience { $0.condition = "device.country in ['CH']" }
        let swissLinux = audience {
            $0.condition = "device.country in ['CH']"
            $0.operatingSystems = ["linux"]
        }
        let other = audience { $0.condition = "device.country in ['AT']" }
        #expect(AudienceForm.isWithin(swiss, Audience()))
        #expect(!AudienceForm.isWithin(Audience(), swiss))
        #expect(AudienceForm.isWithin(swissLinux, swiss))
        #expect(!AudienceForm.isWithin(swiss, swissLinux))
        #expect(!AudienceForm.isWithin(other, swiss) && !AudienceForm.isWithin(swiss, other))
        #expect(AudienceForm.isSame(swiss, swiss) && !AudienceForm.isSame(swiss, other))
        #expect(!AudienceForm.isSame(swiss, Audience()) && !swiss.isEverybody)
    }
}
