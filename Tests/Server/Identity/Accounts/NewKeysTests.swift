import HearthCatalog
import HearthCrypto
import HearthIdentity
import Testing

@Suite("Keys and tokens when they are made") struct NewKeysTests {
    private func token(_ role: Role = .viewer) -> NewAdminToken {
        NewAdminToken(
            projectID: "p", name: "n", role: role, createdBy: "ann", nowMicroseconds: 5, endsMicroseconds: nil)
    }

    @Test("An admin token carries the id that it is found by, and 256 random bits")
    func adminToken() throws {
        let made = token()
        #expect(made.token.wholeMatch(of: /hearth_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/) != nil)
        #expect(NewAdminToken.id(in: made.token) == made.record.id)
        #expect(SecretHash.matches(made.token, hex: made.record.secretHash))
        #expect(token().token != made.token && token().record.id != made.record.id)
    }

    @Test("A secret may hold underscores")
    func underscores() { #expect(NewAdminToken.id(in: "hearth_0123_a_b__c") == "0123") }

    @Test(
        "What has another form has no id",
        arguments: [
            "", "hearth", "hearth_", "hearth_1", "Hearth_1_2", " hearth_1_2",
            "hearth_" + String(repeating: "1_", count: 61),
        ])
    func noID(text: String) { #expect(NewAdminToken.id(in: text) == nil) }

    @Test("A replacement is for the same app, and nothing else is the same")
    func replacement() {
        let old = NewAPIKey(projectID: "p", name: "n", appID: "1:2:ios:3", bundleIDs: ["b"], nowMicroseconds: 5)
        let new = NewAPIKey(replacing: old.record, nowMicroseconds: 9)
        #expect(new.record.appID == "1:2:ios:3" && new.record.bundleIDs == ["b"] && new.record.name == "n")
        #expect(new.key != old.key && new.record.id != old.record.id && new.record.secretHash != old.record.secretHash)
        #expect(new.record.createdMicroseconds == 9 && new.record.endsMicroseconds == nil)
    }

    @Test("Printing what was just made shows no secret")
    func redacted() throws {
        let account = try NewAccountKey(email: "a@b", nowMicroseconds: 0)
        let key = NewAPIKey(projectID: "p", name: "n", appID: "a", nowMicroseconds: 0)
        let token = token()
        let secrets = [account.privateKeyPEM, account.clientSecret, key.key, token.token]
        for value in [account, key, token] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), "\(Optional(value) as Any)", dumped] {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test("Names and bundle ids are plain text of bounded length")
    func rules() throws {
        for name in [
            "Flowers für iOS 🌻", "Kiosk, 2nd floor", "a", String(repeating: "a", count: 64), "👩\u{200D}💻", "🏳️\u{200D}🌈",
            "می\u{200C}خواهم", "क्\u{200D}ष",
        ] {
            try KeyRules.checkName(name)
        }
        for name in [
            "", "a\n", "a\nb", "a\0", "\t", "\u{7F}", "\u{85}", " a", "a ", "\u{2028}a", "a\u{202E}b", "a\u{200F}b",
            "a\u{2066}b",
            "\u{200D}", "\u{200B}\u{FEFF}", String(repeating: "a", count: 65),
        ] {
            #expect(throws: CatalogError.self) { try KeyRules.checkName(name) }
        }
        try KeyRules.checkBundleIDs(["app.hearth.demo", "com.Example-1.x_y"])
        for ids in [
            [""], ["a b"], ["a/b"], ["ä"], [String(repeating: "a", count: 256)], Array(repeating: "a", count: 101),
        ] {
            #expect(throws: CatalogError.self) { try KeyRules.checkBundleIDs(ids) }
        }
    }
}
