import Foundation
import HearthClient
import HearthFiles
import HearthTestSupport
import HearthTransport
import HearthWire
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
        "HEARTH_SERVER_URL": "https://h", "HEARTH_PROXY": "http://proxy:3128", "HEARTH_CA_FILE": "/ca.pem",
        "TRACKING_ID": "t", "ANDROID_CLIENT_ID": "a",
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
        #expect(options.proxyURL == "http://proxy:3128")
        #expect(options.caFile == "/ca.pem")
    }

    @Test("A property list, as text or binary", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        try check(FirebaseOptions(contentsOfFile: plist(values, format)))
    }

    @Test("Keys of another kind count as absent, unknown ones do not matter")
    func oddValues() throws {
        let path = try plist([
            "GOOGLE_APP_ID": "1:1:ios:a", "API_KEY": 5, "IS_ADS_ENABLED": false, "PLIST_VERSION": "1",
            "IS_MEASUREMENT_ENABLED": true, "FIREBASE_ANALYTICS_COLLECTION_ENABLED": false,
            "FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED": "maybe", "NESTED": ["a": [1, 2]], "PROJECT_ID": Data([1]),
            "BUNDLE_ID": Date(timeIntervalSince1970: 0),
        ])
        let options = try #require(FirebaseOptions(contentsOfFile: path))
        #expect(options.apiKey == nil)
        #expect(options.gcmSenderID == "")
        #expect(options.projectID == nil)
        #expect(options.bundleID == Bundle.main.bundleIdentifier ?? "")
    }

    @Test("A missing app id or file, another format, or too large a file: nil")
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

    @Test("The environment alone is enough")
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

    @Test("HEARTH_APP_CONFIG names the file; HEARTH_SERVER_URL replaces the address in it")
    func namedFile() throws {
        let path = try plist(values)
        try check(
            OptionsSource(environment: ["HEARTH_APP_CONFIG": path, "HEARTH_GOOGLE_APP_ID": "1:2:ios:b"]).options())
        let moved = OptionsSource(environment: ["HEARTH_APP_CONFIG": path, "HEARTH_SERVER_URL": "http://127.0.0.1:1"])
        #expect(moved.options()?.serverURL == "http://127.0.0.1:1")
        #expect(moved.options()?.apiKey == "key")
        let routed = OptionsSource(environment: [
            "HEARTH_APP_CONFIG": path, "HEARTH_PROXY": "none", "HEARTH_CA_FILE": "/other.pem",
        ])
        #expect(routed.options()?.proxyURL == "none")
        #expect(routed.options()?.caFile == "/other.pem")
    }

    @Test("HEARTH_CONFIG, the variable's old name, is refused, unless the present one is set")
    func oldVariable() throws {
        let path = try plist(values)
        for present in [[:], ["HEARTH_APP_CONFIG": ""]] {
            let environment = present.merging(["HEARTH_CONFIG": path]) { $1 }
            #expect(OptionsSource(environment: environment).options() == nil)
            #expect(ConfigFileVariable.complaint(environment) == "'HEARTH_CONFIG' is now 'HEARTH_APP_CONFIG'.")
        }
        let both = OptionsSource(environment: ["HEARTH_APP_CONFIG": path, "HEARTH_CONFIG": folder.path + "/none"])
        #expect(both.options()?.apiKey == "key")
    }

    @Test("The reason why a file cannot be used is the real one")
    func reasons() throws {
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let malformed = try folder.write("<plist>".utf8, to: "bad.plist")
        for (path, reason) in [
            (folder.path + "/none", "No such file or directory"), (folder.path, "Is a directory"),
            (pipe, "not a regular file"), (malformed, "not a well-formed plist file"),
        ] {
            let error = #expect(throws: FileError.self) { try PropertyListFile(path: path) }
            #expect(error?.message.contains(path) == true && error?.message.contains(reason) == true)
        }
    }

    @Test("No other source replaces an unusable file that HEARTH_APP_CONFIG names")
    func uselessNamedFile() throws {
        for path in [folder.path + "/none", try plist(["API_KEY": "key"])] {
            let source = OptionsSource(environment: ["HEARTH_APP_CONFIG": path, "HEARTH_GOOGLE_APP_ID": "1:1:ios:a"])
            #expect(source.options() == nil)
        }
        let unset = OptionsSource(environment: ["HEARTH_APP_CONFIG": "", "HEARTH_GOOGLE_APP_ID": "1:1:ios:a"])
        #expect(unset.options()?.googleAppID == "1:1:ios:a")
    }

    @Test(
        "The options override the environment",
        arguments: [
            (nil, [:], .environment), ("", [:], .environment), ("none", [:], .none),
            ("http://a", [:], .url("http://a")),
            (nil, ["HEARTH_PROXY": "none"], .none), (nil, ["HEARTH_PROXY": ""], .environment),
            ("http://a", ["HEARTH_PROXY": "none"], .url("http://a")),
        ] as [(String?, [String: String], CurlTransport.Proxy)])
    func proxy(option: String?, environment: [String: String], expected: CurlTransport.Proxy) {
        let options = TestDevice.options()
        options.proxyURL = option
        #expect(DeviceEnvironment.transportConfiguration(options, environment).proxy == expected)
    }

    @Test("The file of certificates comes from the options, otherwise from the environment")
    func caFile() {
        let options = TestDevice.options()
        #expect(DeviceEnvironment.transportConfiguration(options, [:]).caFile == nil)
        #expect(DeviceEnvironment.transportConfiguration(options, ["HEARTH_CA_FILE": ""]).caFile == nil)
        #expect(DeviceEnvironment.transportConfiguration(options, ["HEARTH_CA_FILE": "/e"]).caFile == "/e")
        options.caFile = "/o"
        #expect(DeviceEnvironment.transportConfiguration(options, ["HEARTH_CA_FILE": "/e"]).caFile == "/o")
    }

    @Test("An app's options may be read and copied, and compare with those it was made of")
    func locked() throws {
        let options = TestDevice.options()
        let locked = FirebaseOptions(options.values, isLocked: true)
        #expect(locked == options)
        #expect(locked.copy() as? FirebaseOptions == options)
        options.apiKey = "changed"
        #expect(locked != options)
    }

    @Test("A copy is equal and independent; every value counts for equality")
    func copying() throws {
        let original = TestDevice.options()
        let copy = try #require(original.copy() as? FirebaseOptions)
        #expect(copy == original)
        #expect(copy.hash == original.hash)
        let changes: [(FirebaseOptions) -> Void] = [
            { $0.googleAppID = "x" }, { $0.gcmSenderID = "x" }, { $0.apiKey = "x" }, { $0.projectID = "x" },
            { $0.bundleID = "x" }, { $0.clientID = "x" }, { $0.databaseURL = "x" }, { $0.storageBucket = "x" },
            { $0.appGroupID = "x" }, { $0.serverURL = "x" }, { $0.apiKey = nil }, { $0.proxyURL = "none" },
            { $0.caFile = "x" }, { ($0 as any OldOptions).androidClientID = "x" },
            { ($0 as any OldOptions).trackingID = "x" }, { ($0 as any OldOptions).deepLinkURLScheme = "x" },
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
        "The default folder of the store",
        arguments: [
            (["HEARTH_STORE": "/s", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/s"),
            (["HEARTH_STORE": "s/t"], FileManager.default.currentDirectoryPath + "/s/t"),
            (["HOME": "h"], FileManager.default.currentDirectoryPath + "/h/.local/share/hearth"),
            (["HEARTH_STORE": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/hearth"),
            (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/hearth"),
            (["HOME": "/h"], "/h/.local/share/hearth"),
        ])
    func store(environment: [String: String], expected: String) {
        #expect(DeviceEnvironment.defaultStoreFolder(environment) == expected)
    }

    @Test("The server's address needs project, key and URL; a slash at its end does not matter")
    func address() throws {
        let options = TestDevice.options()
        options.serverURL = "https://h/base/"
        let address = try options.serverAddress()
        #expect(address.url(.v1, "x") == "https://h/base/v1/projects/demo/x")
        let changes: [(String, (FirebaseOptions) -> Void)] = [
            ("projectID", { $0.projectID = nil }), ("projectID", { $0.projectID = "" }),
            ("apiKey", { $0.apiKey = nil }), ("apiKey", { $0.apiKey = "" }), ("serverURL", { $0.serverURL = nil }),
            ("serverURL", { $0.serverURL = "" }),
        ]
        for (name, change) in changes {
            let lacking = TestDevice.options()
            change(lacking)
            #expect(throws: MissingOptions(names: [name])) { try lacking.serverAddress() }
        }
    }
}

/// The old properties, without the deprecation warning.
private protocol OldOptions: AnyObject {
    var androidClientID: String? { get set }
    var trackingID: String? { get set }
    var deepLinkURLScheme: String? { get set }
}

extension FirebaseOptions: OldOptions {}
