import Foundation
import HearthApp
import HearthTestSupport
import Testing

@testable import HearthRemoteConfig

@Suite("Values, their keys and their types")
struct ValueTests {
    private func config(_ entries: [String: String]) async throws -> RemoteConfig {
        let device = try TestDevice()
        device.server.serve(entries, version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        return config
    }

    @Test("A value reads as text, number, truth, bytes and JSON")
    func types() async throws {
        let config = try await config(["n": "42.5 m", "t": "yes", "j": #"{"a":[1,"x",null],"b":{"c":true}}"#, "e": ""])
        #expect(config["n"].numberValue == 42.5 && config["n"].stringValue == "42.5 m")
        #expect(config["t"].boolValue && !config["e"].boolValue)
        #expect(config["n"].dataValue == Data("42.5 m".utf8))
        let json = try #require(config["j"].jsonValue as? [String: Any])
        #expect((json["b"] as? [String: Any])?["c"] as? Bool == true)
        #expect(config["n"].jsonValue == nil && config["e"].jsonValue == nil)
        #expect(config[jsonValue: "j"]?["a"] == [1, "x", NSNull()] as [AnyHashable] as AnyHashable)
        #expect(config[jsonValue: "n"] == nil && config[jsonValue: "absent"] == nil)
        let copy = try #require(config["t"].copy() as? RemoteConfigValue)
        #expect(copy.stringValue == "yes" && copy.source == .remote)
    }

    private static let recipe =
        #"{"name":"PB&J","parts":["bread","jelly"],"time":7,"price":2.5,"whole":3.0,"on":true,"size":{"w":1,"h":[2,3]},"no":null}"#

    @Test("JSON with arrays and objects in it can be cast to hashable values, as on phones")
    func hashableJSON() async throws {
        let config = try await config(["j": Self.recipe, "list": #"[1,"x",{"a":[true]}]"#])
        let json = try #require(config["j"].jsonValue as? [String: AnyHashable])
        #expect(json == config["j"].jsonValue as! [String: AnyHashable])
        #expect(json["name"] == AnyHashable("PB&J") && json["parts"] == AnyHashable(["bread", "jelly"]))
        #expect(
            json["time"] == AnyHashable(7) && json["on"] == AnyHashable(true) && json["no"] == AnyHashable(NSNull()))
        #expect(json["size"] is [String: AnyHashable])
        let list = try #require(config["list"].jsonValue as? [AnyHashable])
        #expect(list.count == 3 && list[1] == AnyHashable("x") && list[2] == AnyHashable(["a": [true]]))
    }

    @Test(
        "The dictionary of a key equals a literal of the same content in both directions, as Foundation's dictionaries")
    func comparedJSON() async throws {
        let config = try await config(["j": Self.recipe, "plain": #"{"a":["x",true],"b":{"c":null}}"#])
        let literal: [String: AnyHashable] = [
            "name": "PB&J", "parts": ["bread", "jelly"], "time": 7, "price": 2.5, "whole": 3, "on": true,
            "size": ["w": 1, "h": [2, 3]] as [String: AnyHashable], "no": NSNull(),
        ]
        let json = NSDictionary(dictionary: try #require(config[jsonValue: "j"]))
        #expect(json == NSDictionary(dictionary: literal) && NSDictionary(dictionary: literal) == json)
        #expect(json != NSDictionary(dictionary: literal.merging(["time": 8]) { $1 }))
        let found = try #require(config[jsonValue: "plain"])
        let plain: [String: AnyHashable] = ["a": ["x", true] as [AnyHashable], "b": ["c": NSNull()]]
        #expect(found == plain && plain == found, "without numbers they are equal as they are")
    }

    /// The casts are those of apps; a template may change from 0.5 to 1, and from 2 to 2.0.
    @Test(
        "Casts without hashable types find JSON values, both of a value and of the whole Remote Config"
    )
    func plainJSON() async throws {
        let config = try await config([
            "j":
                #"{"time":7,"price":2.5,"whole":2.0,"on":true,"parts":["a"],"sizes":[1,2],"size":{"w":1.5},"large":9007199254740993}"#
        ])
        let value: [String: Any] = try #require(config["j"].jsonValue as? [String: Any])
        let subscripted: [String: Any] = try #require(config[jsonValue: "j"])
        for json in [value, subscripted] {
            #expect(json["time"] as? Int == 7 && json["time"] as? Double == 7 && json["time"] as? NSNumber == 7)
            #expect(json["time"] as? Float == 7 && json["whole"] as? Int == 2 && json["whole"] as? Double == 2)
            #expect(json["price"] as? Double == 2.5 && json["price"] as? Float == 2.5 && json["price"] as? Int == nil)
            #expect(json["on"] as? Bool == true && json["large"] as? Int == 9_007_199_254_740_993)
            #expect(json["parts"] as? [String] == ["a"] && (json["parts"] as? [Any])?.count == 1)
            #expect(json["sizes"] as? [Int] == [1, 2] && json["sizes"] as? [Double] == [1, 2])
            #expect((json["size"] as? [String: Any])?["w"] as? Double == 1.5)
            #expect(json["size"] as? [String: Double] == ["w": 1.5])
        }
        let hashable = try #require(config[jsonValue: "j"])
        #expect(hashable["time"] as? Double == 7 && hashable["whole"] as? Int == 2)
        #expect(hashable["sizes"] as? [Double] == [1, 2])
    }

    @Test("Apps of both generations: the text is one, or an optional one")
    func optionalText() async throws {
        let config = try await config(["a": "x"])
        let text = config["a"].stringValue
        #expect(text.count == 1)
        if let text: String = config["a"].stringValue { #expect(text == "x") } else { Issue.record("no text") }
        #expect((config["absent"].stringValue ?? "none") == "")
    }

    @Test("An empty value without a source, read as any type")
    func absent() async throws {
        let config = try await config(["a": "x"])
        for value in [config["b"], config.configValue(forKey: nil), config.configValue(forKey: "a", source: .default)] {
            #expect(value.source == .static && value.stringValue == "" && value.numberValue == 0 && !value.boolValue)
            #expect(value.dataValue.isEmpty && value.jsonValue == nil)
        }
        #expect(config.defaultValue(forKey: "a") == nil && config.defaultValue(forKey: nil) == nil)
    }

    @Test("Keys by source and by prefix")
    func keys() async throws {
        let config = try await config(["ui_a": "1", "ui_b": "2", "net": "3"])
        config.setDefaults(["ui_c": "4" as NSString])
        #expect(config.allKeys(from: .remote) == ["net", "ui_a", "ui_b"])
        #expect(config.allKeys(from: .default) == ["ui_c"] && config.allKeys(from: .static).isEmpty)
        #expect(config.keys(withPrefix: "ui_") == ["ui_a", "ui_b"])
        #expect(config.keys(withPrefix: nil).count == 3 && config.keys(withPrefix: "").count == 3)
    }

    private struct Panel: Decodable, Equatable {
        enum Theme: String, Decodable { case dark, light }
        struct Size: Decodable, Equatable { var width: Int }
        var title: String
        var count: Int
        var scale: Double
        var isShown: Bool
        var theme: Theme
        var size: Size
        var tags: [String]
        var note: String?
    }

    @Test("All values at once as a structure, defaults included")
    func structure() async throws {
        let config = try await config([
            "title": "12", "count": "5", "scale": "0.5", "isShown": "true", "theme": "dark", "tags": #"["a","b"]"#,
        ])
        #expect(throws: DecodingError.self) { try config.decoded(asType: Panel.self) }
        config.setDefaults(["size": ["width": 3 as NSNumber] as NSDictionary])
        let panel: Panel = try config.decoded()
        #expect(
            panel
                == Panel(
                    title: "12", count: 5, scale: 0.5, isShown: true, theme: .dark, size: .init(width: 3),
                    tags: ["a", "b"]))
        #expect(throws: DecodingError.self) { try config.decoded(asType: Int.self) }
    }

    @Test("One value as any type that decodes")
    func single() async throws {
        let config = try await config([
            "int": "200", "text": "plain", "list": "[1,2,3]", "object": #"{"width":9}"#, "bad": #"{"width":"x"}"#,
            "decimal": "0.1", "theme": "light",
        ])
        #expect(try config["int"].decoded(asType: UInt8.self) == 200)
        #expect(try config["int"].decoded(asType: Float.self) == 200)
        #expect(try config["text"].decoded(asType: Data.self) == Data("plain".utf8))
        #expect(try config["decimal"].decoded(asType: Decimal.self) == Decimal(string: "0.1"))
        #expect(try config["list"].decoded(asType: [Int].self) == [1, 2, 3])
        #expect(try config["object"].decoded(asType: [String: Int].self) == ["width": 9])
        #expect(try config["object"].decoded(asType: Panel.Size.self).width == 9)
        #expect(try config["theme"].decoded(asType: Panel.Theme.self) == .light)
        #expect(throws: DecodingError.self) { try config["text"].decoded(asType: Panel.Size.self) }
        #expect(throws: DecodingError.self) { try config["bad"].decoded(asType: Panel.Size.self) }
        #expect(throws: DecodingError.self) { try config["text"].decoded(asType: Panel.Theme.self) }
        #expect(
            throws: RemoteConfigValueCodableError.unsupportedType(
                "Date type is not currently supported for  Remote Config Value decoding. Please file a feature request")
        ) { try config["int"].decoded(asType: Date.self) }
        let text: String? = config[decodedValue: "absent"]
        let size: Panel.Size? = config[decodedValue: "text"]
        #expect(text == "" && size == nil)
    }

    @Test("Endlessly nested JSON is refused, and does no harm")
    func nested() async throws {
        let config = try await config(["deep": String(repeating: "[", count: 200_000)])
        #expect(config["deep"].jsonValue == nil)
        #expect(throws: (any Error).self) { try config["deep"].decoded(asType: [Int].self) }
    }
}

@Suite("Reading the text of a value")
struct ConfigTextTests {
    @Test(
        "Numbers are read from the beginning of the text",
        arguments: [
            ("", 0), ("abc", 0), ("12", 12), ("-3.5e2x", -350), ("  7 days", 7), (".5", 0.5), ("5.", 5), ("1e", 1),
            ("+4", 4), ("0x10", 0), ("inf", 0), ("nan", 0), ("-", 0), (".", 0), ("1e+", 1), ("٣", 0),
        ])
    func number(_ text: String, _ expected: Double) {
        #expect(ConfigText.number(text) == expected)
    }

    @Test(
        "True for Y, T or a digit other than 0",
        arguments: [
            ("true", true), ("Yes", true), ("1", true), ("007", true), ("-2", true), (" t", true), ("0", false),
            ("", false), ("no", false), ("on", false), ("000", false), ("0y", true), ("false", false),
        ])
    func truth(_ text: String, _ expected: Bool) {
        #expect(ConfigText.isTrue(text) == expected)
    }

    @Test("Whole numbers stay within their type for any text")
    func integers() {
        #expect(ConfigText.integer("9223372036854775807", as: Int64.self) == .max)
        #expect(ConfigText.integer("9007199254740993", as: Int64.self) == 9_007_199_254_740_993)
        #expect(ConfigText.integer("1e300", as: Int.self) == .max)
        #expect(ConfigText.integer("1e999", as: Int.self) == .max)
        #expect(ConfigText.integer("-1e300", as: Int.self) == .min)
        #expect(ConfigText.integer("300", as: UInt8.self) == 255)
        #expect(ConfigText.integer("-1", as: UInt8.self) == 0)
        #expect(ConfigText.integer("2.9", as: Int.self) == 2)
        #expect(ConfigText.integer("many", as: Int.self) == 0)
    }
}

/// For the default app, as in the original.
@Suite("Parameters as properties", .serialized, .limitedTime)
struct PropertyTests {
    private struct Screen {
        @RemoteConfigProperty(key: "greeting", fallback: "Hello") var greeting: String
        @RemoteConfigProperty(key: "columns", fallback: 2) var columns: Int
        @RemoteConfigProperty(key: "colors", fallback: []) var colors: [String]
        @RemoteConfigProperty(key: "hint", fallback: "") var hint: String?
    }

    @Test("They read the fallback, then what was activated, and then what was activated next")
    func life() async throws {
        let device = try TestDevice(name: "__FIRAPP_DEFAULT")
        let config = device.config()
        let screen = Screen()
        #expect(screen.greeting == "Hello" && screen.columns == 2 && screen.colors.isEmpty && screen.hint == "")
        config.setDefaults(["columns": 3 as NSNumber])
        #expect(screen.columns == 3)
        device.server.serve(["greeting": "Hi", "columns": "4", "colors": #"["red"]"#], version: 1)
        try await config.fetchAndActivate()
        #expect(screen.greeting == "Hi" && screen.columns == 4 && screen.colors == ["red"])
        device.server.serve(["greeting": "Hey", "colors": "not JSON"], version: 2)
        try await config.fetch(withExpirationDuration: 0)
        #expect(screen.greeting == "Hi", "not activated yet")
        try await config.activate()
        #expect(screen.greeting == "Hey" && screen.columns == 3)
        #expect(screen.colors.isEmpty, "what does not fit is the fallback")
        await config.core.app.delete()
    }
}
