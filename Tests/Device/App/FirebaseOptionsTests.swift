import Foundation
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("Options of an app")
struct FirebaseOptionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func plist(_ values: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> String
    {
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
        return try folder.write(data, to: "GoogleService-Info.plist")
    }

    private let values = [
        "GOOGLE_APP_ID": "1:1:ios:a", "GCM_SENDER_ID": "1", "API_KEY": "key", "PROJECT_ID": "project",
        "BUNDLE_ID": "app.example", "CLIENT_ID": "client", "DATABASE_URL": "db", "STORAGE_BUCKET": "bucket",
        "HEARTH_SERVER_URL": "https://h",
    ]

    private func check(_ options: FirebaseOptions?) throws {
        let options = try #require(options)
        #expect(options.googleAppID == "1:1:ios:a")
        #expect(options.gcmSenderID == "1")
        #expect(options.apiKey == "key")
        #expect(options.projectID == "project")
        #expect(options.bundleID == "app.example")
        #expect(options.clientID == "client")
        #expect(options.databaseURL == "db")
        #expect(options.storageBucket == "bucket")
        #expect(options.serverURL == "https://h")
    }

    @Test("a property list, as text or binary", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        try check(FirebaseOptions(contentsOfFile: plist(values, format)))
    }

    @Test("keys of another kind count as absent, unknown ones do not matter")
    func oddValues() throws {
        let path = try plist([
            "GOOGLE_APP_ID": "1:1:ios:a", "API_KEY": 5, "IS_ADS_ENABLED": false, "PLIST_VERSION": "1",
        ])
        let options = try #require(FirebaseOptions(contentsOfFile: path))
        #expect(options.apiKey == nil)
        #expect(options.gcmSenderID == "")
    }

    @Test("no app id, no file, no property list, too large a one: none")
    func unreadable() throws {
        #expect(try FirebaseOptions(contentsOfFile: plist(["API_KEY": "key"])) == nil)
        #expect(try FirebaseOptions(contentsOfFile: plist(["GOOGLE_APP_ID": ""])) == nil)
        #expect(FirebaseOptions(contentsOfFile: folder.path) == nil)
        #expect(FirebaseOptions(contentsOfFile: folder.path + "/none") == nil)
        #expect(try FirebaseOptions(contentsOfFile: folder.write("<plist>".utf8, to: "bad.plist")) == nil)
        #expect(try FirebaseOptions(contentsOfFile: folder.write([], to: "empty.plist")) == nil)
        let large = try plist(["GOOGLE_APP_ID": "1:1:ios:a", "X": String(repeating: "x", count: 1 << 20)])
        #expect(FirebaseOptions(contentsOfFile: large) == nil)
    }

    @Test("the environment alone is enough")
    func environment() throws {
        let source = OptionsSource(environment: [
            "HEARTH_GOOGLE_APP_ID": "1:1:ios:a", "HEARTH_GCM_SENDER_ID": "1", "HEARTH_API_KEY": "key",
            "HEARTH_PROJECT_ID": "project", "HEARTH_SERVER_URL": "https://h", "GOOGLE_APP_ID": "not ours",
        ])
        let options = try #require(source.options())
        #expect(options.googleAppID == "1:1:ios:a")
        #expect(options.gcmSenderID == "1")
        #expect(options.apiKey == "key")
        #expect(options.projectID == "project")
        #expect(options.serverURL == "https://h")
        #expect(OptionsSource(environment: [:]).options() == nil)
        #expect(OptionsSource(environment: ["GOOGLE_APP_ID": "1:1:ios:a"]).options() == nil)
    }

    @Test("HEARTH_CONFIG names the file; HEARTH_SERVER_URL replaces the address in it")
    func namedFile() throws {
        let path = try plist(values)
        try check(OptionsSource(environment: ["HEARTH_CONFIG": path, "HEARTH_GOOGLE_APP_ID": "1:2:ios:b"]).options())
        let moved = OptionsSource(environment: ["HEARTH_CONFIG": path, "HEARTH_SERVER_URL": "http://127.0.0.1:1"])
        #expect(moved.options()?.serverURL == "http://127.0.0.1:1")
        #expect(moved.options()?.apiKey == "key")
    }

    @Test("a copy is equal and independent; every value counts for equality")
    func copying() throws {
        let original = TestDevice.options()
        let copy = try #require(original.copy() as? FirebaseOptions)
        #expect(copy == original)
        #expect(copy.hash == original.hash)
        let changes: [(FirebaseOptions) -> Void] = [
            { $0.googleAppID = "x" }, { $0.gcmSenderID = "x" }, { $0.apiKey = "x" }, { $0.projectID = "x" },
            { $0.bundleID = "x" }, { $0.clientID = "x" }, { $0.databaseURL = "x" }, { $0.storageBucket = "x" },
            { $0.appGroupID = "x" }, { $0.serverURL = "x" }, { $0.apiKey = nil },
        ]
        for change in changes {
            let changed = try #require(original.copy() as? FirebaseOptions)
            change(changed)
            #expect(changed != original)
            #expect(changed.copy() as? FirebaseOptions == changed)
        }
        #expect(!original.isEqual("options"))
    }

    @Test(
        "where the store lies when nobody says so",
        arguments: [
            (["HEARTH_STORE": "/s", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/s"),
            (["HEARTH_STORE": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/hearth"),
            (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/hearth"),
            (["HOME": "/h"], "/h/.local/share/hearth"),
        ])
    func store(environment: [String: String], expected: String) {
        #expect(DeviceEnvironment.defaultStoreFolder(environment) == expected)
    }

    @Test("the server's address needs project, key and URL; a slash at its end does not matter")
    func address() throws {
        let options = TestDevice.options()
        options.serverURL = "https://h/base/"
        let address = try #require(ServerAddress(options))
        #expect(address.url("/v1") == "https://h/base/v1")
        for change: (FirebaseOptions) -> Void in [
            { $0.projectID = nil }, { $0.projectID = "" }, { $0.apiKey = nil }, { $0.apiKey = "" },
            { $0.serverURL = nil }, { $0.serverURL = "" },
        ] {
            let lacking = TestDevice.options()
            change(lacking)
            #expect(ServerAddress(lacking) == nil)
        }
    }

    @Test(
        "a name in a path is one segment, whatever it holds",
        arguments: [
            ("plain-Name_1.~", "plain-Name_1.~"), ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a b?#%", "a%20b%3F%23%25"),
            ("\u{0}\n", "%00%0A"), ("é", "%C3%A9"), ("a:download", "a%3Adownload"),
        ])
    func segments(text: String, expected: String) {
        #expect(ServerAddress.segment(text) == expected)
    }
}
