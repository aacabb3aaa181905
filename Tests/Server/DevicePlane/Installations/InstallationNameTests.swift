import HearthRouting
import Testing

@Suite("Names of installations in conditions") struct InstallationNameTests {
    @Test(
        "In a condition, names take the place of installations' ids",
        arguments: [
            ("app.firebaseInstallationId in ['cAA', 'dBB'] && device.country in ['CH']", ["cAA", "dBB"], "['CH']"),
            ("device.country in ['CH'] && app . firebaseInstallationId.matches(['^c.*'])", ["^c.*"], "in ['CH']"),
            (#"app.firebaseInstallationId in ['a\'&&b'] && app.version >= '1'"#, ["&&b"], ">= '1'"),
            ("app.firebaseInstallationId in ['open", ["open"], "in ["),
            ("The term app.firebaseInstallationId == 'cAA' is odd", ["cAA"], "is odd"),
        ])
    func redaction(condition: String, hidden: [String], kept: String) {
        let text = InstallationLogName.redacted(condition: condition)
        #expect(!hidden.contains { text.contains($0) } && text.contains(kept) && text.contains("'device:"), "\(text)")
        #expect(InstallationLogName.redacted(condition: "device.os == 'ios'") == "device.os == 'ios'")
    }

    @Test("The name in a condition is that of logs and pages")
    func sameName() {
        let id = "cAAAAAAAAAAAAAAAAAAAAA"
        #expect(
            InstallationLogName.redacted(condition: "app.firebaseInstallationId in ['\(id)']")
                == "app.firebaseInstallationId in ['\(InstallationLogName(id: id))']")
    }
}
