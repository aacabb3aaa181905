import HearthWire
import Testing

@Suite struct ServiceAccountNameTests {
    @Test(
        arguments: [
            ("ci@p-one.iam.hearth.invalid", "p-one", "ci"), ("ci@other.iam.hearth.invalid", "p-one", "ci@other"),
            ("ci@p-one.iam.hearth.invalid", nil, "ci@p-one"), ("token:ab12", "p-one", "token:ab12"), ("", "p-one", ""),
        ] as [(String, String?, String)])
    func accountsAreShownByName(text: String, project: String?, short: String) {
        #expect(ServiceAccountName.short(text, project: project) == short)
    }

    @Test(arguments: ["ci", "ci@p-one.iam.hearth.invalid"])
    func aNameThatIsShownCanBeGiven(text: String) {
        #expect(ServiceAccountName.email(text, project: "p-one") == "ci@p-one.iam.hearth.invalid")
    }

    @Test(arguments: ["ci@other", "ci@other.iam.hearth.invalid"])
    func soCanOneOfAnotherProject(text: String) {
        #expect(ServiceAccountName.email(text, project: "p-one") == "ci@other.iam.hearth.invalid")
        #expect(ServiceAccountName.email("ann@example.com", project: "p-one") == "ann@example.com")
    }

    @Test func namesAreWhatFitsIntoAnEmailAndACommandLine() {
        for name in ["a", "ci", "ci-robot-7", "a" + String(repeating: "b", count: 29)] {
            #expect(ServiceAccountName.isValid(name))
        }
        for name in [
            "", "7a", "-a", "A", "a_b", "a.b", "a b", "a@b", "a\n", "ä", "a" + String(repeating: "b", count: 30),
        ] {
            #expect(!ServiceAccountName.isValid(name))
        }
    }
}
