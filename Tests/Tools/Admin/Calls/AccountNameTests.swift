import HearthWire
import Testing

@testable import HearthCommandLine

@Suite struct AccountNameTests {
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

    @Test func callsNameTheWholeAddress() throws {
        let server = StubServer { _ in
            StubServer.json(
                KeyBodies.ServiceAccount(email: "e", role: "owner", operator: nil, createTime: "", keys: nil))
        }
        _ = try server.client().client.revokeServiceAccount("ci", revokesTokens: false)
        #expect(
            server.texts == [
                "DELETE /hearth/v1/projects/p-stand-in/serviceAccounts/ci%40p-stand-in.iam.hearth.invalid"
            ])
    }
}
