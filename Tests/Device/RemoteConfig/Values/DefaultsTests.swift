import Foundation
import HearthTestSupport
import Testing

@testable import HearthRemoteConfig

@Suite("An app's own defaults")
struct DefaultsTests {
    @Test("Every type that defaults accept, and types that they ignore")
    func kinds() throws {
        let config = try TestDevice().config()
        config.setDefaults([
            "text": "x" as NSString, "number": 5 as NSNumber, "fraction": 2.5 as NSNumber,
            "date": NSDate(timeIntervalSince1970: 0), "bytes": NSData(data: Data([0xFF])),
            "list": [1, "a"] as NSArray, "object": ["k": [true]] as NSDictionary, "other": NSObject(), "null": NSNull(),
            "unjson": [NSObject()] as NSArray, "infinite": [Double.infinity] as NSArray,
        ])
        #expect(config["text"].stringValue == "x" && config["text"].source == .default)
        #expect(config["number"].numberValue == 5 && config["fraction"].stringValue == "2.5")
        #expect(config["date"].stringValue == "1970-01-01 00:00:00")
        #expect(config["bytes"].dataValue == Data([0xFF]) && config["bytes"].stringValue == "")
        #expect(config["list"].stringValue == #"[1,"a"]"# && config["object"].stringValue == #"{"k":[true]}"#)
        for key in ["other", "null", "unjson", "infinite"] { #expect(config[key].source == .static) }
    }

    @Test("Truth values read as such")
    func truth() throws {
        let config = try TestDevice().config()
        config.setDefaults(["yes": NSNumber(value: true), "no": NSNumber(value: false)])
        #expect(config["yes"].boolValue && !config["no"].boolValue)
    }

    @Test("New defaults replace the old ones, and a restart does not keep them")
    func replaced() async throws {
        let device = try TestDevice()
        let config = device.config()
        config.setDefaults(["a": "1" as NSString])
        config.setDefaults(["b": "2" as NSString])
        #expect(config.allKeys(from: .default) == ["b"])
        #expect(config.defaultValue(forKey: "b")?.stringValue == "2" && config.defaultValue(forKey: "a") == nil)
        let next = await device.restarted(config)
        #expect(next.allKeys(from: .default).isEmpty)
        config.setDefaults(nil)
        #expect(config.allKeys(from: .default).isEmpty)
    }

    @Test("From a structure; other types are refused")
    func encodable() throws {
        struct Defaults: Encodable {
            var title = "Hello"
            var count = 3
            var isOn = true
            var list = [1, 2]
            var nothing: String?
        }
        let config = try TestDevice().config()
        try config.setDefaults(from: Defaults())
        #expect(config["title"].stringValue == "Hello" && config["count"].numberValue == 3 && config["isOn"].boolValue)
        #expect(config["list"].stringValue == "[1,2]" && config.allKeys(from: .default).count == 4)
        #expect(
            throws: RemoteConfigCodableError.invalidSetDefaultsInput(
                "The setDefaults input: 7, must be a Struct that encodes to a Dictionary")
        ) { try config.setDefaults(from: 7) }
        #expect(throws: RemoteConfigCodableError.self) { try config.setDefaults(from: ["a"]) }
        #expect(config.allKeys(from: .default).count == 4)
    }

    @Test("From a property list; another file changes nothing")
    func propertyList() throws {
        let config = try TestDevice().config()
        let folder = try TemporaryFolder()
        let list: [String: Any] = ["title": "Hi", "count": 4, "on": true]
        let path = folder.path + "/defaults.plist"
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: path))
        config.setDefaults(fromPlistAt: path)
        #expect(config["title"].stringValue == "Hi" && config["count"].numberValue == 4 && config["on"].boolValue)
        try Data("no list".utf8).write(to: URL(fileURLWithPath: path))
        config.setDefaults(fromPlistAt: path)
        config.setDefaults(fromPlistAt: folder.path + "/absent.plist")
        config.setDefaults(fromPlist: "absent")
        config.setDefaults(fromPlist: nil)
        #expect(config.allKeys(from: .default).count == 3)
    }
}
