import HearthIdentity
import Testing

@Suite("Scopes") struct ScopesTests {
    private static let google = "https://www.googleapis.com/auth/"

    @Test(
        "Scopes that only read are told by their end",
        arguments: [
            (["devstorage.read_only"], true), (["cloud-platform.read-only"], true), (["firebase.readonly"], true),
            (["firebase.readonly", "userinfo.email", "devstorage.read_only"], true),
            (["userinfo.email"], false), (["cloud-platform"], false), (["devstorage.read_write"], false),
            (["devstorage.read_only", "devstorage.read_write"], false), ([], false),
        ])
    func readOnly(names: [String], isReadOnly: Bool) {
        #expect(Scopes.areReadOnly(names.map { Self.google + $0 }.joined(separator: " ")) == isReadOnly)
    }

    @Test("None at all ask for everything")
    func none() {
        #expect(!Scopes.areReadOnly(nil) && !Scopes.areReadOnly("   ") && !Scopes.areReadOnly("openid email"))
    }
}
