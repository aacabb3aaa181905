import HearthAPI
import HearthCrypto
import Testing

@testable import HearthAPITestSupport

@Suite("Installations in logs") struct LoggedInstallationTests {
    private static let name = "device:" + SHA256Hasher.hash("cAAAA1".utf8).hex.prefix(12)

    @Test("An installation has the same name everywhere, and its id is nowhere")
    func names() {
        #expect(LoggedInstallation(id: "cAAAA1").description == Self.name)
        let line = "x-1 DELETE /v1/projects/p/installations/cAAAA1: the disk is full"
        #expect(
            LoggedInstallation.masked(line)
                == "x-1 DELETE /v1/projects/p/installations/\(Self.name): the disk is full")
        #expect(
            LoggedInstallation.masked("/installations/cAAAA1/installations/cAAAA1")
                == "/installations/\(Self.name)/installations/\(Self.name)")
    }

    @Test(
        "Other texts stay as they are",
        arguments: ["", "/", "//", "/installations", "/installations/", "/installations//", "installations/a", "é/ü"])
    func others(text: String) { #expect(LoggedInstallation.masked(text) == text) }
}
